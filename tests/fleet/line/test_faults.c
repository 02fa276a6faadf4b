#include <time.h>

#include "fleet/line/line_scene.h"
#include "fleet/line/proxy.h"

/* What a line does when its server is killed, stands still, or talks nonsense: it
 * says which requests are lost, and comes up again as soon as it can. */

enum statement { COUNT, SLEEP, LEAVE };

static const struct pv_fleet_statement statements[] = {
    [COUNT] = {"count", "SELECT count(*) FROM pg_class WHERE oid = $1",
	{PV_FLEET_INT8}},
    [SLEEP] = {"sleep", "SELECT pg_sleep($1::float8 / 1000)", {PV_FLEET_INT4}},
    [LEAVE] = {"leave", "SELECT pg_terminate_backend(pg_backend_pid())", {0}},
};

static void send_count(struct line_scene *scene)
{
	struct pv_fleet_value value = pv_fleet_number(PV_FLEET_INT8, 1);
	send_step(scene, COUNT, &value, 1);
}

static void send_sleep(struct line_scene *scene, int64_t ms)
{
	struct pv_fleet_value value = pv_fleet_number(PV_FLEET_INT4, ms);
	send_step(scene, SLEEP, &value, 1);
}

static void is_well(struct line_scene *scene, const char *claim)
{
	forget_counts(scene);
	send_count(scene);
	ok(reaches(scene, &scene->oks, 1) && scene->losses == 0, "%s", claim);
}

/* Ten requests are under way behind one that takes an hour. */
static void send_behind_a_long_one(struct line_scene *scene)
{
	forget_counts(scene);
	send_count(scene);
	reaches(scene, &scene->oks, 1);
	send_sleep(scene, 3600000);
	for (int i = 0; i < 10; i++)
		send_count(scene);
	uv_run(&scene->names.loop, UV_RUN_NOWAIT);
}

static void kill_the_server(struct line_scene *scene, struct cluster *cluster)
{
	line_scene_open(scene, cluster_url(cluster));
	ok(reaches(scene, &scene->ups, 1), "the line is up");
	send_behind_a_long_one(scene);
	cluster_kill(cluster);
	ok(reaches(scene, &scene->downs, 1), "it hears that its server died");
	ok(scene->losses == 11 && scene->oks == 1 && scene->refused == 0,
	    "all that was under way was lost before it says so");
	printf("# %s\n", scene->why);
	forget_counts(scene);
	send_count(scene);
	ok(reaches(scene, &scene->losses, 1), "what is sent then is lost");
	ok(reaches(scene, &scene->downs, 3),
	    "it tries again, and says that it has failed");
	ok(scene->refusals == 0, "it does not give up");
	ok(cluster_start(cluster), "the server is there again");
	ok(reaches(scene, &scene->ups, 2), "and so is the line");
	is_well(scene, "requests are answered as before");
}

static void freeze_the_server(struct line_scene *scene, struct cluster *cluster)
{
	unsigned downs = scene->downs;
	send_behind_a_long_one(scene);
	cluster_freeze(cluster);
	send_count(scene);
	uv_run(&scene->names.loop, UV_RUN_NOWAIT);
	ok(scene->losses == 0, "a server that stands still loses nothing");
	pv_fleet_line_drop(scene->line, "it is silent");
	ok(!pv_fleet_line_is_up(scene->line) && scene->losses == 0,
	    "a line that is dropped is down, and says nothing within the call");
	ok(reaches(scene, &scene->downs, downs + 1) && scene->losses == 12 &&
		strcmp(scene->why, "it is silent") == 0,
	    "all that was under way is lost");
	ok(reaches(scene, &scene->downs, downs + 2) &&
		strstr(scene->why, "does not answer within 0.3 seconds"),
	    "a server that stands still is not waited for");
	printf("# %s\n", scene->why);
	cluster_thaw(cluster);
	unsigned ups = scene->ups;
	ok(reaches(scene, &scene->ups, ups + 1), "it comes up again");
	is_well(scene, "and works");
}

static void throw_out_the_line(struct line_scene *scene)
{
	unsigned downs = scene->downs, ups = scene->ups;
	forget_counts(scene);
	send_step(scene, LEAVE, NULL, 0);
	send_count(scene);
	ok(reaches(scene, &scene->downs, downs + 1) && scene->losses == 2,
	    "who is thrown out by the server has lost its requests");
	printf("# %s\n", scene->why);
	ok(reaches(scene, &scene->ups, ups + 1), "and comes up again");
	line_scene_close(scene);
}

/* A request that is lost is taken back and sent again when the line is up. */
static void on_kept(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct line_scene *scene = ctx;
	if (answer->status == PV_FLEET_LOST) {
		pv_fleet_request_take(request);
		scene->kept = request;
	}
	on_counted(scene, request, answer);
}

static void keep_a_request(struct line_scene *scene)
{
	struct pv_fleet_value value = pv_fleet_number(PV_FLEET_INT8, 1);
	struct pv_fleet_step step = {COUNT, &value, 1};
	forget_counts(scene);
	pv_fleet_line_send(
	    scene->line, pv_fleet_request_create(&step, 1, on_kept, scene));
	pv_fleet_line_drop(scene->line, "once");
	ok(reaches(scene, &scene->losses, 1) && scene->kept,
	    "a request that was lost can be kept");
	unsigned ups = scene->ups;
	reaches(scene, &scene->ups, ups + 1);
	pv_fleet_line_send(scene->line, scene->kept);
	ok(reaches(scene, &scene->oks, 1), "and sent again");
}

/* One connect through the proxy that is spoilt there; whether it came up. */
static bool meet(struct line_scene *scene, struct proxy *proxy,
    enum proxy_manner manner, int64_t bytes)
{
	char url[100];
	snprintf(url, sizeof(url),
	    "postgresql://pavane@127.0.0.1:%u/crawls?sslmode=disable",
	    proxy_port(proxy));
	proxy_set(proxy, manner, bytes);
	line_scene_open(scene, url);
	for (int i = 0; i < LINE_TICKS_MAX &&
			!(scene->ups + scene->downs + scene->refusals);
	     i++)
		uv_run(&scene->names.loop, UV_RUN_ONCE);
	bool is_up = scene->ups > 0;
	line_scene_close(scene);
	return is_up;
}

static void cut_everywhere(struct line_scene *scene, struct proxy *proxy)
{
	unsigned ups = 0, refusals = 0;
	bool is_up = meet(scene, proxy, PROXY_CUTS, INT64_MAX);
	int64_t whole = proxy_passed(proxy);
	ok(is_up && whole > 300,
	    "a line is up when the server has said %lld bytes",
	    (long long)whole);
	/* What a server says has no more different places than a few hundred; to
	 * try each one takes three seconds. */
	for (int64_t bytes = 0; bytes < whole - 5; bytes++) {
		ups += meet(scene, proxy, PROXY_CUTS, bytes);
		refusals += scene->refusals;
	}
	ok(ups == 0, "cut off before that, at any byte, it is not");
	ok(refusals == 0, "nor does it give up");
}

static void talk_nonsense(struct line_scene *scene, struct proxy *proxy)
{
	unsigned ups = 0;
	for (int64_t bytes = 0; bytes < 400; bytes += 3)
		ups += meet(scene, proxy, PROXY_BABBLES, bytes);
	ok(ups == 0, "nor is it where the server talks nonsense");
}

static void stop_in_the_midst(struct line_scene *scene, struct proxy *proxy)
{
	static const int64_t places[] = {0, 1, 9, 100, 330, 500};
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		bool is_up = meet(scene, proxy, PROXY_STOPS, places[i]);
		ok(!is_up && scene->downs == 1 &&
			strstr(scene->why, "does not answer"),
		    "a server that stops after %lld bytes is not waited for",
		    (long long)places[i]);
	}
}

static void use_scene(struct line_scene *scene)
{
	scene->options.statements = statements;
	scene->options.statement_count =
	    sizeof(statements) / sizeof(*statements);
	scene->options.connect_timeout_ms = 300;
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
	line_scene_init(&scene);
	use_scene(&scene);
	kill_the_server(&scene, &cluster);
	freeze_the_server(&scene, &cluster);
	keep_a_request(&scene);
	throw_out_the_line(&scene);
	struct proxy *proxy = proxy_start(cluster.port);
	stop_in_the_midst(&scene, proxy);
	scene.options.connect_timeout_ms = 0;
	cut_everywhere(&scene, proxy);
	talk_nonsense(&scene, proxy);
	proxy_stop(proxy);
	line_scene_finish(&scene);
	cluster_remove(&cluster);
	return tap_done();
}
