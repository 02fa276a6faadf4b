#include "fleet/line/line_scene.h"

/* A line finds the server that can write among several hosts, by name or address,
 * also after a promotion; and what was committed in doubt is lost. */

enum statement { WHERE, WRITE };

static const struct pv_fleet_statement statements[] = {
    [WHERE] = {"where", "SELECT pg_is_in_recovery()", {0}},
    [WRITE] = {"write", "INSERT INTO marks VALUES ($1)", {PV_FLEET_INT8}},
};

static void send_write(struct line_scene *scene, int64_t mark)
{
	struct pv_fleet_value value = pv_fleet_number(PV_FLEET_INT8, mark);
	send_step(scene, WRITE, &value, 1);
}

static void is_up_by(
    struct line_scene *scene, const char *url, const char *claim)
{
	line_scene_open(scene, url);
	ok(reaches(scene, &scene->ups, 1) && scene->downs == 0, "%s", claim);
	if (scene->downs)
		printf("# %s\n", scene->why);
	line_scene_close(scene);
}

static void use_names(struct line_scene *scene, const struct cluster *primary)
{
	char url[300];
	struct name_server_entry entries[] = {
	    {"db.test", "A 127.0.0.1", .ttl_s = 300},
	    {"two.test", "A 127.0.0.9, A 127.0.0.1", .ttl_s = 300}};
	name_server_set(scene->names.server, &entries[0]);
	name_server_set(scene->names.server, &entries[1]);
	snprintf(url, sizeof(url), "postgresql://pavane@DB.test:%u/crawls",
	    primary->port);
	is_up_by(scene, url, "a name is looked up, though it is private");
	snprintf(url, sizeof(url), "postgresql://pavane@two.test:%u/crawls",
	    primary->port);
	is_up_by(scene, url, "each of its addresses is tried");
	snprintf(url, sizeof(url),
	    "postgresql://pavane@none.test,db.test:%u/crawls?port=%u,%u",
	    primary->port, primary->port, primary->port);
	is_up_by(scene, url, "a name that is not found is left out");
	snprintf(url, sizeof(url), "postgresql://pavane@none.test:%u/crawls",
	    primary->port);
	line_scene_open(scene, url);
	ok(reaches(scene, &scene->downs, 2) && !scene->refusals &&
		strstr(scene->why, "none.test is not found"),
	    "a name that is nowhere is asked for again and again");
	printf("# %s\n", scene->why);
	line_scene_close(scene);
}

static void find_who_writes(struct line_scene *scene, const char *url)
{
	line_scene_open(scene, url);
	ok(reaches(scene, &scene->ups, 1), "of two hosts it takes ...");
	forget_counts(scene);
	send_write(scene, 1);
	ok(reaches(scene, &scene->oks, 1), "... the one that can write");
	ok(scene->server.timeline == 1 && scene->server.has_standby_names,
	    "and knows that this one has a standby");
}

/* The standby is silent, and the wait for it is called off. */
static void doubt_a_commit(struct line_scene *scene,
    const struct cluster *primary, const struct cluster *standby)
{
	char sql[200];
	unsigned downs = scene->downs, ups = scene->ups;
	cluster_freeze(standby);
	forget_counts(scene);
	send_write(scene, 2);
	send_step(scene, WHERE, NULL, 0);
	snprintf(sql, sizeof(sql),
	    "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity"
	    " WHERE pid = %d AND wait_event = 'SyncRep'",
	    scene->server.backend_pid);
	for (int i = 0; i < 500; i++) {
		uv_run(&scene->names.loop, UV_RUN_NOWAIT);
		const char *count = cluster_ask(primary, sql);
		if (count && strcmp(count, "1") == 0)
			break;
	}
	ok(reaches(scene, &scene->downs, downs + 1) && scene->losses == 2 &&
		scene->oks == 0 && strstr(scene->why, "may be lost"),
	    "a commit that was not waited for is lost, not done");
	printf("# %s\n", scene->why);
	ok(scene->notices > 0, "the server's warning is passed on");
	cluster_thaw(standby);
	ok(reaches(scene, &scene->ups, ups + 1), "the line comes up again");
}

static void follow_a_promotion(struct line_scene *scene,
    struct cluster *primary, const struct cluster *standby)
{
	unsigned ups = scene->ups;
	forget_counts(scene);
	send_write(scene, 3);
	ok(reaches(scene, &scene->oks, 1), "a commit waits for the standby");
	cluster_kill(primary);
	ok(cluster_promote(standby), "the standby is promoted");
	ok(reaches(scene, &scene->ups, ups + 1), "the line finds it");
	ok(scene->server.timeline == 2, "and sees another timeline");
	const char *marks = cluster_ask(
	    standby, "SELECT count(*) FROM marks WHERE mark IN (1, 3)");
	ok(marks && strcmp(marks, "2") == 0, "nothing that was done is lost");
	line_scene_close(scene);
}

int main(void)
{
	char url[300];
	struct cluster primary, standby;
	struct line_scene scene;
	const char *absence = cluster_absence();
	if (absence)
		return tap_skip_all(absence);
	if (!cluster_make(&primary))
		return tap_skip_all("PostgreSQL cannot be made to run here");
	if (!cluster_ask(&primary, "CREATE TABLE marks (mark int8)") ||
	    !cluster_follow(&standby, &primary, true)) {
		cluster_remove(&primary);
		return tap_skip_all("PostgreSQL cannot have a standby here");
	}
	line_scene_init(&scene);
	scene.options.statements = statements;
	scene.options.statement_count =
	    sizeof(statements) / sizeof(*statements);
	use_names(&scene, &primary);
	snprintf(url, sizeof(url),
	    "postgresql://pavane@127.0.0.1:%u,127.0.0.1:%u/crawls",
	    standby.port, primary.port);
	find_who_writes(&scene, url);
	doubt_a_commit(&scene, &primary, &standby);
	follow_a_promotion(&scene, &primary, &standby);
	line_scene_finish(&scene);
	cluster_remove(&standby);
	cluster_remove(&primary);
	return tap_done();
}
