#include "merge/merge_scene.h"

#include "base/json/json.h"
#include "merge/merge.h"
#include "store/lock.h"
#include "torture/faulty.h"

/* Whole crawls, merged by the program: what comes out is what one crawl gives,
 * and nothing comes out where something is wrong. */

/* What files say, without what depends on when */

struct facts {
	char *items[1000];
	size_t count;
};

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_fact(struct facts *facts, const struct pv_json *value,
    const char *const *members)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	for (size_t i = 0; members[i]; i++) {
		struct pv_str word = pv_json_get_text(value, members[i]);
		pv_buf_append_format(&text, "%.*s/%lld ", PV_STR_ARG(word),
		    (long long)pv_json_get_integer(value, members[i], 0));
	}
	facts->items[facts->count++] = pv_buf_take(&text);
}

/* Those members of each line that has the first of them, and `wanted`. */
static void read_facts(struct crawl_scene *scene, const char *file,
    const char *wanted, const char *const *members, struct facts *facts)
{
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	home_read(&scene->home, file, &text);
	struct pv_str left = pv_buf_str(&text);
	*facts = (struct facts){.count = 0};
	while (left.len && facts->count < 1000) {
		size_t end = pv_str_find(left, '\n');
		struct pv_json *value = pv_json_read(pv_str_head(left, end));
		bool is_wanted = !wanted || pv_json_get_bool(value, wanted);
		if (value && is_wanted)
			add_fact(facts, value, members);
		pv_json_destroy(value);
		left = pv_str_from(left, end + 1);
	}
	qsort(facts->items, facts->count, sizeof(*facts->items), compare);
	pv_buf_finish(&text);
}

static void finish_facts(struct facts *facts)
{
	for (size_t i = 0; i < facts->count; i++)
		free(facts->items[i]);
}

static void claim_same(struct crawl_scene *scene, const char *file,
    const char *wanted, const char *const *members, size_t count)
{
	struct facts one, other;
	char path[100];
	snprintf(path, sizeof(path), "o/%s", file);
	read_facts(scene, path, wanted, members, &one);
	snprintf(path, sizeof(path), "out/%s", file);
	read_facts(scene, path, wanted, members, &other);
	bool is_same = one.count == other.count && one.count == count;
	for (size_t i = 0; is_same && i < one.count; i++)
		is_same = strcmp(one.items[i], other.items[i]) == 0;
	if (!ok(is_same, "%s says what that of one crawl says", file)) {
		printf("# %zu and %zu\n", one.count, other.count);
		for (size_t i = 0; i < other.count; i++)
			printf("# %s\n", other.items[i]);
	}
	finish_facts(&one);
	finish_facts(&other);
}

static const char *const line_facts[] = {
    "url", "outcome", "status", "reason", "depth", NULL};
static const char *const row_facts[] = {"_url", "_item", "title", NULL};

/* Parts of one crawl */

static void judge_parts(struct crawl_scene *scene, struct pv_buf *said)
{
	claim_same(scene, "journal.jsonl", "final", line_facts, 21);
	claim_same(scene, "fields/page.jsonl", NULL, row_facts, 9);
	ok(count_of(scene, "out/fields/page.csv", "_url,") == 1 &&
		count_of(scene, "out/fields/page.csv", "\nhttp://") == 9,
	    "rows of CSV stand below one header");
	ok(number_in(scene, "out/fields/fields.db",
	       "SELECT count(*) + 100 * count(DISTINCT _url) FROM page "
	       "WHERE title = 'a \"page\", here'") == 909,
	    "the database has each row once");
	ok(number_in(scene, "out/state.db",
	       "SELECT count(*) FROM page_rows JOIN addresses ON id = address "
	       "WHERE url LIKE '%/p%'") == 9,
	    "the state says which pages gave them");
	ok(crawl_scene_has(scene, "out/site/a.test*/p1*") &&
		crawl_scene_has(scene, "out/site/c.test*/p3*"),
	    "there are the files of all mirrors");
	for (int worker = 1; worker <= 3; worker++) {
		char text[40];
		snprintf(text, sizeof(text), "\"worker\":%d", worker);
		ok(count_of(scene, "out/journal.jsonl", text) == 9,
		    "each line of part %d has its worker", worker);
	}
	ok(RUN(scene, said, "audit", "out") == 0 &&
		strstr(pv_buf_text(said), "a merge of 3 workers") &&
		strstr(pv_buf_text(said), "Every promise was kept."),
	    "P1, P2: an audit of the whole finds every promise kept");
	ok(RUN(scene, said, "status", "out") == 0 &&
		strstr(pv_buf_text(said), "21 known: 18 done, 3 left out"),
	    "its status counts all addresses");
	char url[100];
	snprintf(url, sizeof(url), "http://b.test:%u/p1",
	    (unsigned)server_port(scene->server));
	ok(RUN(scene, said, "where", "out", url) == 0 &&
		strstr(pv_buf_text(said), "out/site/b.test"),
	    "it can be asked where something is");
	ok(RUN(scene, said, "explain", "policy.yaml", url, "-o", "out") == 0 &&
		strstr(pv_buf_text(said), "it was requested: answered 200") &&
		strstr(pv_buf_text(said), "allows it: no line is about it"),
	    "and what became of it, with robots.txt of its host");
}

static void test_parts(void)
{
	struct crawl_scene scene;
	struct pv_buf said;
	if (open_scene(&scene, &said)) {
		crawl_host(&scene, "a.test", "d1");
		crawl_host(&scene, "b.test", "d2");
		crawl_host(&scene, "c.test", "d3");
		ok(RUN(&scene, &said, "merge", "-o", "out", "d1", "d2", "d3") ==
			0,
		    "three directories of crawls are merged");
		ok(strstr(pv_buf_text(&said), "27 lines in the journal, 0 of "),
		    "it says how many lines there are");
		judge_parts(&scene, &said);
		ok(RUN(&scene, &said, "continue", "out") == 1 &&
			strstr(pv_buf_text(&said), "is a merge of several"),
		    "no crawl goes on in a merge");
		ok(RUN(&scene, &said, "pause", "out") == 1 &&
			strstr(pv_buf_text(&said), "none of which runs there"),
		    "nor is one paused there");
		ok(!crawl_scene_has(&scene, "out/control*"),
		    "and no order is left");
		ok(RUN(&scene, &said, "merge", "-o", "again", "out", "d1") ==
			    1 &&
			strstr(pv_buf_text(&said), "is a merge itself"),
		    "nor is a merge merged");
		ok(!crawl_scene_has(&scene, "again*"), "nothing is left of it");
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&said);
}

/* Two that fetched the same */

static void test_twice(void)
{
	struct crawl_scene scene;
	struct pv_buf said;
	if (open_scene(&scene, &said)) {
		crawl_host(&scene, "a.test", "d1");
		crawl_host(&scene, "a.test", "d2");
		ok(RUN(&scene, &said, "merge", "-o", "out", "d1", "d2") == 0,
		    "two crawls of one host are merged");
		ok(count_of(&scene, "out/journal.jsonl", "\"final\":true") == 7,
		    "each address has one final line");
		ok(count_of(&scene, "out/journal.jsonl",
		       "\"worker\":1,\"stale\":true}") == 7,
		    "the lines of the first crawl are stale");
		ok(count_of(&scene, "out/fields/page.jsonl", "_url") == 3,
		    "no row is doubled");
		ok(count_of(&scene, "out/fields/page.csv", "http://") == 3,
		    "nor one of CSV");
		ok(number_in(&scene, "out/fields/fields.db",
		       "SELECT count(*) FROM page") == 3,
		    "nor one of the database");
		ok(RUN(&scene, &said, "status", "out") == 0 &&
			strstr(pv_buf_text(&said), "7 known: 6 done, 1 left") &&
			strstr(pv_buf_text(&said), "3 rows of 3 pages"),
		    "each address is known once");
		ok(RUN(&scene, &said, "audit", "out") == 0,
		    "P3: the ledger is the sum of both");
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&said);
}

/* Files of one name */

static void test_files(void)
{
	struct crawl_scene scene;
	struct pv_buf said;
	if (open_scene(&scene, &said)) {
		crawl_host(&scene, "a.test", "d1");
		crawl_host(&scene, "b.test", "d2");
		struct pv_database *state =
		    pv_database_open(home_file(&scene.home, "d2/state.db"));
		pv_database_run(state,
		    "UPDATE copies SET file = replace(file, 'b.test', "
		    "'a.test')");
		pv_database_close(state);
		ok(RUN(&scene, &said, "merge", "-o", "out", "d1", "d2") == 1 &&
			strstr(pv_buf_text(&said),
			    "has a file of that name for another address"),
		    "files of one name for two addresses are refused");
		ok(!crawl_scene_has(&scene, "out*"), "and nothing is left");
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&said);
}

/* What is refused */

static void claim_refused(struct crawl_scene *scene, struct pv_buf *said,
    const char *text, const char *claim)
{
	int status = RUN(scene, said, "merge", "-o", "out", "d1", "d2");
	if (!ok(status == 1 && strstr(pv_buf_text(said), text), "%s", claim))
		printf("# %d: %s\n", status, pv_buf_text(said));
	ok(!crawl_scene_has(scene, "out/journal.jsonl") &&
		!crawl_scene_has(scene, "out.merging"),
	    "%s: and nothing is left", claim);
}

static void spoil(struct crawl_scene *scene, const char *file, const char *at)
{
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	home_read(&scene->home, file, &text);
	char *place = strstr(text.ptr, at);
	place[0] = place[0] == '{' ? '[' : '{';
	home_write(&scene->home, file, pv_buf_str(&text));
	pv_buf_finish(&text);
}

static void test_policies(struct crawl_scene *scene, struct pv_buf *said)
{
	ok(RUN(scene, said, "crawl", "part.yaml", "-o", "d2", "-q", "--fresh",
	       "--yes", "--set", "politeness.delay=40ms") == 0,
	    "a host is crawled by another policy");
	claim_refused(scene, said,
	    "d2: politeness.delay: is 40ms here, and 20ms in d1",
	    "another policy is refused, by its key");
	ok(RUN(scene, said, "crawl", "part.yaml", "-o", "d2", "-q", "--fresh",
	       "--yes") == 0,
	    "and by the same one again");
}

static void test_running(struct crawl_scene *scene, struct pv_buf *said)
{
	struct pv_lock lock;
	struct pv_why why;
	char path[1024];
	pv_why_init(&why);
	snprintf(path, sizeof(path), "%s", home_file(&scene->home, "d2"));
	ok(pv_lock_take(&lock, path, &why), "a crawl runs in a directory");
	claim_refused(
	    scene, said, "is at work in this directory", "one that runs");
	pv_lock_give(&lock);
	pv_why_finish(&why);
}

static void claim_outside(struct crawl_scene *scene, struct pv_buf *said,
    const char *output, const char *claim)
{
	int status = RUN(scene, said, "merge", "-o", output, "d4", "d1");
	if (!ok(status == 1 &&
		    strstr(pv_buf_text(said),
			"is within d1, which stays as it is: choose an "
			"output outside of it"),
		"%s", claim))
		printf("# %d: %s\n", status, pv_buf_text(said));
}

static void test_inside(struct crawl_scene *scene, struct pv_buf *said)
{
	claim_outside(scene, said, "d1/x",
	    "an output in one of the directories is refused");
	claim_outside(scene, said, "d1/x/y/", "also further within");
	claim_outside(scene, said, "d4/../d1/fields/x", "and by whichever way");
	ok(!crawl_scene_has(scene, "d1/x*") &&
		!crawl_scene_has(scene, "d1/fields/x*"),
	    "and nothing is made there");
	ok(RUN(scene, said, "merge", "-o", "d4/../beside", "d4", "d1") == 0,
	    "a way through one of them may lead outside");
}

static void test_copy(struct crawl_scene *scene, struct pv_buf *said)
{
	char command[1000];
	snprintf(command, sizeof(command), "cd '%s' && cp -r d1 d5",
	    home_file(&scene->home, "."));
	ok(system(command) == 0, "a crawl is copied");
	ok(RUN(scene, said, "merge", "-o", "out", "d1", "d5") == 1 &&
		strstr(pv_buf_text(said), "d5: has the same crawl as d1"),
	    "its copy is refused");
	ok(!crawl_scene_has(scene, "out"), "and nothing is left");
}

static void test_refused(void)
{
	struct crawl_scene scene;
	struct pv_buf said;
	if (open_scene(&scene, &said)) {
		crawl_host(&scene, "a.test", "d1");
		crawl_host(&scene, "b.test", "d2");
		test_policies(&scene, &said);
		test_running(&scene, &said);
		spoil(&scene, "d2/journal.jsonl", "\n{\"time\"");
		claim_refused(&scene, &said,
		    "d2/journal.jsonl:1: is no line of a journal",
		    "a damaged journal");
		crawl_host(&scene, "c.test", "d4");
		ok(RUN(&scene, &said, "merge", "-o", "d4", "d1") == 1 &&
			strstr(pv_buf_text(&said),
			    "d4: exists and is not an empty directory"),
		    "an output that has something in it is refused");
		test_inside(&scene, &said);
		ok(RUN(&scene, &said, "merge", "-o", "out", "d1", "d1") == 1 &&
			strstr(pv_buf_text(&said), "is named twice"),
		    "a directory that is named twice is refused");
		test_copy(&scene, &said);
		ok(RUN(&scene, &said, "merge", "-o", "out", "d1", "home") ==
			    1 &&
			strstr(pv_buf_text(&said), "is not a crawl's "),
		    "what is no crawl is refused");
		home_write(
		    &scene.home, "d4/clocks.jsonl", PV_STR("{\"event\":1}\n"));
		ok(RUN(&scene, &said, "merge", "-o", "out", "d1", "d4") == 1 &&
			strstr(pv_buf_text(&said),
			    "d4/clocks.jsonl:1: is no event of a worker's "
			    "clocks"),
		    "damaged events are told with file and line");
		ok(RUN(&scene, &said, "merge", "d1", "d4") == 2,
		    "without an output the command line is wrong");
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&said);
}

/* Giving up, after so many lines and addresses. */

static bool is_enough(void *ctx)
{
	unsigned *left = ctx;
	return !*left || !--*left;
}

static void give_up(struct crawl_scene *scene, unsigned after)
{
	char out[600], one[600], other[600];
	struct pv_merge_result result;
	struct pv_why why;
	unsigned left = after;
	snprintf(out, sizeof(out), "%s/w/given-up", scene->home.path);
	snprintf(one, sizeof(one), "%s/d1", scene->home.path);
	snprintf(other, sizeof(other), "%s/d2", scene->home.path);
	const char *const directories[] = {one, other};
	const struct pv_merge_options options = {
	    .output = out,
	    .directories = directories,
	    .count = 2,
	    .is_enough = is_enough,
	    .ctx = &left,
	};
	pv_why_init(&why);
	bool is_done = pv_merge_run(&options, &result, &why);
	ok(is_done && result.is_cut && !pv_why_has_problems(&why) &&
		!crawl_scene_has(scene, "w/given-up*"),
	    "P6: given up at moment %u nothing is left", after);
	pv_why_finish(&why);
}

/* Kills */

#define KILLS 12

static bool is_whole(struct crawl_scene *scene, struct pv_buf *said)
{
	return RUN(scene, said, "audit", "w/out") == 0 &&
	       count_of(scene, "w/out/journal.jsonl", "\"worker\"") == 18 &&
	       count_of(scene, "w/out/fields/page.csv", "http://") == 6;
}

static void kill_at(struct crawl_scene *scene, struct faulty *faulty,
    struct pv_buf *said, unsigned moment)
{
	faulty_plan(faulty, "change %u kill-half", moment);
	int status = RUN(scene, said, "merge", "-o", "w/out", "d1", "d2");
	faulty_rest(faulty);
	bool is_there = crawl_scene_has(scene, "w/out");
	ok(status == -1 && (!is_there || is_whole(scene, said)),
	    "P3: killed at change %u there is %s", moment,
	    is_there ? "all of it" : "nothing");
	if (!is_there)
		ok(RUN(scene, said, "merge", "-o", "w/out", "d1", "d2") == 0 &&
			is_whole(scene, said),
		    "P3: killed at change %u the next merge does it", moment);
	else
		tap_skip("the next merge", "it was done");
	ok(!crawl_scene_has(scene, "w/out.merging"),
	    "P3: killed at change %u nothing else is left", moment);
	char command[1200];
	snprintf(command, sizeof(command), "rm -rf '%s'",
	    home_file(&scene->home, "w/out"));
	ok(system(command) == 0, "the output is removed again");
}

/* Whether the program runs with the library that kills it: where sanitizers want to
 * be loaded before all else it does not. */
static bool can_be_killed(
    struct crawl_scene *scene, struct faulty *faulty, struct pv_buf *said)
{
	if (!faulty_open(faulty, &scene->home, "w"))
		return false;
	faulty_plan(faulty, NULL);
	bool does_run = RUN(scene, said, "--version") == 0;
	faulty_rest(faulty);
	if (!does_run)
		faulty_close(faulty);
	return does_run;
}

static void test_kills(void)
{
	struct crawl_scene scene;
	struct faulty faulty;
	struct pv_buf said;
	if (open_scene(&scene, &said)) {
		crawl_host(&scene, "a.test", "d1");
		crawl_host(&scene, "b.test", "d2");
		give_up(&scene, 1);
		give_up(&scene, 15);
		give_up(&scene, 25);
		give_up(&scene, 35);
		give_up(&scene, 50);
		if (!can_be_killed(&scene, &faulty, &said)) {
			for (unsigned i = 0; i < 1 + 4 * KILLS; i++)
				tap_skip("kills", "no library for them here");
		} else {
			faulty_plan(&faulty, NULL);
			ok(RUN(&scene, &said, "merge", "-o", "w/count", "d1",
			       "d2") == 0,
			    "a merge changes the disk so and so often");
			unsigned changes = (unsigned)faulty.tally->changes;
			faulty_rest(&faulty);
			printf("# %u changes\n", changes);
			for (unsigned i = 0; i < KILLS; i++)
				kill_at(&scene, &faulty, &said,
				    1 + i * (changes - 1) / (KILLS - 1));
			faulty_close(&faulty);
		}
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&said);
}

int main(void)
{
	test_parts();
	test_twice();
	test_files();
	test_refused();
	test_kills();
	return tap_done();
}
