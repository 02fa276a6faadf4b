#include "store/service/job_store.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "scratch.h"
#include "tap.h"

/* Jobs on the disk. */

struct scene {
	struct scratch scratch;
	struct pv_job_store *store;
	struct pv_arena arena;
};

static void open_scene(struct scene *scene)
{
	scratch_make(&scene->scratch);
	pv_arena_init(&scene->arena);
	scene->store = pv_job_store_open(scene->scratch.path, NULL);
}

static void open_again(struct scene *scene)
{
	pv_job_store_close(scene->store);
	scene->store = pv_job_store_open(scene->scratch.path, NULL);
}

static void close_scene(struct scene *scene)
{
	pv_job_store_close(scene->store);
	pv_arena_finish(&scene->arena);
	scratch_remove(&scene->scratch);
}

static struct pv_job_record job_of(const char *id, const char *owner)
{
	return (struct pv_job_record){
	    .id = pv_str_of(id),
	    .owner = pv_str_of(owner),
	    .profile = PV_STR("docs"),
	    .policy = PV_STR("version: 1\n"),
	    .urls = PV_STR("https://a.test/\nhttps://b.test/"),
	    .settings = PV_STR("rate.max_rate=5"),
	    .labels = PV_STR("{\"for\":\"us\"}"),
	    .created_ms = 1000,
	};
}

static bool add(struct scene *scene, const char *id, const char *owner)
{
	struct pv_job_record job = job_of(id, owner);
	const struct pv_job_key none = {.key = {"", 0}};
	return pv_job_store_add(scene->store, &job, &none);
}

static bool set(
    struct scene *scene, const char *id, enum pv_job_state state, int64_t now)
{
	return pv_job_store_set_state(scene->store, pv_str_of(id), state,
	    pv_job_state_is_end(state) ? PV_STR("so") : PV_STR(""), now);
}

static struct pv_job_record get(struct scene *scene, const char *id)
{
	struct pv_job_record job = {.number = 0};
	pv_job_store_get(scene->store, pv_str_of(id), &scene->arena, &job);
	return job;
}

static void test_one(void)
{
	struct scene scene;
	open_scene(&scene);
	ok(scene.store != NULL, "a file is made");
	ok(add(&scene, "one", "me"), "a job is added");
	open_again(&scene);
	struct pv_job_record job = get(&scene, "one");
	ok(job.number == 1 && job.state == PV_JOB_QUEUED &&
		job.created_ms == 1000 && !job.started_ms && !job.ended_ms,
	    "P3: it is there after the file was opened again");
	is_text(job.owner, "me", "with who asked for it");
	is_text(job.policy, "version: 1\n", "with its policy");
	is_text(job.urls, "https://a.test/\nhttps://b.test/", "its addresses");
	is_text(job.settings, "rate.max_rate=5", "its settings");
	is_text(job.labels, "{\"for\":\"us\"}", "and its labels");
	ok(!get(&scene, "two").number, "another is not there");
	ok(!add(&scene, "one", "me"), "an id is given once");
	close_scene(&scene);
}

static void test_states(void)
{
	struct scene scene;
	struct pv_job_record next;
	open_scene(&scene);
	add(&scene, "one", "me");
	add(&scene, "two", "you");
	ok(pv_job_store_next(scene.store, &scene.arena, &next) &&
		pv_str_equal(next.id, PV_STR("one")),
	    "the first that is queued comes first");
	ok(set(&scene, "one", PV_JOB_RUNNING, 2000), "it runs");
	ok(pv_job_store_next(scene.store, &scene.arena, &next) &&
		pv_str_equal(next.id, PV_STR("two")),
	    "then the next one");
	ok(pv_job_store_count(scene.store, PV_JOB_RUNNING) == 1 &&
		pv_job_store_count(scene.store, PV_JOB_QUEUED) == 1,
	    "states are counted");
	set(&scene, "one", PV_JOB_PAUSED, 2500);
	set(&scene, "one", PV_JOB_RUNNING, 3000);
	ok(pv_job_store_count_open(scene.store, PV_STR("me")) == 1,
	    "one that has not ended is its owner's");
	set(&scene, "one", PV_JOB_FINISHED, 4000);
	struct pv_job_record job = get(&scene, "one");
	ok(job.started_ms == 2000 && job.ended_ms == 4000,
	    "it has begun once, and has ended");
	is_text(job.reason, "so", "for a reason");
	ok(pv_job_store_count_open(scene.store, PV_STR("me")) == 0,
	    "one that has ended counts no more");
	ok(!set(&scene, "none", PV_JOB_RUNNING, 1),
	    "one that is not there has no state");
	ok(pv_job_store_remove(scene.store, PV_STR("one")) &&
		!pv_job_store_remove(scene.store, PV_STR("one")) &&
		!get(&scene, "one").number,
	    "a job is removed, once");
	set(&scene, "two", PV_JOB_RUNNING, 1);
	ok(!pv_job_store_next(scene.store, &scene.arena, &next),
	    "when none is queued there is no next one");
	close_scene(&scene);
}

static bool write_id(void *ctx, const struct pv_job_record *job)
{
	struct pv_buf *buf = ctx;
	pv_buf_append(buf, job->id);
	pv_buf_append_char(buf, ' ');
	return buf->len < 8;
}

static void test_each(void)
{
	struct scene scene;
	struct pv_buf ids;
	struct pv_str me = PV_STR("me");
	open_scene(&scene);
	pv_buf_init(&ids, 1000);
	add(&scene, "one", "me");
	add(&scene, "two", "you");
	add(&scene, "six", "me");
	add(&scene, "ten", "me");
	pv_job_store_each(scene.store, 0, NULL, write_id, &ids);
	is_text(pv_buf_str(&ids), "one two ",
	    "jobs come in their order, until there are enough");
	pv_buf_clear(&ids);
	pv_job_store_each(scene.store, 2, NULL, write_id, &ids);
	is_text(pv_buf_str(&ids), "six ten ", "from where one likes");
	pv_buf_clear(&ids);
	pv_job_store_each(scene.store, 0, &me, write_id, &ids);
	is_text(pv_buf_str(&ids), "one six ", "and of whom one likes");
	pv_buf_clear(&ids);
	pv_job_store_each_back(scene.store, 0, NULL, write_id, &ids);
	is_text(pv_buf_str(&ids), "ten six ", "or from the newest on");
	pv_buf_clear(&ids);
	pv_job_store_each_back(scene.store, 3, NULL, write_id, &ids);
	is_text(pv_buf_str(&ids), "two one ", "or before one");
	pv_buf_finish(&ids);
	close_scene(&scene);
}

static void test_keys(void)
{
	struct scene scene;
	struct pv_str id = {"", 0};
	bool is_same = false;
	struct pv_job_record job = job_of("one", "me");
	struct pv_job_key key = {
	    .owner = PV_STR("me"), .key = PV_STR("k"), .digest = {1}};
	open_scene(&scene);
	ok(!pv_job_store_find_key(
	       scene.store, &key, 0, &scene.arena, &id, &is_same),
	    "a new key was not answered");
	pv_job_store_add(scene.store, &job, &key);
	open_again(&scene);
	ok(pv_job_store_find_key(
	       scene.store, &key, 0, &scene.arena, &id, &is_same) &&
		is_same && pv_str_equal(id, PV_STR("one")),
	    "P3: the same request gets the same job, also after a restart");
	key.digest[0] = 2;
	ok(pv_job_store_find_key(
	       scene.store, &key, 0, &scene.arena, &id, &is_same) &&
		!is_same,
	    "another request with that key is seen");
	key.owner = PV_STR("you");
	ok(!pv_job_store_find_key(
	       scene.store, &key, 0, &scene.arena, &id, &is_same),
	    "keys are their owner's");
	key.owner = PV_STR("me");
	ok(!pv_job_store_find_key(
	       scene.store, &key, 1001, &scene.arena, &id, &is_same),
	    "what is too old does not count");
	pv_job_store_forget_keys(scene.store, 1001);
	ok(!pv_job_store_find_key(
	       scene.store, &key, 0, &scene.arena, &id, &is_same),
	    "and is forgotten");
	close_scene(&scene);
}

static void test_foreign(void)
{
	struct scene scene;
	struct pv_why why;
	open_scene(&scene);
	pv_job_store_close(scene.store);
	pv_file_replace(scratch_file(&scene.scratch, "jobs.db"),
	    PV_STR("this is no database, but a text that is long enough"),
	    0600);
	pv_why_init(&why);
	scene.store = pv_job_store_open(scene.scratch.path, &why);
	ok(!scene.store && why.problems.count == 1,
	    "another file of that name is refused: %s",
	    why.problems.count ? why.problems.kept[0].text : "");
	pv_why_finish(&why);
	close_scene(&scene);
}

int main(void)
{
	test_one();
	test_states();
	test_each();
	test_keys();
	test_foreign();
	return tap_done();
}
