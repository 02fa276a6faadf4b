#include "store/service/webhook_store.h"

#include "scratch.h"
#include "store/schema.h"
#include "store/statement.h"
#include "tap.h"

/* What is outstanding of jobs, on the disk: written with the jobs, read on a
 * connection of its own. */
struct scene {
	struct scratch scratch;
	struct pv_job_store *jobs;
	struct pv_webhook_store *store;
	struct pv_arena arena;
	char seen[1000];
};

static void open_scene(struct scene *scene)
{
	scratch_make(&scene->scratch);
	pv_arena_init(&scene->arena);
	scene->jobs = pv_job_store_open(scene->scratch.path, NULL);
	scene->store = pv_webhook_store_open(scene->scratch.path, NULL);
}

static void close_scene(struct scene *scene)
{
	pv_webhook_store_close(scene->store);
	pv_job_store_close(scene->jobs);
	pv_arena_finish(&scene->arena);
	scratch_remove(&scene->scratch);
}

static void add(struct scene *scene, const char *id, const char *webhook)
{
	const struct pv_job_record job = {
	    .id = pv_str_of(id),
	    .owner = PV_STR("me"),
	    .profile = PV_STR(""),
	    .policy = PV_STR(""),
	    .urls = PV_STR("https://a.test/"),
	    .settings = PV_STR(""),
	    .labels = PV_STR("{}"),
	    .webhook = pv_str_of(webhook),
	    .created_ms = 1000,
	};
	const struct pv_job_key none = {.key = {"", 0}};
	pv_job_store_add(scene->jobs, &job, &none);
}

static void set(struct scene *scene, const char *id, enum pv_job_state state)
{
	pv_job_store_set_state(scene->jobs, pv_str_of(id), state,
	    pv_job_state_is_end(state) ? PV_STR("so") : PV_STR(""), 2000);
}

static bool note_job(void *ctx, const struct pv_webhook_job_record *job)
{
	struct scene *scene = ctx;
	size_t len = strlen(scene->seen);
	snprintf(scene->seen + len, sizeof(scene->seen) - len, "%.*s@%.*s=%s ",
	    PV_STR_ARG(job->id), PV_STR_ARG(job->webhook),
	    pv_job_state_word(job->state));
	return true;
}

static bool note_event(void *ctx, const struct pv_webhook_event *event)
{
	struct scene *scene = ctx;
	size_t len = strlen(scene->seen);
	snprintf(scene->seen + len, sizeof(scene->seen) - len,
	    "%.*s=%s:%.*s:%lld ", PV_STR_ARG(event->job),
	    pv_job_state_word(event->state), PV_STR_ARG(event->reason),
	    (long long)event->at_ms);
	return true;
}

static bool note_position(void *ctx, const struct pv_webhook_position *position)
{
	struct scene *scene = ctx;
	size_t len = strlen(scene->seen);
	snprintf(scene->seen + len, sizeof(scene->seen) - len,
	    "%.*s %llu-%llu %.*s %u %lld %lld %.*s;",
	    PV_STR_ARG(position->stream),
	    (unsigned long long)position->position,
	    (unsigned long long)position->until, PV_STR_ARG(position->id),
	    position->tries, (long long)position->made_ms,
	    (long long)position->next_ms, PV_STR_ARG(position->ended));
	return true;
}

static const char *jobs_of(struct scene *scene)
{
	scene->seen[0] = '\0';
	pv_webhook_store_each_job(scene->store, note_job, scene);
	return scene->seen;
}

static const char *events_of(struct scene *scene, uint64_t after)
{
	scene->seen[0] = '\0';
	pv_webhook_store_each_event(scene->store, after, note_event, scene);
	return scene->seen;
}

static const char *positions_of(struct scene *scene, const char *id)
{
	scene->seen[0] = '\0';
	pv_webhook_store_each_position(
	    scene->store, pv_str_of(id), note_position, scene);
	return scene->seen;
}

static bool put(struct scene *scene, const char *id, const char *stream,
    uint64_t place, const char *ended)
{
	const struct pv_webhook_position position = {
	    .job = pv_str_of(id),
	    .stream = pv_str_of(stream),
	    .position = place,
	    .id = PV_STR("msg_1"),
	    .until = place + 10,
	    .made_ms = 1,
	    .tries = 2,
	    .next_ms = 3,
	    .ended = pv_str_of(ended),
	};
	return pv_webhook_store_put(scene->store, &position);
}

static void test_events(void)
{
	struct scene scene;
	struct pv_webhook_event event;
	open_scene(&scene);
	add(&scene, "one", "team");
	add(&scene, "two", "");
	set(&scene, "one", PV_JOB_RUNNING);
	set(&scene, "one", PV_JOB_RUNNING);
	set(&scene, "two", PV_JOB_RUNNING);
	set(&scene, "one", PV_JOB_FINISHED);
	is_text(pv_str_of(jobs_of(&scene)), "one@team=finished ",
	    "a job that has a webhook is outstanding");
	is_text(pv_str_of(events_of(&scene, 0)),
	    "one=queued::1000 one=running::2000 one=finished:so:2000 ",
	    "each state that it came to is an event, and no other");
	is_text(pv_str_of(events_of(&scene, 2)), "one=finished:so:2000 ",
	    "they are heard from a number on");
	ok(pv_webhook_store_last_event(scene.store) == 3 &&
		pv_webhook_store_last_event_of(scene.store, PV_STR("one")) ==
		    3 &&
		!pv_webhook_store_last_event_of(scene.store, PV_STR("two")),
	    "the last one is known, of all and of a job");
	ok(pv_webhook_store_next_event(
	       scene.store, PV_STR("one"), 1, &scene.arena, &event) &&
		event.state == PV_JOB_RUNNING &&
		!pv_webhook_store_next_event(
		    scene.store, PV_STR("one"), 3, &scene.arena, &event),
	    "and the one behind another");
	close_scene(&scene);
}

static void test_positions(void)
{
	struct scene scene;
	struct pv_webhook_job_record job;
	open_scene(&scene);
	add(&scene, "one", "team");
	ok(put(&scene, "one", "journal", 100, "") &&
		put(&scene, "one", "states", 1, "") &&
		put(&scene, "one", "journal", 110, "gone"),
	    "positions are written");
	is_text(pv_str_of(positions_of(&scene, "one")),
	    "journal 110-120 msg_1 2 1 3 gone;states 1-11 msg_1 2 1 3 ;",
	    "P3: and found as they were written last");
	ok(!put(&scene, "two", "journal", 1, ""),
	    "but none of a job that is not there");
	ok(pv_webhook_store_settle(scene.store, PV_STR("one")) &&
		!*jobs_of(&scene),
	    "a job of which nothing is left is outstanding no more");
	ok(pv_webhook_store_get_job(
	       scene.store, PV_STR("one"), &scene.arena, &job) &&
		!job.is_outstanding,
	    "though it is there");
	ok(pv_webhook_store_begin_again(scene.store, PV_STR("one"), false),
	    "it may begin again");
	is_text(pv_str_of(positions_of(&scene, "one")),
	    "journal 110-120 msg_1 0 1 0 ;states 1-11 msg_1 0 1 0 ;",
	    "from where it stands, also what had ended");
	ok(pv_webhook_store_begin_again(scene.store, PV_STR("one"), true) &&
		!*positions_of(&scene, "one") && *jobs_of(&scene),
	    "or from its start");
	ok(!pv_webhook_store_begin_again(scene.store, PV_STR("two"), true),
	    "which one that is not there does not");
	close_scene(&scene);
}

/* One that has failed, and all of it was delivered. */
static void test_resumed(void)
{
	struct scene scene;
	open_scene(&scene);
	add(&scene, "one", "team");
	add(&scene, "two", "");
	set(&scene, "one", PV_JOB_FAILED);
	set(&scene, "two", PV_JOB_FAILED);
	pv_webhook_store_settle(scene.store, PV_STR("one"));
	set(&scene, "one", PV_JOB_FAILED);
	ok(!*jobs_of(&scene), "a job that only fails again owes no more");
	set(&scene, "one", PV_JOB_QUEUED);
	set(&scene, "two", PV_JOB_QUEUED);
	is_text(pv_str_of(jobs_of(&scene)), "one@team=queued ",
	    "P3: one that goes on is outstanding again, if it has a webhook");
	close_scene(&scene);
}

static void test_removed(void)
{
	struct scene scene;
	struct pv_webhook_job_record job;
	open_scene(&scene);
	add(&scene, "one", "team");
	put(&scene, "one", "journal", 100, "");
	pv_job_store_remove(scene.jobs, PV_STR("one"));
	ok(!*jobs_of(&scene) && !*events_of(&scene, 0) &&
		!*positions_of(&scene, "one"),
	    "with a job all of that is removed");
	ok(!pv_webhook_store_get_job(
	       scene.store, PV_STR("one"), &scene.arena, &job),
	    "and it is found no more");
	ok(pv_webhook_store_status(scene.store) == PV_STORE_OK,
	    "which is no fault");
	close_scene(&scene);
}

/* As the first version made it. */
static void test_older(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_job_store *store = pv_job_store_open(scratch.path, NULL);
	pv_job_store_close(store);
	struct pv_database *database =
	    pv_database_open(scratch_file(&scratch, "jobs.db"));
	pv_database_run(database,
	    "DROP INDEX jobs_by_deliveries;"
	    "DROP TABLE webhook_events;"
	    "DROP TABLE webhook_positions;"
	    "DROP TABLE paused_hosts;"
	    "ALTER TABLE jobs DROP COLUMN webhook;"
	    "ALTER TABLE jobs DROP COLUMN owes_deliveries;"
	    "INSERT INTO jobs VALUES (1, 'old', 'me', '', '', '', '', '{}', 0, "
	    "'', 1, 0, 0);"
	    "PRAGMA user_version = 1");
	ok(pv_database_status(database) == PV_STORE_OK,
	    "there is a file of the first version");
	pv_database_close(database);
	struct pv_arena arena;
	struct pv_job_record job = {.number = 0};
	pv_arena_init(&arena);
	store = pv_job_store_open(scratch.path, NULL);
	ok(store && pv_job_store_get(store, PV_STR("old"), &arena, &job) &&
		!job.webhook.len,
	    "P3: its jobs are there in the next one, without a webhook");
	ok(store && pv_job_store_set_state(
			store, PV_STR("old"), PV_JOB_FINISHED, PV_STR(""), 5),
	    "and go on");
	pv_job_store_close(store);
	pv_arena_finish(&arena);
	scratch_remove(&scratch);
}

int main(void)
{
	test_events();
	test_positions();
	test_resumed();
	test_removed();
	test_older();
	return tap_done();
}
