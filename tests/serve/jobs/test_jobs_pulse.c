#include "serve/jobs/jobs_state.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>

#include "api/policy_object.h"
#include "bell.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* Whether jobs are alive, by a clock of the test's: a crawl is held up in what it
 * calls, and the keeper where it reads a policy. */

#define SECONDS 60
#define MINUTE (INT64_C(60) * 1000)
#define HOUR (60 * MINUTE)

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/*",
	.answer = {.body = "<a href='{n}1'>1</a><a href='{n}2'>2</a>",
	    .is_template = true}},
};

struct scene {
	struct server *server;
	struct scratch scratch;
	struct pv_jobs *jobs;
	struct pv_arena arena;
	atomic_bool has_gate; /* the keeper waits */
	struct bell is_at_gate;
	struct bell is_gate_open;
};

static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return 1000000;
}

static void give_chance(void *ctx, void *bytes, size_t size)
{
	(void)ctx;
	if (getrandom(bytes, size, 0) != (ssize_t)size)
		abort();
}

static struct pavane_policy *load(void *ctx, const struct pv_job_record *job)
{
	static const struct pv_setting settings[] = {
	    {NULL, "identity.contact=bot@example.org"},
	    {NULL, "fetch.private=all"}};
	static const char *const names[] = {"set", "set"};
	struct scene *scene = ctx;
	char url[100];
	(void)job;
	if (atomic_load(&scene->has_gate)) {
		bell_ring(&scene->is_at_gate);
		bell_wait(&scene->is_gate_open);
	}
	snprintf(url, sizeof(url), "http://127.0.0.1:%u/",
	    (unsigned)server_port(scene->server));
	const char *const addresses[] = {url};
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

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	printf("# %s\n", line);
}

static void open_scene(struct scene *scene, struct server *server)
{
	struct pv_why why;
	*scene = (struct scene){.server = server};
	scratch_make(&scene->scratch);
	pv_arena_init(&scene->arena);
	bell_init(&scene->is_at_gate);
	bell_init(&scene->is_gate_open);
	const struct pv_jobs_plan plan = {
	    .directory = scene->scratch.path,
	    .running = 2,
	    .queued = 5,
	    .per_token = 5,
	    .keep_ms = HOUR,
	    .disk = PV_NONE,
	    .state_dir = scene->scratch.path,
	    .now_ms = now_ms,
	    .random = give_chance,
	    .load = load,
	    .on_line = on_line,
	    .ctx = scene,
	};
	pv_why_init(&why);
	scene->jobs = pv_jobs_open(&plan, &why);
	if (!scene->jobs || !pv_jobs_start(scene->jobs, &why))
		abort();
	pv_why_finish(&why);
}

static void close_scene(struct scene *scene)
{
	pv_jobs_close(scene->jobs);
	bell_finish(&scene->is_at_gate);
	bell_finish(&scene->is_gate_open);
	pv_arena_finish(&scene->arena);
	scratch_remove(&scene->scratch);
}

static void add(struct scene *scene)
{
	struct pv_job_record job = {.labels = PV_STR("{}")};
	struct pv_job_key key = {.key = PV_STR("")};
	if (pv_jobs_add(scene->jobs, &job, &key, &scene->arena) != PV_JOBS_DONE)
		abort();
}

/* The only crawl, once it is open and has told something. */
static struct pv_job_run *wait_for_run(struct scene *scene)
{
	struct pv_job_run *run = NULL;
	struct pv_buf json;
	pv_buf_init(&json, 1 << 20);
	do {
		poll(NULL, 0, 1);
		pthread_mutex_lock(&scene->jobs->mutex);
		if (scene->jobs->open_count)
			run = scene->jobs->open[0].run;
		if (run)
			pv_job_run_write_progress(run, &json);
		pthread_mutex_unlock(&scene->jobs->mutex);
	} while (!json.len);
	pv_buf_finish(&json);
	return run;
}

/* It tells its progress by this mutex: while it is held, it does not go on. */
static void test_crawl(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	ok(pv_jobs_are_alive(scene.jobs, -2 * HOUR),
	    "without jobs all is well");
	while (!pv_jobs_are_alive(scene.jobs, 0))
		poll(NULL, 0, 1);
	ok(true, "and stays so: a look has the keeper go round");
	add(&scene);
	struct pv_job_run *run = wait_for_run(&scene);
	ok(pv_jobs_are_alive(scene.jobs, MINUTE), "a crawl that runs is alive");
	ok(pv_job_run_is_alive(run, 2 * MINUTE - 1000),
	    "also when it says nothing for a while");
	pthread_mutex_lock(&scene.jobs->mutex);
	/* Its thread waits when it has told once more. */
	int64_t now = 3 * MINUTE;
	int looks = 1;
	for (; looks < 4 && pv_job_run_is_alive(run, now); looks++)
		now += MINUTE + 1;
	ok(looks < 4, "P6: one whose loop stands still for a minute is not");
	pthread_mutex_unlock(&scene.jobs->mutex);
	while (!pv_jobs_are_alive(scene.jobs, now))
		poll(NULL, 0, 1);
	ok(true, "it is again when its loop turns");
	close_scene(&scene);
}

static void test_keeper(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	atomic_store(&scene.has_gate, true);
	add(&scene);
	bell_wait(&scene.is_at_gate);
	ok(pv_jobs_are_alive(scene.jobs, 0) &&
		pv_jobs_are_alive(scene.jobs, HOUR),
	    "opening a job may take an hour");
	ok(!pv_jobs_are_alive(scene.jobs, HOUR + 1), "and not longer");
	atomic_store(&scene.has_gate, false);
	bell_ring(&scene.is_gate_open);
	while (!pv_jobs_are_alive(scene.jobs, HOUR + 2))
		poll(NULL, 0, 1);
	ok(true, "a keeper that goes on is alive again");
	pv_jobs_end(scene.jobs);
	ok(pv_jobs_are_alive(scene.jobs, 9 * HOUR),
	    "and when all has ended, nobody is missed");
	close_scene(&scene);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_crawl(server);
	test_keeper(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}
