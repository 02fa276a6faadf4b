#include "serve/webhooks/delivery_thread.h"

#include <poll.h>

#include "base/system.h"
#include "crawl/patience.h"
#include "policy/loaded.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* The thread, with its network and its clock: a job is heard of when it rings. */

#define SECONDS 60

struct scene {
	struct scratch scratch;
	struct server *server;
	struct loaded loaded;
	char urls[4][100];
	struct pv_webhook entries[4];
	struct pv_webhook_table table;
	struct pv_job_store *jobs;
	struct pv_delivery_thread *thread;
};

static const char *secrets[] = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
static const char *local[] = {"127.0.0.0/8"};

static const struct server_route routes[] = {
    {.path = "/in", .answer = {.status = 204}},
    {.path = "/silent", .answer = {.fault = {SERVER_STALL, SERVER_BEFORE, 0}}},
    {.path = "/endless", .answer = {.extra_count = SERVER_ENDLESS}},
    {.path = "/large",
	.answer = {.status = 200, .kind = SERVER_PATTERN, .size = 10 << 20}},
};

static const char *const names[] = {"team", "silent", "endless", "large"};

static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return pv_time_now().wall_ms;
}

static void give_chance(void *ctx, void *bytes, size_t size)
{
	(void)ctx;
	memset(bytes, 7, size);
}

static void note_line(
    void *ctx, enum pavane_level level, struct pv_str about, const char *line)
{
	(void)ctx;
	(void)level;
	printf("# %.*s: %s\n", PV_STR_ARG(about), line);
}

static void start(struct scene *scene)
{
	const struct pv_delivery_plan plan = {
	    .webhooks =
		{
		    .directory = scene->scratch.path,
		    .table = &scene->table,
		    .now_ms = now_ms,
		    .random = give_chance,
		    .log = note_line,
		    .ctx = scene,
		},
	    .policy = scene->loaded.policy,
	};
	scene->thread = pv_delivery_thread_start(&plan, NULL);
}

static void open_scene(struct scene *scene)
{
	*scene = (struct scene){.server = server_start(&(struct server_plan){
				    SERVER_ROUTES(routes)})};
	scratch_make(&scene->scratch);
	scene->loaded = load_text("version: 1\nseeds: [\"http://a.test/\"]\n"
				  "identity: {contact: bot@example.org}\n");
	for (size_t i = 0; i < 4; i++) {
		snprintf(scene->urls[i], sizeof(scene->urls[i]),
		    "http://127.0.0.1:%u/%s",
		    (unsigned)server_port(scene->server), i ? names[i] : "in");
		scene->entries[i] = (struct pv_webhook){
		    .name = names[i],
		    .url = scene->urls[i],
		    .secrets = {secrets, 1},
		    .events = PV_WEBHOOK_STATES,
		    .retry_for_ms = 1000,
		    .allow = {local, 1},
		};
	}
	scene->table = (struct pv_webhook_table){scene->entries, 4};
	scene->jobs = pv_job_store_open(scene->scratch.path, NULL);
}

static void close_scene(struct scene *scene)
{
	pv_delivery_thread_stop(scene->thread);
	pv_job_store_close(scene->jobs);
	loaded_finish(&scene->loaded);
	scratch_remove(&scene->scratch);
	server_stop(scene->server);
}

static void add_job_of(struct scene *scene, const char *id, const char *webhook)
{
	const struct pv_job_record job = {
	    .id = pv_str_of(id),
	    .owner = PV_STR(""),
	    .profile = PV_STR(""),
	    .policy = PV_STR(""),
	    .urls = PV_STR(""),
	    .settings = PV_STR(""),
	    .labels = PV_STR("{}"),
	    .webhook = pv_str_of(webhook),
	};
	const struct pv_job_key none = {.key = {"", 0}};
	pv_job_store_add(scene->jobs, &job, &none);
}

static void add_job(struct scene *scene, const char *id)
{
	add_job_of(scene, id, "team");
}

static unsigned count_path(struct scene *scene, const char *path)
{
	struct server_record record;
	unsigned count = 0;
	for (size_t i = 0; server_log_get(scene->server, i, &record); i++)
		count += pv_str_equal(record.target, pv_str_of(path));
	return count;
}

/* Each of the others has as many deliveries under way as it may, and more that
 * wait, before the one that answers has any. */
static void test_hostile_receivers(void)
{
	struct scene scene;
	char id[40];
	unsigned at_once = PV_WEBHOOK_IN_FLIGHT_MAX;
	open_scene(&scene);
	for (unsigned i = 0; i < 3 * 2 * at_once; i++) {
		snprintf(id, sizeof(id), "hostile%u", i);
		add_job_of(&scene, id, names[1 + i % 3]);
	}
	end_after(SECONDS);
	start(&scene);
	while (count_path(&scene, "/silent") < at_once ||
	       count_path(&scene, "/endless") < 2 * at_once ||
	       count_path(&scene, "/large") < 2 * at_once)
		poll(NULL, 0, 1);
	ok(true, "P5: headers and bodies without end end by themselves");
	for (unsigned i = 0; i < 20; i++) {
		snprintf(id, sizeof(id), "good%u", i);
		add_job(&scene, id);
	}
	pv_delivery_thread_ring(scene.thread);
	while (count_path(&scene, "/in") < 20)
		poll(NULL, 0, 1);
	ok(count_path(&scene, "/silent") == at_once,
	    "who answers is told of all while others are silent");
	end_after(0);
	close_scene(&scene);
}

int main(void)
{
	struct scene scene;
	open_scene(&scene);
	add_job(&scene, "before");
	end_after(SECONDS);
	start(&scene);
	ok(scene.thread != NULL, "a thread is started");
	ok(server_wait(scene.server, 1, SECONDS * 1000),
	    "P3: what was there before is delivered");
	add_job(&scene, "then");
	pv_delivery_thread_ring(scene.thread);
	ok(server_wait(scene.server, 2, SECONDS * 1000),
	    "and what comes, as soon as it rings");
	ok(pv_webhooks_redeliver(pv_delivery_thread_webhooks(scene.thread),
	       PV_STR("then"), true) == PV_WEBHOOKS_DONE,
	    "requests are taken on any thread");
	pv_delivery_thread_ring(scene.thread);
	ok(server_wait(scene.server, 3, SECONDS * 1000),
	    "and carried out by this one");
	end_after(0);
	close_scene(&scene);
	pv_delivery_thread_ring(NULL);
	pv_delivery_thread_stop(NULL);
	test_hostile_receivers();
	return tap_done();
}
