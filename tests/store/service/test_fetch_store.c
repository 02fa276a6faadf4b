#include "store/service/fetch_store.h"

#include <string.h>

#include "scratch.h"
#include "tap.h"

/* fetches.db: what is asked for, what was answered, and what is left over an end. */

struct scene {
	struct scratch scratch;
	struct pv_fetch_store *store;
	struct pv_arena arena;
};

static void open_store(struct scene *scene)
{
	struct pv_why why;
	pv_why_init(&why);
	scene->store = pv_fetch_store_open(scene->scratch.path, &why);
	ok(scene->store != NULL, "the store is opened");
	pv_why_finish(&why);
}

static uint64_t add(struct scene *scene, const char *id, const char *profile,
    const char *url, const char *key)
{
	struct pv_fetch fetch = {
	    .id = pv_str_of(id),
	    .owner = PV_STR("me"),
	    .profile = pv_str_of(profile),
	    .url = pv_str_of(url),
	    .at = pv_str_of(url),
	    .not_before_ms = 50,
	    .created_ms = 100,
	    .key = pv_str_of(key),
	    .digest = {7},
	};
	pv_fetch_store_begin(scene->store);
	pv_fetch_store_add(scene->store, &fetch);
	return pv_fetch_store_commit(scene->store) ? fetch.number : 0;
}

struct count {
	unsigned count;
	uint64_t last;
};

static void count_one(void *ctx, uint64_t number)
{
	struct count *count = ctx;
	count->count++;
	count->last = number;
}

static struct count count_at(
    struct scene *scene, const char *profile, const char *at)
{
	struct count count = {0};
	pv_fetch_store_each_at(
	    scene->store, pv_str_of(profile), pv_str_of(at), count_one, &count);
	return count;
}

static void test_fetches(struct scene *scene)
{
	struct pv_fetch fetch;
	struct count all = {0};
	uint64_t first = add(scene, "one", "", "http://a.test/", "k");
	uint64_t second = add(scene, "two", "news", "http://a.test/", "");
	ok(first == 1 && second == 2, "fetches have numbers in their order");
	ok(pv_fetch_store_get(
	       scene->store, PV_STR("one"), &scene->arena, &fetch) &&
		fetch.number == 1 && fetch.created_ms == 100 &&
		fetch.not_before_ms == 50 && fetch.state == PV_FETCH_WAITING &&
		pv_str_equal(fetch.url, PV_STR("http://a.test/")) &&
		fetch.digest[0] == 7,
	    "one is found as it was added");
	ok(pv_fetch_store_find_key(scene->store, PV_STR("me"), PV_STR("k"), 100,
	       &scene->arena, &fetch) &&
		fetch.number == 1 &&
		!pv_fetch_store_find_key(scene->store, PV_STR("me"),
		    PV_STR("k"), 101, &scene->arena, &fetch) &&
		!pv_fetch_store_find_key(scene->store, PV_STR("you"),
		    PV_STR("k"), 0, &scene->arena, &fetch),
	    "by its key, for its owner and as long as that holds");
	ok(!pv_fetch_store_find_key(scene->store, PV_STR("me"), PV_STR(""), 0,
	       &scene->arena, &fetch),
	    "what has no key is not found by none");
	ok(count_at(scene, "", "http://a.test/").last == 1 &&
		count_at(scene, "news", "http://a.test/").last == 2,
	    "where they wait is told apart by profile");
	pv_fetch_store_begin(scene->store);
	pv_fetch_store_move(scene->store, 1, PV_STR("http://b.test/"), 2);
	pv_fetch_store_commit(scene->store);
	ok(!count_at(scene, "", "http://a.test/").count &&
		count_at(scene, "", "http://b.test/").count == 1,
	    "one waits somewhere else");
	pv_fetch_store_begin(scene->store);
	pv_fetch_store_end(scene->store, 1,
	    &(struct pv_fetch_end){
		PV_FETCH_DONE, PV_STR("{\"a\":1}"), PV_STR("[{}]"), 200});
	pv_fetch_store_end(scene->store, 1,
	    &(struct pv_fetch_end){
		PV_FETCH_FAILED, PV_STR("{}"), PV_STR(""), 300});
	pv_fetch_store_commit(scene->store);
	ok(pv_fetch_store_get_number(scene->store, 1, &scene->arena, &fetch) &&
		fetch.state == PV_FETCH_DONE && fetch.ended_ms == 200 &&
		pv_str_equal(fetch.answer, PV_STR("{\"a\":1}")) &&
		pv_str_equal(fetch.rows, PV_STR("[{}]")),
	    "what has ended once does not end again");
	pv_fetch_store_each_waiting(scene->store, count_one, &all);
	ok(all.count == 1 && all.last == 2 &&
		pv_fetch_store_count_waiting(scene->store) == 1,
	    "one is left that waits");
	pv_fetch_store_begin(scene->store);
	pv_fetch_store_tidy(scene->store, 201);
	pv_fetch_store_commit(scene->store);
	ok(!pv_fetch_store_get_number(scene->store, 1, &scene->arena, &fetch) &&
		pv_fetch_store_get_number(
		    scene->store, 2, &scene->arena, &fetch),
	    "what ended too long ago is forgotten, what waits is not");
}

static void test_answers(struct scene *scene)
{
	struct pv_fetch_answer answer = {
	    .line = PV_STR("{}"), .moved_to = PV_STR(""), .time_ms = 10};
	const struct pv_fetch_answer later = {.line = PV_STR("{\"b\":2}"),
	    .moved_to = PV_STR("http://c.test/"),
	    .time_ms = 20};
	pv_fetch_store_begin(scene->store);
	pv_fetch_store_set_answer(
	    scene->store, PV_STR(""), PV_STR("http://b.test/"), &answer);
	pv_fetch_store_set_answer(
	    scene->store, PV_STR(""), PV_STR("http://b.test/"), &later);
	pv_fetch_store_commit(scene->store);
	ok(pv_fetch_store_get_answer(scene->store, PV_STR(""),
	       PV_STR("http://b.test/"), &scene->arena, &answer) &&
		answer.time_ms == 20 &&
		pv_str_equal(answer.moved_to, later.moved_to) &&
		pv_str_equal(answer.line, later.line),
	    "of an address the last answer counts");
	ok(!pv_fetch_store_get_answer(scene->store, PV_STR("news"),
	       PV_STR("http://b.test/"), &scene->arena, &answer),
	    "for its profile alone");
}

static void count_fetch(void *ctx, const struct pv_fetch *fetch)
{
	count_one(ctx, fetch->number);
}

static struct count list(
    struct scene *scene, const char *owner, uint64_t before, int state)
{
	struct count count = {0};
	struct pv_str name = pv_str_of(owner);
	pv_fetch_store_each_back(scene->store,
	    &(struct pv_fetch_list){*owner ? &name : NULL, before, state, 10},
	    count_fetch, &count);
	return count;
}

static void test_list(struct scene *scene)
{
	uint64_t last = add(scene, "four", "", "http://d.test/", "");
	struct count all = list(scene, "", 0, -1);
	ok(all.count > 1 && list(scene, "me", 0, -1).count == all.count,
	    "all are listed, and those of one owner");
	ok(!list(scene, "you", 0, -1).count, "P7: nobody has those of others");
	ok(list(scene, "", last, -1).count == all.count - 1,
	    "those before a number");
	ok(list(scene, "me", 0, PV_FETCH_WAITING).count ==
		    pv_fetch_store_count_waiting(scene->store) &&
		!list(scene, "me", 0, PV_FETCH_REFUSED).count,
	    "and those in a state");
}

static void test_restart(struct scene *scene)
{
	struct pv_standing_record record;
	ok(!pv_fetch_store_get_standing(scene->store, PV_STR(""), &record),
	    "a profile has no crawl at first");
	pv_fetch_store_begin(scene->store);
	pv_fetch_store_add_standing(scene->store, PV_STR(""));
	pv_fetch_store_set_read(scene->store, PV_STR(""),
	    &(struct pv_journal_place){.generation = 7, .offset = 1234});
	pv_fetch_store_commit(scene->store);
	pv_fetch_store_close(scene->store);
	open_store(scene);
	ok(pv_fetch_store_get_standing(scene->store, PV_STR(""), &record) &&
		record.number == 1 && record.read.generation == 7 &&
		record.read.offset == 1234 &&
		pv_fetch_store_count_waiting(scene->store) == 1,
	    "P3: all of it is there when it is opened again");
}

int main(void)
{
	struct scene scene;
	scratch_make(&scene.scratch);
	pv_arena_init(&scene.arena);
	open_store(&scene);
	test_fetches(&scene);
	test_answers(&scene);
	test_restart(&scene);
	test_list(&scene);
	pv_fetch_store_close(scene.store);
	pv_arena_finish(&scene.arena);
	scratch_remove(&scene.scratch);
	return tap_done();
}
