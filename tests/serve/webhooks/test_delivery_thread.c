#include "serve/webhooks/delivery_thread.h"

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
	char url[100];
	struct pv_webhook entry;
	struct pv_webhook_table table;
	struct pv_job_store *jobs;
	struct pv_delivery_thread *thread;
};

static const char *secrets[] = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
static const char *local[] = {"127.0.0.0/8"};

static const struct server_route routes[] = {
    {.path = "/in", .answer = {.status = 204}}};

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
	snprintf(scene->url, sizeof(scene->url), "http://127.0.0.1:%u/in",
	    (unsigned)server_port(scene->server));
	scene->entry = (struct pv_webhook){
	    .name = "team",
	    .url = scene->url,
	    .secrets = {secrets, 1},
	    .events = PV_WEBHOOK_STATES,
	    .retry_for_ms = 1000,
	    .allow = {local, 1},
	};
	scene->table = (struct pv_webhook_table){&scene->entry, 1};
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

static void add_job(struct scene *scene, const char *id)
{
	const struct pv_job_record job = {
	    .id = pv_str_of(id),
	    .owner = PV_STR(""),
	    .profile = PV_STR(""),
	    .policy = PV_STR(""),
	    .urls = PV_STR(""),
	    .settings = PV_STR(""),
	    .labels = PV_STR("{}"),
	    .webhook = PV_STR("team"),
	};
	const struct pv_job_key none = {.key = {"", 0}};
	pv_job_store_add(scene->jobs, &job, &none);
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
	return tap_done();
}
