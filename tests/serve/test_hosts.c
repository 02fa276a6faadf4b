#include <limits.h>

#include "crawl/patience.h"
#include "pavane/pavane.h"
#include "serve/service_scene.h"
#include "store/service/paused_hosts.h"
#include "tap.h"

/* One host as callers see it, and its pauses for all jobs, judged by what the
 * site has seen. */

#define SECONDS 100
#define HOST "/v1/hosts/127.0.0.1"

static const struct server_route routes[] = {
    {.path = "/robots.txt",
	.answer = {.body = "User-agent: *\nCrawl-delay: 0.3\n"}},
    {.path = "/", .answer = {.body = "<a href='/long/1'>1</a>"}},
    {.path = "/long/*",
	.answer = {.body = "<a href='{n}1'>1</a><a href='{n}2'>2</a>",
	    .is_template = true}},
};

static size_t count_requests(const struct scene *scene)
{
	struct server_record record;
	size_t count = 0;
	while (server_log_get(scene->server, count, &record))
		count++;
	return count;
}

static void wait_for_requests(const struct scene *scene, size_t more)
{
	size_t before = count_requests(scene);
	while (count_requests(scene) < before + more)
		poll(NULL, 0, 1);
}

/* Beats of the crawl, as its news shows them. */
static void let_pass(struct scene *scene, unsigned beats)
{
	struct pv_buf before;
	pv_buf_init(&before, 8 << 20);
	for (; beats; beats--) {
		ask(scene, "GET", "/v1/jobs?order=newest", NULL);
		pv_buf_clear(&before);
		pv_buf_append_text(&before, body_of(scene));
		do {
			poll(NULL, 0, 1);
			ask(scene, "GET", "/v1/jobs?order=newest", NULL);
		} while (pv_str_equal(
		    pv_str_of(body_of(scene)), pv_buf_str(&before)));
	}
	pv_buf_finish(&before);
}

/* What is in flight has a beat to end; then nothing comes. */
static bool is_silent(struct scene *scene)
{
	let_pass(scene, 1);
	size_t before = count_requests(scene);
	let_pass(scene, 3);
	return count_requests(scene) == before;
}

static void test_look(struct server *server)
{
	struct scene scene;
	char path[100];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	ok(ask(&scene, "GET", HOST, NULL) == 200 && says(&scene, "\"jobs\":[]"),
	    "a host that no job has can be asked for");
	submit(&scene, "/", "", path);
	wait_for_requests(&scene, 4);
	do
		ask(&scene, "GET", HOST, NULL);
	while (!strstr(body_of(&scene), "\"requests\":3"));
	ok(says(&scene, "\"host\":\"127.0.0.1\"") &&
		says(&scene, strrchr(path, '/') + 1),
	    "in the job that has it");
	ok(says(&scene, "\"delay_ms\":300") && says(&scene, "Crawl-delay") &&
		says(&scene, "(line 2)"),
	    "P4: its clocks are said, and whose wish each is");
	ok(!strstr(body_of(&scene), scene.scratch.path),
	    "P7: but not where the owner has his files");
	ok(says(&scene, "\"robots\":{\"state\":\"rules\"") &&
		says(&scene, "\"status\":200"),
	    "its robots.txt");
	ok(says(&scene, "\"ledger\":{") && says(&scene, "\"least_gap_ms\":3"),
	    "and what it has seen of us");
	ok(ask(&scene, "GET", "/v1/hosts/example.org", NULL) == 200 &&
		says(&scene, "\"jobs\":[]"),
	    "another host is not in it");
	ok(ask(&scene, "GET", "/v1/hosts/a%20b", NULL) == 404 &&
		ask(&scene, "GET", "/v1/hosts/%00", NULL) == 404 &&
		ask(&scene, "GET", "/v1/hosts/a%2Fb", NULL) == 404,
	    "what is no name is none");
	close_scene(&scene);
}

/* As `pavane status` reads it, which may be another process. */
static void wait_for_status(
    const struct scene *scene, const char *path, const char *pauses)
{
	char directory[PATH_MAX];
	bool is_so = false;
	snprintf(directory, sizeof(directory), "%s/jobs%s",
	    scratch_file(&scene->scratch, "service"), strrchr(path, '/'));
	while (!is_so) {
		struct pavane_status *status =
		    pavane_status_read(directory, NULL, NULL);
		const char *said = status ? status->progress->pauses : NULL;
		is_so =
		    said && (*pauses ? strstr(said, pauses) != NULL : !*said);
		pavane_status_destroy(status);
		poll(NULL, 0, 1);
	}
}

/* As if it had been paused long ago. */
static void set_back(const struct scene *scene)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_job_store *store =
	    pv_job_store_open(scratch_file(&scene->scratch, "service"), &why);
	const struct pv_paused_host host = {
	    .name = PV_STR("127.0.0.1"),
	    .since_ms = INT64_C(1700000000000),
	    .until_ms = INT64_MAX,
	    .reason = PV_STR("it moves"),
	    .by = PV_STR(""),
	};
	if (!store || !pv_paused_hosts_put(store, &host))
		abort();
	pv_job_store_close(store);
	pv_why_finish(&why);
}

static void test_pause(struct server *server)
{
	struct scene scene;
	char path[100], other[100];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	submit(&scene, "/long/1", "", path);
	wait_for_requests(&scene, 3);
	ok(ask(&scene, "POST", HOST "/pause", "{\"reason\":\"it moves\"}") ==
		    200 &&
		says(&scene, "\"reason\":\"it moves\""),
	    "a host is paused for all jobs");
	ok(is_silent(&scene), "P1: then nothing more is requested of it");
	ok(ask(&scene, "GET", path, NULL) == 200 &&
		says(&scene, "\"held_by\":\"127.0.0.1 is paused since") &&
		says(&scene, "(it moves)"),
	    "P4: the job says that it is held by that");
	wait_for_status(
	    &scene, path, "by the program that runs the crawl (it moves)");
	ok(true, "and so does `pavane status` of its directory");
	ok(ask(&scene, "GET", HOST, NULL) == 200 &&
		says(&scene, "paused by the program that runs the crawl until "
			     "it resumes the host (it moves)"),
	    "and, among the clocks, `pavane explain`");
	submit(&scene, "/long/2", "", other);
	comes_to(&scene, other, "running");
	ok(is_silent(&scene), "a job that comes later does not ask either");
	ok(ask(&scene, "GET", "/v1/hosts", NULL) == 200 &&
		says(&scene, "\"paused\":[{\"since\""),
	    "it is among the hosts that are paused");
	pavane_service_close(scene.service);
	wait_for_status(&scene, path, "");
	ok(true, "when the service has ended, its pauses are not said");
	set_back(&scene);
	open_service(&scene, NULL, 0);
	comes_to(&scene, path, "running");
	ok(is_silent(&scene), "P3: the pause holds over a restart");
	ok(ask(&scene, "GET", path, NULL) == 200 &&
		says(&scene, "127.0.0.1 is paused since 2023-11-1"),
	    "P4: since when it was said");
	ok(ask(&scene, "POST", HOST "/resume", "{}") == 200 &&
		!strstr(body_of(&scene), "\"reason\""),
	    "it is resumed");
	wait_for_requests(&scene, 2);
	ok(true, "and its pages are requested again");
	wait_for_status(&scene, path, "");
	ok(true, "which `pavane status` says, too");
	ok(ask(&scene, "POST", HOST "/resume", "{}") == 409,
	    "a host that is not paused is not resumed");
	close_scene(&scene);
}

static void test_other_host(struct server *server)
{
	struct scene scene;
	char path[100];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	ask(&scene, "POST", "/v1/hosts/example.org/pause", "{}");
	submit(&scene, "/long/1", "", path);
	wait_for_requests(&scene, 3);
	let_pass(&scene, 2);
	ok(ask(&scene, "GET", path, NULL) == 200 &&
		!strstr(body_of(&scene), "example.org"),
	    "no job is said to be held by a pause of a host that it does not "
	    "have");
	close_scene(&scene);
}

static void test_refusals(struct server *server)
{
	static const struct {
		const char *body;
		const char *sentence;
	} bodies[] = {
	    {"[]", "the body is no JSON object"},
	    {"{\"why\":1}", "unknown member"},
	    {"{\"reson\":\"\"}", "did you mean reason"},
	    {"{\"until\":5}", "until: expected a text"},
	    {"{\"until\":\"tomorrow\"}", "until: expected a time"},
	    {"{\"until\":\"1999-01-01T00:00:00Z\"}",
		"until: this time is over"},
	};
	struct scene scene;
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++)
		ok(ask(&scene, "POST", HOST "/pause", bodies[i].body) == 400 &&
			says(&scene, bodies[i].sentence),
		    "no pause: %s", bodies[i].sentence);
	ok(ask(&scene, "POST", HOST "/pause",
	       "{\"until\":\"2999-01-01T00:00:00Z\"}") == 200 &&
		says(&scene, "\"until\":\"2999-01-01T00:00:00.000Z\""),
	    "a pause may have an end");
	close_scene(&scene);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_look(server);
	test_pause(server);
	test_other_host(server);
	test_refusals(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}
