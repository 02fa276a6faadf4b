#include "serve/webhooks/fetch_deliveries.h"

#include "base/json/json.h"
#include "policy/values/value.h"
#include "scratch.h"
#include "serve/webhooks/webhooks.h"
#include "tap.h"

/* What webhooks are told of fetches, over days and without a network: messages lie
 * where the test sees them until it answers them. */

#define SECOND INT64_C(1000)
#define HOUR (3600 * SECOND)
#define LYING_MAX 64

struct scene {
	struct scratch scratch;
	struct pv_webhook entries[2];
	struct pv_webhook_table table;
	struct pv_job_store *jobs;
	struct pv_fetch_store *fetches;
	struct pv_webhooks *webhooks;
	int64_t now;
	uint64_t chance;
	struct pv_webhook_message *lying[LYING_MAX];
	size_t lying_count;
};

static const char *secrets[] = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};

static int64_t now_ms(void *ctx)
{
	return ((struct scene *)ctx)->now;
}

static void give_chance(void *ctx, void *bytes, size_t size)
{
	struct scene *scene = ctx;
	scene->chance++;
	memset(bytes, 0, size);
	memcpy(bytes, &scene->chance,
	    size < sizeof(scene->chance) ? size : sizeof(scene->chance));
}

static void lay_down(void *ctx, struct pv_webhook_message *message)
{
	struct scene *scene = ctx;
	scene->lying[scene->lying_count++] = message;
}

static void note_line(
    void *ctx, enum pavane_level level, struct pv_str about, const char *line)
{
	(void)ctx;
	(void)level;
	printf("# %.*s: %s\n", PV_STR_ARG(about), line);
}

static void open_webhooks(struct scene *scene)
{
	const struct pv_webhooks_plan plan = {
	    .directory = scene->scratch.path,
	    .table = &scene->table,
	    .now_ms = now_ms,
	    .random = give_chance,
	    .send = lay_down,
	    .log = note_line,
	    .ctx = scene,
	};
	scene->webhooks = pv_webhooks_open(&plan, NULL);
}

static void open_scene(struct scene *scene)
{
	*scene = (struct scene){.now = 1000000 * SECOND};
	scratch_make(&scene->scratch);
	for (size_t i = 0; i < 2; i++)
		scene->entries[i] = (struct pv_webhook){
		    .name = i ? "other" : "team",
		    .url = "https://example.org/",
		    .secrets = {secrets, 1},
		    .events = PV_WEBHOOK_STATES | PV_WEBHOOK_FETCHES,
		    .retry_for_ms = 72 * HOUR,
		};
	scene->table = (struct pv_webhook_table){scene->entries, 2};
	scene->jobs = pv_job_store_open(scene->scratch.path, NULL);
	scene->fetches = pv_fetch_store_open(scene->scratch.path, NULL);
	open_webhooks(scene);
}

static void drop_lying(struct scene *scene)
{
	while (scene->lying_count)
		pv_webhook_message_destroy(scene->lying[--scene->lying_count]);
}

static void close_scene(struct scene *scene)
{
	pv_webhooks_close(scene->webhooks);
	drop_lying(scene);
	pv_fetch_store_close(scene->fetches);
	pv_job_store_close(scene->jobs);
	scratch_remove(&scene->scratch);
}

/* As a kill does: what is under way is not heard of any more. */
static void open_again(struct scene *scene)
{
	pv_webhooks_close(scene->webhooks);
	drop_lying(scene);
	open_webhooks(scene);
}

static uint64_t add(struct scene *scene, const char *id, const char *webhook)
{
	struct pv_fetch fetch = {
	    .id = pv_str_of(id),
	    .owner = PV_STR(""),
	    .profile = PV_STR(""),
	    .url = PV_STR("http://a.test/"),
	    .at = PV_STR("http://a.test/"),
	    .webhook = pv_str_of(webhook),
	    .created_ms = scene->now,
	    .key = PV_STR(""),
	};
	pv_fetch_store_begin(scene->fetches);
	pv_fetch_store_add(scene->fetches, &fetch);
	pv_fetch_store_commit(scene->fetches);
	return fetch.number;
}

static void end_fetch(struct scene *scene, uint64_t number)
{
	const struct pv_fetch_end end = {
	    .state = PV_FETCH_DONE,
	    .answer = PV_STR("{\"outcome\":\"answered\",\"status\":200}"),
	    .rows = PV_STR("[{\"a\":1}]"),
	    .now_ms = scene->now,
	};
	pv_fetch_store_begin(scene->fetches);
	pv_fetch_store_end(scene->fetches, number, &end);
	pv_fetch_store_commit(scene->fetches);
}

static int64_t turn(struct scene *scene)
{
	return pv_webhooks_turn(scene->webhooks);
}

/* The last that was sent. */
static const char *body_of(const struct scene *scene)
{
	return scene->lying_count
		   ? pv_buf_text(&scene->lying[scene->lying_count - 1]->body)
		   : "";
}

static void answer(struct scene *scene, uint16_t status)
{
	const struct pv_webhook_answer answer = {
	    .status = status, .why = status == 200 ? "" : "it answered so"};
	pv_webhooks_on_answer(
	    scene->webhooks, scene->lying[--scene->lying_count], &answer);
}

static void note_waiting(void *ctx, const struct pv_webhook_figures *figures)
{
	uint64_t *waiting = ctx;
	*waiting += figures->waiting;
}

static uint64_t waiting(struct scene *scene)
{
	uint64_t waiting = 0;
	pv_webhooks_each_figures(scene->webhooks, note_waiting, &waiting);
	return waiting;
}

static void test_told(void)
{
	struct scene scene;
	open_scene(&scene);
	uint64_t number = add(&scene, "f1", "team");
	uint64_t silent = add(&scene, "f2", "");
	turn(&scene);
	ok(!scene.lying_count && !waiting(&scene),
	    "a fetch that waits is no news");
	end_fetch(&scene, number);
	end_fetch(&scene, silent);
	turn(&scene);
	ok(scene.lying_count == 1 && waiting(&scene) == 1 &&
		strstr(body_of(&scene), "{\"type\":\"fetch.done\",") &&
		strstr(body_of(&scene), "\"data\":{\"id\":\"f1\"") &&
		strstr(body_of(&scene), "\"status\":200") &&
		strstr(body_of(&scene), "\"rows\":[{\"a\":1}]"),
	    "one that has ended is told as a reply would, if it names a "
	    "webhook");
	answer(&scene, 200);
	ok(turn(&scene) == -1 && !scene.lying_count && !waiting(&scene),
	    "once it has arrived nothing waits");
	open_again(&scene);
	turn(&scene);
	ok(!scene.lying_count, "for the next process neither");
	close_scene(&scene);
}

static void test_retries(void)
{
	struct scene scene;
	char id[100];
	open_scene(&scene);
	end_fetch(&scene, add(&scene, "f1", "team"));
	turn(&scene);
	snprintf(id, sizeof(id), "%s", pv_buf_text(&scene.lying[0]->id));
	open_again(&scene);
	turn(&scene);
	ok(scene.lying_count == 1 &&
		strcmp(pv_buf_text(&scene.lying[0]->id), id) == 0,
	    "P3: after a kill it is sent again, under its id");
	answer(&scene, 500);
	ok(turn(&scene) == 5 * SECOND && !scene.lying_count,
	    "what fails waits as deliveries of jobs do");
	scene.now += 5 * SECOND;
	turn(&scene);
	ok(scene.lying_count == 1 && scene.lying[0]->tries == 1 &&
		strcmp(pv_buf_text(&scene.lying[0]->id), id) == 0,
	    "and is sent again");
	scene.now += 73 * HOUR;
	answer(&scene, 500);
	turn(&scene);
	ok(!scene.lying_count && !waiting(&scene),
	    "until that was tried for as long as retry_for says");
	end_fetch(&scene, add(&scene, "f2", "team"));
	turn(&scene);
	answer(&scene, 410);
	turn(&scene);
	ok(!scene.lying_count && !waiting(&scene), "410 ends it at once");
	end_fetch(&scene, add(&scene, "f3", "team"));
	turn(&scene);
	ok(scene.lying_count == 1, "that of one says nothing of others");
	close_scene(&scene);
}

#define MANY (PV_FETCH_DELIVERIES_MAX * 2)

/* Answers all until nothing is sent any more; how many that were. */
static unsigned deliver_all(struct scene *scene)
{
	unsigned count = 0;
	while (turn(scene) == 0 || scene->lying_count) {
		while (scene->lying_count) {
			answer(scene, 200);
			count++;
		}
	}
	return count;
}

static void test_many(void)
{
	struct scene scene;
	char id[20];
	open_scene(&scene);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(id, sizeof(id), "f%u", i);
		end_fetch(&scene, add(&scene, id, "team"));
	}
	turn(&scene);
	ok(scene.lying_count == PV_WEBHOOK_IN_FLIGHT_MAX,
	    "several are sent side by side");
	ok(waiting(&scene) == MANY &&
		scene.webhooks->jobs.count <= PV_FETCH_DELIVERIES_MAX,
	    "P5: some are in memory, and all are counted");
	end_fetch(&scene, add(&scene, "x", "other"));
	turn(&scene);
	ok(strstr(body_of(&scene), "\"id\":\"x\""),
	    "they hold up no other webhook");
	ok(deliver_all(&scene) == MANY + 1 && !waiting(&scene),
	    "all of them arrive");
	close_scene(&scene);
}

static void test_unwanted(void)
{
	struct scene scene;
	open_scene(&scene);
	scene.entries[0].events = PV_WEBHOOK_STATES;
	end_fetch(&scene, add(&scene, "f1", "team"));
	end_fetch(&scene, add(&scene, "f2", "nobody"));
	turn(&scene);
	turn(&scene);
	ok(!scene.lying_count && !waiting(&scene),
	    "a webhook that does not want them is not told");
	scene.entries[1].name = "nobody";
	open_again(&scene);
	turn(&scene);
	ok(scene.lying_count == 1 && strstr(body_of(&scene), "\"f2\""),
	    "P3: those of one that is not in the configuration wait for it");
	pv_fetch_store_begin(scene.fetches);
	pv_fetch_store_tidy(scene.fetches, scene.now + 1);
	pv_fetch_store_commit(scene.fetches);
	answer(&scene, 500);
	scene.now += HOUR;
	turn(&scene);
	ok(!scene.lying_count && !waiting(&scene),
	    "a fetch that is forgotten is not told any more");
	close_scene(&scene);
}

int main(void)
{
	test_told();
	test_retries();
	test_many();
	test_unwanted();
	return tap_done();
}
