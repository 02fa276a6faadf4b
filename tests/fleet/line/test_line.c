#include "fleet/line/line.h"

#include <time.h>

#include "fleet/line/line_scene.h"

/* What a line does with a server that is well, and one that refuses it. */

enum statement {
	ADD,
	LIST,
	FAIL_THRICE,
	FAIL_ALWAYS,
	SLEEP,
	TELL,
	GIVE_BACK,
	BEWARE
};

static const struct pv_fleet_statement statements[] = {
    [ADD] = {"add",
	"INSERT INTO fruit (id, name) SELECT * FROM unnest($1, $2)"
	" RETURNING id",
	{PV_FLEET_INT8S, PV_FLEET_TEXTS}},
    [LIST] = {"list", "SELECT id, name FROM fruit ORDER BY id", {0}},
    [FAIL_THRICE] = {"fail_thrice", "SELECT fail(nextval('tries') < 4, $1)",
	{PV_FLEET_TEXT}},
    [FAIL_ALWAYS] = {"fail_always", "SELECT fail(nextval('tries') > 0, $1)",
	{PV_FLEET_TEXT}},
    [SLEEP] = {"sleep", "SELECT pg_sleep($1::float8 / 1000)", {PV_FLEET_INT4}},
    [TELL] = {"tell", "SELECT pg_notify('news', $1)", {PV_FLEET_TEXT}},
    [GIVE_BACK] = {"echo",
	"SELECT $1 b, $2 i2, $3 i4, $4 i8, $5 t, $6 y, $7 bs, $8 i2s, $9 i4s,"
	" $10 i8s, $11 ts, $12 ys",
	{PV_FLEET_BOOL, PV_FLEET_INT2, PV_FLEET_INT4, PV_FLEET_INT8,
	    PV_FLEET_TEXT, PV_FLEET_BYTEA, PV_FLEET_BOOLS, PV_FLEET_INT2S,
	    PV_FLEET_INT4S, PV_FLEET_INT8S, PV_FLEET_TEXTS, PV_FLEET_BYTEAS}},
    [BEWARE] = {"warn", "SELECT warn($1)", {PV_FLEET_TEXT}},
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS fruit (id int8 PRIMARY KEY, name text);"
    "CREATE SEQUENCE IF NOT EXISTS tries;"
    "CREATE OR REPLACE FUNCTION fail(is_wanted bool, state text) RETURNS int"
    " LANGUAGE plpgsql AS $$ BEGIN IF is_wanted THEN"
    " RAISE 'no luck' USING ERRCODE = state; END IF; RETURN 1; END $$;"
    "CREATE OR REPLACE FUNCTION warn(words text) RETURNS int"
    " LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING '%', words;"
    " RETURN 1; END $$;"
    "SELECT 'made'";

static void use_statements(struct line_scene *scene)
{
	scene->options.statements = statements;
	scene->options.statement_count =
	    sizeof(statements) / sizeof(*statements);
}

static void on_schema(
    void *ctx, const struct pv_fleet_answer *answer, const char *first)
{
	struct line_scene *scene = ctx;
	ok(answer->status == PV_FLEET_OK && first && strcmp(first, "made") == 0,
	    "the caller makes its schema first, and hears the last field");
	pv_fleet_line_prepare(scene->line);
}

static void on_mistake(
    void *ctx, const struct pv_fleet_answer *answer, const char *first)
{
	(void)ctx;
	ok(answer->status == PV_FLEET_REFUSED && !first &&
		strcmp(answer->sqlstate, "42601") == 0,
	    "a mistake in it is told");
}

static void on_settings(
    void *ctx, const struct pv_fleet_answer *answer, const char *first)
{
	(void)ctx;
	ok(answer->status == PV_FLEET_OK && first &&
		strcmp(first, "read committed, 0, on") == 0,
	    "what the role has set otherwise is as it has to be (%s)",
	    first ? first : "");
}

static void on_checked(void *ctx, const struct pv_fleet_server *server)
{
	struct line_scene *scene = ctx;
	(void)server;
	if (scene->checks++ > 0) {
		pv_fleet_line_prepare(scene->line);
		return;
	}
	pv_fleet_line_exec(scene->line, "CREATE NOTHING", on_mistake, scene);
	pv_fleet_line_exec(scene->line,
	    "SELECT concat_ws(', ', current_setting('transaction_isolation'), "
	    "current_setting('lock_timeout'), "
	    "current_setting('synchronous_commit'))",
	    on_settings, scene);
	pv_fleet_line_exec(scene->line, schema, on_schema, scene);
}

static void come_up(struct line_scene *scene, const struct cluster *cluster)
{
	struct timespec now;
	use_statements(scene);
	scene->options.on_checked = on_checked;
	line_scene_open(scene, cluster_url(cluster));
	pv_fleet_line_listen(scene->line, "news");
	ok(!pv_fleet_line_is_up(scene->line), "a line begins by being down");
	ok(reaches(scene, &scene->ups, 1), "it comes up");
	clock_gettime(CLOCK_REALTIME, &now);
	int64_t here_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
	ok(pv_fleet_line_is_up(scene->line), "and says so");
	ok(scene->server.version >= 140000 && scene->server.backend_pid > 0,
	    "it knows the server's version, %d", scene->server.version);
	ok(scene->server.timeline == 1, "and its timeline");
	ok(!scene->server.has_standby_names, "and that it has no standby");
	ok(llabs(here_ms - scene->server.server_ms) <
		scene->server.uncertainty_ms + 60000,
	    "and its time, give or take %lld ms",
	    (long long)scene->server.uncertainty_ms);
	ok(scene->server.uncertainty_ms > 0 &&
		scene->server.uncertainty_ms < 60000,
	    "of which it knows how certain it is");
}

static void on_list(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct line_scene *scene = ctx;
	struct pv_str name = {0};
	int64_t id = 0;
	const struct pv_fleet_results *results = answer->results;
	ok(answer->status == PV_FLEET_OK, "both steps are done");
	ok(pv_fleet_results_affected(results, 0) == 3 &&
		pv_fleet_results_rows(results, 0) == 3,
	    "the first one says how many rows it made");
	ok(pv_fleet_results_rows(results, 1) == 3, "the second one sees them");
	ok(pv_fleet_field_number(
	       pv_fleet_results_field(results, 1, 2, 0), &id) &&
		id == 3,
	    "a number comes back");
	ok(pv_fleet_field_text(
	       pv_fleet_results_field(results, 1, 1, 1), &name) &&
		pv_str_equal(name, PV_STR("pear")),
	    "and a text");
	ok(pv_fleet_results_field(results, 1, 2, 1).is_null,
	    "and what is NULL");
	ok(pv_fleet_results_field(results, 1, 3, 0).is_null &&
		pv_fleet_results_field(results, 1, 0, 2).is_null &&
		pv_fleet_results_field(results, 2, 0, 0).is_null,
	    "what is beyond the rows, columns and steps is NULL as well");
	on_counted(scene, request, answer);
}

static struct pv_fleet_step add_step(
    struct pv_fleet_value values[2], const int64_t *ids, size_t count)
{
	static const struct pv_str names[] = {
	    {"apple", 5}, {"pear", 4}, {"", 0}};
	static const bool nulls[] = {false, false, true};
	values[0] = pv_fleet_numbers(PV_FLEET_INT8S, ids, count);
	values[1] = pv_fleet_texts(PV_FLEET_TEXTS, names, count);
	values[1].items.nulls = nulls;
	return (struct pv_fleet_step){ADD, values, 2};
}

static void add_rows(struct line_scene *scene)
{
	static const int64_t ids[] = {1, 2, 3};
	struct pv_fleet_value values[2];
	struct pv_fleet_step steps[] = {
	    add_step(values, ids, 3), {.statement = LIST}};
	forget_counts(scene);
	pv_fleet_line_send(
	    scene->line, pv_fleet_request_create(steps, 2, on_list, scene));
	ok(reaches(scene, &scene->oks, 1), "a request is answered");
}

static void refuse_a_whole_request(
    struct line_scene *scene, const struct cluster *cluster)
{
	static const int64_t ids[] = {7, 1};
	struct pv_fleet_value new[2], old[2];
	struct pv_fleet_step steps[] = {add_step(new, &ids[0], 1),
	    add_step(old, &ids[1], 1), {.statement = LIST}};
	forget_counts(scene);
	pv_fleet_line_send(
	    scene->line, pv_fleet_request_create(steps, 3, on_counted, scene));
	send_step(scene, LIST, NULL, 0);
	ok(reaches(scene, &scene->oks, 1) && scene->refused == 1,
	    "a step that fails fails its request, and no other");
	const char *count =
	    cluster_ask(cluster, "SELECT count(*) FROM fruit WHERE id = 7");
	ok(count && strcmp(count, "0") == 0,
	    "what the steps before it did is undone");
}

static void say_why_refused(struct line_scene *scene)
{
	static const int64_t id = 1;
	struct pv_fleet_value values[2];
	struct pv_fleet_step step = add_step(values, &id, 1);
	forget_counts(scene);
	pv_fleet_line_send(
	    scene->line, pv_fleet_request_create(&step, 1, on_counted, scene));
	ok(reaches(scene, &scene->refused, 1) &&
		strcmp(scene->sqlstate, "23505") == 0 &&
		strstr(scene->message, "fruit_pkey"),
	    "a refusal has its SQLSTATE and the server's words");
	ok(strstr(scene->message, "\"; DETAIL:  Key (id)=(1) ") &&
		!strchr(scene->message, '\n'),
	    "which are one line, without its end");
}

static void repeat(struct line_scene *scene, const char *sqlstate)
{
	struct pv_fleet_value state = pv_fleet_text(pv_str_of(sqlstate));
	forget_counts(scene);
	send_step(scene, FAIL_THRICE, &state, 1);
	ok(reaches(scene, &scene->oks, 1) && scene->refused == 0,
	    "%s is tried again until it succeeds", sqlstate);
	scene->names.clock.ahead_ms = 0;
}

static void give_up_repeating(
    struct line_scene *scene, const struct cluster *cluster)
{
	struct pv_fleet_value state = pv_fleet_text(PV_STR("40001"));
	forget_counts(scene);
	cluster_ask(cluster, "ALTER SEQUENCE tries RESTART");
	send_step(scene, FAIL_ALWAYS, &state, 1);
	ok(reaches(scene, &scene->refused, 1) &&
		strcmp(scene->sqlstate, "40001") == 0,
	    "what never succeeds is refused in the end");
	const char *tries =
	    cluster_ask(cluster, "SELECT last_value FROM tries");
	ok(tries && strcmp(tries, "9") == 0, "after nine tries");
}

static void pass_news(struct line_scene *scene)
{
	struct pv_fleet_value words = pv_fleet_text(PV_STR("hello"));
	forget_counts(scene);
	send_step(scene, TELL, &words, 1);
	ok(reaches(scene, &scene->notifies, 1) &&
		strcmp(scene->payload, "news:hello") == 0,
	    "it hears what is notified on its channel");
	words = pv_fleet_text(PV_STR("beware"));
	send_step(scene, BEWARE, &words, 1);
	ok(reaches(scene, &scene->oks, 2) && scene->notices == 1 &&
		strstr(scene->notice, "beware"),
	    "a warning of the server is passed on, and fails nothing");
}

static void on_echo(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet_array array;
	struct pv_str text;
	unsigned good = 0;
	int64_t number;
	bool flag;
	for (size_t i = 0; i < 12; i++) {
		struct pv_fleet_field field =
		    pv_fleet_results_field(answer->results, 0, 0, i);
		good +=
		    pv_fleet_field_bool(field, &flag) ||
		    pv_fleet_field_number(field, &number) ||
		    pv_fleet_field_text(field, &text) ||
		    (pv_fleet_field_array(field, &array) && array.count == 1);
	}
	ok(good == 12, "the server takes each type, and gives it back");
	on_counted(ctx, request, answer);
}

static void echo_types(struct line_scene *scene)
{
	static const int64_t number = 5;
	static const bool flag = true;
	static const struct pv_str text = {"x", 1};
	struct pv_fleet_value values[] = {pv_fleet_bool(flag),
	    pv_fleet_number(PV_FLEET_INT2, 1),
	    pv_fleet_number(PV_FLEET_INT4, 1),
	    pv_fleet_number(PV_FLEET_INT8, 1), pv_fleet_text(text),
	    pv_fleet_bytes(text), pv_fleet_bools(&flag, 1),
	    pv_fleet_numbers(PV_FLEET_INT2S, &number, 1),
	    pv_fleet_numbers(PV_FLEET_INT4S, &number, 1),
	    pv_fleet_numbers(PV_FLEET_INT8S, &number, 1),
	    pv_fleet_texts(PV_FLEET_TEXTS, &text, 1),
	    pv_fleet_texts(PV_FLEET_BYTEAS, &text, 1)};
	struct pv_fleet_step step = {GIVE_BACK, values, 12};
	forget_counts(scene);
	pv_fleet_line_send(
	    scene->line, pv_fleet_request_create(&step, 1, on_echo, scene));
	ok(reaches(scene, &scene->oks, 1), "a value of each type is sent");
}

static void measure_room(struct line_scene *scene)
{
	static char bytes[1000];
	struct pv_str name = {bytes, sizeof(bytes)};
	int64_t id = 1;
	forget_counts(scene);
	memset(bytes, 'x', sizeof(bytes));
	unsigned sent = 0;
	for (; pv_fleet_line_has_room(scene->line) && sent < 100000; sent++) {
		struct pv_fleet_value values[] = {
		    pv_fleet_numbers(PV_FLEET_INT8S, &id, 1),
		    pv_fleet_texts(PV_FLEET_TEXTS, &name, 1)};
		send_step(scene, ADD, values, 2);
	}
	ok(sent > 500 && sent < 10000,
	    "there is room for some requests, %u, and not for more", sent);
	ok(reaches(scene, &scene->refused, sent), "each of them is answered");
	ok(pv_fleet_line_has_room(scene->line), "then there is room again");
}

/* The callback that closes the line is the last one. */
static void on_closing(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct line_scene *scene = ctx;
	line_scene_close(scene);
	on_counted(scene, request, answer);
}

static void close_within_an_answer(struct line_scene *scene)
{
	struct pv_fleet_step step = {.statement = LIST};
	forget_counts(scene);
	pv_fleet_line_send(
	    scene->line, pv_fleet_request_create(&step, 1, on_closing, scene));
	for (int i = 0; i < 10; i++)
		send_step(scene, LIST, NULL, 0);
	reaches(scene, &scene->oks, 1);
	uv_run(&scene->names.loop, UV_RUN_NOWAIT);
	ok(scene->oks == 1 && scene->losses == 0,
	    "a line that is closed within an answer gives no other");
}

/* Claims what a line that is opened with that URL is refused with. */
static void is_refused(struct line_scene *scene, const char *url,
    const char *part, const char *claim)
{
	scene->options.on_checked = NULL;
	line_scene_open(scene, url);
	bool is_over = reaches(scene, &scene->refusals, 1);
	ok(is_over && strstr(scene->why, part) && scene->downs == 0, "%s",
	    claim);
	printf("# %s\n", scene->why);
	ok(!strstr(scene->why, "secret"), "without a password");
	send_step(scene, 0, NULL, 0);
	forget_counts(scene);
	ok(reaches(scene, &scene->losses, 1) && scene->refusals == 1,
	    "what is sent by it then is lost");
	line_scene_close(scene);
}

static const struct pv_fleet_statement other_statements[] = {
    {"other", "SELECT * FROM vegetables", {0}},
};

static void refuse_for_good(
    struct line_scene *scene, const struct cluster *cluster)
{
	char url[300];
	scene->options.statements = other_statements;
	scene->options.statement_count = 1;
	is_refused(scene, cluster_url(cluster), "another database",
	    "other tables are refused");
	snprintf(url, sizeof(url),
	    "postgresql://pavane:secret@127.0.0.1:%u/none", cluster->port);
	is_refused(scene, url, "make it with \"createdb none\"",
	    "a database that is not there is refused, with what makes it");
	snprintf(url, sizeof(url),
	    "postgresql://locked:secret@127.0.0.1:%u/crawls", cluster->port);
	is_refused(scene, url, "password authentication failed",
	    "a wrong password is refused");
	snprintf(url, sizeof(url), "postgresql://locked@127.0.0.1:%u/crawls",
	    cluster->port);
	is_refused(scene, url, "the file that PGPASSFILE names",
	    "and none, with where to write it");
	is_refused(scene, "postgresql://u:secret@h:0x/", "has a port",
	    "a wrong port is refused");
	is_refused(scene, "postgresql://u:secret/@h", "has an @ too many",
	    "so is what is nearly a URL");
	is_refused(scene, "postgresql://u:secret@[h", "cannot be read",
	    "and what is none");
	is_refused(scene, "service=nowhere", "nowhere",
	    "and a service that nobody knows");
}

static void refuse_what_is_not_safe(
    struct line_scene *scene, struct cluster *cluster)
{
	scene->options.statement_count = 0;
	cluster_set(cluster, "full_page_writes", "off");
	is_refused(scene, cluster_url(cluster), "set full_page_writes = on",
	    "a server without full_page_writes is refused");
	cluster_set(cluster, "full_page_writes", "on");
	cluster_set(cluster, "fsync", "off");
	is_refused(scene, cluster_url(cluster), "set fsync = on",
	    "a server without fsync is refused");
	cluster_set(cluster, "fsync", "on");
}

/* Where it was up before, somebody may be at it. */
static void wait_for_what_is_safe(
    struct line_scene *scene, struct cluster *cluster)
{
	char url[300];
	line_scene_open(scene, cluster_url(cluster));
	reaches(scene, &scene->ups, 1);
	cluster_set(cluster, "fsync", "off");
	pv_fleet_line_drop(scene->line, "dropped");
	ok(reaches(scene, &scene->downs, 3) && scene->refusals == 0 &&
		strstr(scene->why, "set fsync = on"),
	    "a line that was up tells what the server lacks, and tries again");
	cluster_set(cluster, "fsync", "on");
	ok(reaches(scene, &scene->ups, 2), "until that is set right");
	line_scene_close(scene);
	scene->options.was_up = true;
	cluster_set(cluster, "fsync", "off");
	snprintf(url, sizeof(url),
	    "postgresql://pavane@127.0.0.1:%u,127.0.0.1:1/crawls",
	    cluster->port);
	line_scene_open(scene, url);
	ok(reaches(scene, &scene->downs, 2) && scene->refusals == 0 &&
		strstr(scene->why, "set fsync = on"),
	    "so does one whose worker was part of the fleet, whatever is "
	    "wrong with another host of its URL");
	line_scene_close(scene);
	scene->options.was_up = false;
	cluster_set(cluster, "fsync", "on");
}

int main(void)
{
	struct cluster cluster;
	struct line_scene scene;
	const char *absence = cluster_absence();
	if (absence)
		return tap_skip_all(absence);
	if (!cluster_make(&cluster))
		return tap_skip_all("PostgreSQL cannot be made to run here");
	cluster_ask(&cluster,
	    "ALTER ROLE CURRENT_USER SET default_transaction_isolation = "
	    "'repeatable read'; ALTER ROLE CURRENT_USER SET lock_timeout = 5; "
	    "ALTER ROLE CURRENT_USER SET synchronous_commit = off");
	line_scene_init(&scene);
	come_up(&scene, &cluster);
	add_rows(&scene);
	refuse_a_whole_request(&scene, &cluster);
	say_why_refused(&scene);
	repeat(&scene, "40001");
	cluster_ask(&cluster, "ALTER SEQUENCE tries RESTART");
	repeat(&scene, "40P01");
	give_up_repeating(&scene, &cluster);
	pass_news(&scene);
	echo_types(&scene);
	measure_room(&scene);
	close_within_an_answer(&scene);
	refuse_for_good(&scene, &cluster);
	refuse_what_is_not_safe(&scene, &cluster);
	wait_for_what_is_safe(&scene, &cluster);
	line_scene_finish(&scene);
	cluster_remove(&cluster);
	return tap_done();
}
