#include "crawl/scene.h"

#include "base/json/json.h"
#include "merge/merge.h"
#include "store/database.h"
#include "store/lock.h"
#include "store/tables/length.h"
#include "torture/faulty.h"

/* Whole crawls, merged by the program: what comes out is what one crawl gives,
 * and nothing comes out where something is wrong. */

static const struct server_route routes[] = {
    {.path = "/robots.txt",
	.answer = {.body = "User-agent: *\nDisallow: /secret\n",
	    .headers = "Content-Type: text/plain\r\n"}},
    {.path = "/",
	.answer = {.body = "<a href=/p1>1</a><a href=/p2>2</a>"
			   "<a href=/p3>3</a><a href=/old>old</a>"
			   "<a href=/secret/x>no</a><a href=/lost>?</a>"}},
    {.path = "/p*", .answer = {.body = "<h1>a \"page\",\nhere</h1>"}},
    {.path = "/old", .answer = {.status = 301, .location = "/p1"}},
};

#define REST                                                            \
	"rate: {max_rate: 1000, interval: 100ms, concurrency: 8}\n"     \
	"politeness: {delay: 20ms, ip_delay: 0, delay_factor: 0}\n"     \
	"scope: {sitemaps: false}\n"                                    \
	"fetch: {resolve: {\"*.test\": 127.0.0.1}}\n"                   \
	"output: {mirror: {}, fields: {forms: [jsonl, csv, sqlite]}}\n" \
	"pages: {page: {match: {path: \"/p*\"}, fields: {title: {css: " \
	"h1}}}}\n"

static const char whole_policy[] =
    "version: 1\n"
    "seeds: [\"http://a.test:PORT/\", \"http://b.test:PORT/\", "
    "\"http://c.test:PORT/\"]\n" REST;

/* Running the program */

static int run(struct crawl_scene *scene, struct pv_buf *said,
    const char *const *arguments)
{
	struct program_end end;
	pv_buf_clear(said);
	program_run(&scene->home, arguments, said, &end);
	return end.is_killed ? -1 : end.status;
}

#define RUN(scene, said, ...) \
	run((scene), (said), (const char *const[]){__VA_ARGS__, NULL})

static bool open_scene(struct crawl_scene *scene, struct pv_buf *said)
{
	pv_buf_init(said, 1 << 20);
	if (!ok(crawl_scene_open(
		    scene, &(struct server_plan){SERVER_ROUTES(routes)}),
		"hosts are there"))
		return false;
	crawl_scene_policy(scene, whole_policy);
	return crawl_scene_ends(scene, 0, "they are crawled as a whole");
}

/* The crawl of one host, in the directory of that name. */
static void crawl_host(
    struct crawl_scene *scene, const char *host, const char *directory)
{
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	home_print(&scene->home, "part.yaml",
	    "version: 1\nseeds: [\"http://%s:%u/\"]\n%s", host,
	    (unsigned)server_port(scene->server), REST);
	ok(RUN(scene, &said, "crawl", "part.yaml", "-o", directory, "-q") == 0,
	    "%s is crawled into %s", host, directory);
	pv_buf_finish(&said);
}

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

static size_t count_of(
    struct crawl_scene *scene, const char *file, const char *text)
{
	struct pv_buf buf;
	size_t count = 0;
	pv_buf_init(&buf, SIZE_MAX);
	home_read(&scene->home, file, &buf);
	for (const char *at = pv_buf_text(&buf); (at = strstr(at, text)); at++)
		count++;
	pv_buf_finish(&buf);
	return count;
}

/* A figure of a database below the home; -1 if it cannot be read. */
static int64_t number_in(
    struct crawl_scene *scene, const char *file, const char *sql)
{
	struct pv_database *database =
	    pv_database_look(home_file(&scene->home, file));
	int64_t number = pv_database_number(database, sql);
	if (pv_database_status(database) != PV_STORE_OK) {
		printf("# %s: %s\n", file, pv_database_fault(database));
		number = -1;
	}
	pv_database_close(database);
	return number;
}

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

/* Lines that name their worker */

/* As a fleet's worker of that number would have written them. */
static void name_worker(
    struct crawl_scene *scene, const char *directory, const char *worker)
{
	struct pv_buf text, named;
	char path[100];
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_init(&named, SIZE_MAX);
	snprintf(path, sizeof(path), "%s/journal.jsonl", directory);
	home_read(&scene->home, path, &text);
	for (const char *at = text.ptr; *at; at++) {
		if (at[0] == '}' && at[1] == '\n')
			pv_buf_append_format(&named, ",\"worker\":%s", worker);
		pv_buf_append_char(&named, *at);
	}
	home_write(&scene->home, path, pv_buf_str(&named));
	snprintf(path, sizeof(path), "%s/state.db", directory);
	struct pv_database *state =
	    pv_database_open(home_file(&scene->home, path));
	pv_length_set(state, PV_STR("journal.jsonl"), named.len);
	pv_database_close(state);
	pv_buf_finish(&text);
	pv_buf_finish(&named);
}

static void test_workers(void)
{
	static const char time[] =
	    "{\"event\":\"time\",\"worker\":%s,\"wall_ms\":1000,"
	    "\"server_ms\":1000,\"uncertainty_ms\":2}\n";
	struct crawl_scene scene;
	struct pv_buf said;
	if (open_scene(&scene, &said)) {
		crawl_host(&scene, "a.test", "d1");
		crawl_host(&scene, "b.test", "d2");
		name_worker(&scene, "d1", "41");
		home_print(&scene.home, "d1/clocks.jsonl", time, "41");
		home_print(&scene.home, "d2/clocks.jsonl", time, "2");
		ok(RUN(&scene, &said, "merge", "-o", "out", "d1", "d2") == 0,
		    "the journal of a fleet's worker is merged");
		ok(count_of(&scene, "out/journal.jsonl",
		       "\"worker\":41,\"final\":true}") == 7 &&
			count_of(&scene, "out/journal.jsonl", "\"worker\":2") ==
			    9 &&
			count_of(&scene, "out/journal.jsonl", "worker") == 18,
		    "its lines keep its number");
		ok(count_of(&scene, "out/clocks.jsonl", "\n") == 2,
		    "all events of clocks are there");
		ok(RUN(&scene, &said, "audit", "out") == 0 &&
			strstr(pv_buf_text(&said),
			    "uncertain by at most 2 ms for each"),
		    "an audit says how uncertain times are");
		name_worker(&scene, "d2", "41");
		ok(RUN(&scene, &said, "merge", "-o", "out2", "d1", "d2") == 1 &&
			strstr(pv_buf_text(&said),
			    "d2: has lines of worker 41, as d1 has"),
		    "one worker in two directories is refused");
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&said);
}

/* What one worker of a fleet has left others have done */

static void change_state(
    struct crawl_scene *scene, const char *directory, const char *sql)
{
	char path[100];
	snprintf(path, sizeof(path), "%s/state.db", directory);
	struct pv_database *state =
	    pv_database_open(home_file(&scene->home, path));
	pv_database_run(state, sql);
	ok(pv_database_status(state) == PV_STORE_OK, "%s is changed: %s",
	    directory, sql);
	pv_database_close(state);
}

/* Notes of a merge, without its other words. */
static bool merge(struct crawl_scene *scene, struct pv_buf *said,
    const char *output, const char *sentence)
{
	ok(RUN(scene, said, "merge", "-o", output, "d1", "d2") == 0,
	    "both are merged");
	if (!sentence)
		return !strstr(pv_buf_text(said), "not finished");
	return strstr(pv_buf_text(said), sentence);
}

#define AS_WORKER                                          \
	"INSERT OR REPLACE INTO crawl(name, value) VALUES" \
	"('fleet-crawl', 1), ('key-0', 1), ('key-1', 2)"
#define SET_STATE(state, before, page)                                     \
	"UPDATE counts SET count = count - 1 WHERE state = " before        \
	" AND count > 1; "                                                 \
	"INSERT INTO counts(state, cause, count) VALUES(" state ", 0, 1) " \
	"ON CONFLICT DO UPDATE SET count = count + 1; "                    \
	"UPDATE addresses SET state = " state " WHERE url LIKE '%/" page "'"

static void judge_fleet(struct crawl_scene *scene, struct pv_buf *said)
{
	change_state(scene, "d1", SET_STATE("0", "2", "p1"));
	ok(merge(
	       scene, said, "m1", "d1: is not finished: 1 address is pending"),
	    "a crawl by itself that waits for an address is not finished");
	change_state(scene, "d1", AS_WORKER);
	change_state(scene, "d2", AS_WORKER);
	ok(merge(scene, said, "m2", NULL),
	    "a fleet's worker is, if another one has fetched it");
	change_state(scene, "d1", SET_STATE("0", "3", "x"));
	ok(merge(scene, said, "m3", NULL), "or has refused it");
	change_state(scene, "d1", SET_STATE("4", "2", "p2"));
	ok(merge(scene, said, "m4", NULL), "or if it was another's all along");
	change_state(scene, "d2", SET_STATE("0", "2", "p1"));
	ok(merge(scene, said, "m5",
	       "m5: the fleet's crawl is not finished as far as these "
	       "directories tell: 1 address waits for a worker"),
	    "what waits for all of them is the fleet's unfinished business");
	change_state(scene, "d2", SET_STATE("4", "2", "p2"));
	ok(merge(scene, said, "m6",
	       "tell: 2 addresses wait for a worker, or went to one that is "
	       "not merged here"),
	    "and so is what neither of them has had");
}

static void test_fleet(void)
{
	struct crawl_scene scene;
	struct pv_buf said;
	if (open_scene(&scene, &said)) {
		crawl_host(&scene, "a.test", "d1");
		crawl_host(&scene, "a.test", "d2");
		judge_fleet(&scene, &said);
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&said);
}

/* Workers whose fleet has changed its policy */

static const char *const another_pace[] = {"--set", "politeness.delay=40ms",
    "--set", "rate.max_rate=500", "--domain", "b.test", "ip_delay=10ms", NULL};
static const char *const other_rules[] = {
    "--set", "scope.depth=5", "--set", "limits.pages=1000", NULL};
static const char *const another_form[] = {
    "--set", "output.fields.forms=[jsonl]", NULL};
static const char *const another_name[] = {
    "--set", "identity.agent=other/1", NULL};
static const char *const another_version[] = {
    "--set", "identity.agent=pavane/0.0.1", NULL};

/* The crawl of b.test by a policy of its own, as that of a worker. */
static void crawl_otherwise(
    struct crawl_scene *scene, const char *const *settings)
{
	const char *arguments[20] = {
	    "crawl", "part.yaml", "-o", "d2", "-q", "--fresh", "--yes"};
	struct pv_buf said;
	size_t count = 7;
	pv_buf_init(&said, 1 << 20);
	home_print(&scene->home, "part.yaml",
	    "version: 1\nseeds: [\"http://b.test:%u/\"]\n%s",
	    (unsigned)server_port(scene->server), REST);
	while (*settings)
		arguments[count++] = *settings++;
	if (!ok(run(scene, &said, arguments) == 0,
		"b.test is crawled by another policy: %s", arguments[8]))
		printf("# %s\n", pv_buf_text(&said));
	change_state(scene, "d2", AS_WORKER);
	pv_buf_finish(&said);
}

static void claim_merged(struct crawl_scene *scene, struct pv_buf *said,
    const char *output, const char *text, const char *claim)
{
	int status = RUN(scene, said, "merge", "-o", output, "d1", "d2");
	if (!ok(status == 0 && strstr(pv_buf_text(said), text), "%s", claim))
		printf("# %d: %s\n", status, pv_buf_text(said));
	ok(RUN(scene, said, "audit", output) == 0,
	    "P1: each worker has kept its own policy: %s", claim);
}

static void claim_kept_out(struct crawl_scene *scene, struct pv_buf *said,
    const char *text, const char *claim)
{
	int status = RUN(scene, said, "merge", "-o", "none", "d1", "d2");
	if (!ok(status == 1 && strstr(pv_buf_text(said), text), "%s", claim))
		printf("# %d: %s\n", status, pv_buf_text(said));
	ok(!crawl_scene_has(scene, "none*"), "and nothing is left");
}

/* As if the worker had gone by a longer delay than it has kept: only the one of
 * that directory has broken it. */
static void judge_paces(struct crawl_scene *scene, struct pv_buf *said)
{
	change_state(scene, "d2",
	    "UPDATE crawl SET value = replace(value, '40ms', '40s') "
	    "WHERE name = 'policy 1'");
	ok(RUN(scene, said, "merge", "-o", "p2", "d1", "d2") == 0,
	    "they are merged again");
	ok(RUN(scene, said, "audit", "p2") == 1 &&
		RUN(scene, said, "audit", "p2", "--host", "b.test") == 1,
	    "P1: what a worker did is judged by its own policy");
	ok(RUN(scene, said, "audit", "p2", "--host", "a.test") == 0,
	    "P1: and not by that of another one");
	ok(RUN(scene, said, "merge", "-o", "p3", "d2", "d1") == 0 &&
		RUN(scene, said, "audit", "p3", "--host", "b.test") == 1 &&
		RUN(scene, said, "audit", "p3", "--host", "a.test") == 0,
	    "P1: in whichever order they are named");
}

static void judge_other_policies(struct crawl_scene *scene, struct pv_buf *said)
{
	crawl_otherwise(scene, other_rules);
	claim_merged(scene, said, "p4",
	    "d2: limits.pages: is 1000 here, and none in d1",
	    "workers with other limits and another scope are merged");
	crawl_otherwise(scene, another_version);
	claim_merged(scene, said, "p5", "d2: identity.agent: is",
	    "and of another version");
	crawl_otherwise(scene, another_name);
	claim_kept_out(scene, said, "d2: identity.agent: is other/1 here, and ",
	    "a worker of another name is refused");
	crawl_otherwise(scene, another_form);
	claim_kept_out(scene, said,
	    "in d1: rows are merged form by form: merge those with the same "
	    "value, and audit the others by themselves",
	    "and one whose rows have another form");
}

static void test_other_policies(void)
{
	struct crawl_scene scene;
	struct pv_buf said;
	if (open_scene(&scene, &said)) {
		crawl_host(&scene, "a.test", "d1");
		change_state(&scene, "d1", AS_WORKER);
		crawl_otherwise(&scene, another_pace);
		claim_merged(&scene, &said, "p1",
		    "d2: politeness.delay: is 40ms here, and 20ms in d1",
		    "workers with other paces are merged");
		judge_paces(&scene, &said);
		judge_other_policies(&scene, &said);
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
		ok(RUN(&scene, &said, "merge", "-o", "out", "d1", "d1") == 1 &&
			strstr(pv_buf_text(&said), "is named twice"),
		    "a directory that is named twice is refused");
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
	test_workers();
	test_fleet();
	test_other_policies();
	test_files();
	test_refused();
	test_kills();
	return tap_done();
}
