#include "serve/jobs/job_run.h"

#include <poll.h>

#include "api/policy_object.h"
#include "bell.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* A crawl whose end is told, and looked at, at the same time. */

#define SECONDS 30

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/", .answer = {.body = "<p>one</p>"}},
};

struct scene {
	struct server *server;
	struct scratch scratch;
	struct pavane_runtime *runtime;
	struct pv_job_run *run;
	struct bell is_looked_at;
};

static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return 1000;
}

/* The crawl's thread goes on once somebody has seen that it has ended. */
static void on_end(void *ctx)
{
	struct scene *scene = ctx;
	bell_wait(&scene->is_looked_at);
}

static void on_news(void *ctx, struct pv_str id)
{
	(void)id;
	(void)ctx;
}

static void on_line(
    void *ctx, struct pv_str id, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)id;
	(void)level;
	printf("# %s\n", line);
}

static struct pavane_policy *load(const struct scene *scene)
{
	static const struct pv_setting settings[] = {
	    {NULL, "identity.contact=bot@example.org"},
	    {NULL, "fetch.private=all"}};
	const char *names[] = {"set", "set"};
	char url[100];
	snprintf(url, sizeof(url), "http://127.0.0.1:%u/",
	    (unsigned)server_port(scene->server));
	const char *addresses[] = {url};
	const struct pv_sources sources = {
	    .settings = settings,
	    .setting_count = 2,
	    .setting_names = names,
	    .addresses = addresses,
	    .address_names = names,
	    .address_count = 1,
	    .input_of = "",
	};
	return pv_policy_object_load(&sources);
}

static void start(struct scene *scene)
{
	struct pv_buf directory, why;
	struct pavane_runtime_options options =
	    PAVANE_INIT(struct pavane_runtime_options);
	scratch_make(&scene->scratch);
	bell_init(&scene->is_looked_at);
	scene->runtime = pavane_runtime_open(&options);
	pv_buf_init(&why, 1000);
	pv_buf_init(&directory, 1000);
	pv_buf_append_format(&directory, "%s/crawl", scene->scratch.path);
	const struct pv_job_run_plan plan = {
	    .id = PV_STR("one"),
	    .directory = pv_buf_text(&directory),
	    .policy = load(scene),
	    .runtime = scene->runtime,
	    .state_dir = scene->scratch.path,
	    .now_ms = now_ms,
	    .on_end = on_end,
	    .on_news = on_news,
	    .on_line = on_line,
	    .ctx = scene,
	};
	scene->run = pv_job_run_start(&plan, &why);
	if (!scene->run)
		printf("# %s\n", pv_buf_text(&why));
	pv_buf_finish(&directory);
	pv_buf_finish(&why);
}

static void test_end(struct server *server)
{
	struct scene scene = {.server = server};
	struct pv_job_end end;
	start(&scene);
	if (!ok(scene.run, "a crawl is open"))
		return;
	while (!pv_job_run_has_ended(scene.run))
		poll(NULL, 0, 1);
	ok(true,
	    "P5: that it has ended is seen without waiting for its thread");
	bell_ring(&scene.is_looked_at);
	pv_job_run_end(scene.run, &end);
	ok(end.end == PAVANE_FINISHED && !end.has_changed, "and how");
	pv_job_run_stop(scene.run);
	pv_job_run_destroy(scene.run);
	pavane_runtime_close(scene.runtime);
	bell_finish(&scene.is_looked_at);
	scratch_remove(&scene.scratch);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_end(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}
