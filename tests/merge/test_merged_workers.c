#include "merge/merge_scene.h"

#include "store/tables/length.h"

/* Workers of a fleet, merged by the program: their numbers, what one has left to
 * others, and what they may differ in. */

/* Lines that name their worker */

/* Which worker wrote the lines of requests: the first ones, and all behind them;
 * an empty one is not named. Lines of what was left out name none, as those of a
 * fleet's worker do, unless all are to. */
struct naming {
	size_t first_count;
	const char *first;
	const char *rest;
	bool has_all;
};

static void name_line(const struct naming *naming, struct pv_str line,
    size_t *asked, struct pv_buf *named)
{
	static const char run[] = "\"run\":";
	static const char before[] = ",\"worker\":";
	const char *named_before =
	    memmem(line.ptr, line.len, before, strlen(before));
	const char *worker = "";
	if (naming->has_all || memmem(line.ptr, line.len, run, strlen(run)))
		worker = (*asked)++ < naming->first_count ? naming->first
							  : naming->rest;
	size_t end =
	    named_before ? (size_t)(named_before - line.ptr) : line.len - 1;
	pv_buf_append(named, pv_str_head(line, end));
	if (*worker)
		pv_buf_append_format(named, ",\"worker\":%s", worker);
	pv_buf_append_text(named, "}\n");
}

static void write_journal(
    struct crawl_scene *scene, const char *directory, const struct pv_buf *text)
{
	char path[100];
	snprintf(path, sizeof(path), "%s/journal.jsonl", directory);
	home_write(&scene->home, path, pv_buf_str(text));
	snprintf(path, sizeof(path), "%s/state.db", directory);
	struct pv_database *state =
	    pv_database_open(home_file(&scene->home, path));
	pv_length_set(state, PV_STR("journal.jsonl"), text->len);
	pv_database_close(state);
}

static void name_workers(struct crawl_scene *scene, const char *directory,
    const struct naming *naming)
{
	struct pv_buf text, named;
	char path[100];
	size_t asked = 0;
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_init(&named, SIZE_MAX);
	snprintf(path, sizeof(path), "%s/journal.jsonl", directory);
	home_read(&scene->home, path, &text);
	struct pv_str left = pv_buf_str(&text);
	while (left.len) {
		size_t end = pv_str_find(left, '\n');
		name_line(naming, pv_str_head(left, end), &asked, &named);
		left = pv_str_from(left, end + 1);
	}
	write_journal(scene, directory, &named);
	pv_buf_finish(&text);
	pv_buf_finish(&named);
}

/* What its state says of that; 0: it is no fleet's worker. */
static void note_worker(
    struct crawl_scene *scene, const char *directory, int worker)
{
	char sql[200];
	snprintf(sql, sizeof(sql),
	    "INSERT OR REPLACE INTO crawl(name, value) VALUES"
	    "('fleet-crawl', %d), ('fleet-worker', %d)",
	    worker != 0, worker);
	change_state(scene, directory, sql);
}

static void name_worker(
    struct crawl_scene *scene, const char *directory, const char *worker)
{
	name_workers(scene, directory,
	    &(struct naming){.rest = worker, .has_all = true});
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
		note_worker(&scene, "d1", 41);
		home_print(&scene.home, "d1/clocks.jsonl", time, "41");
		home_print(&scene.home, "d2/clocks.jsonl", time, "2");
		note_worker(&scene, "d2", 2);
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

/* Lines that name none */

struct numbered {
	const char *claim;
	struct naming naming[2]; /* of both directories ... */
	int note[2];             /* and in their states */
	const char *clocks;      /* of the second one */
	struct {
		const char *worker;
		size_t count;
	} lines[3]; /* of the merge, whatever the order of the directories */
};

/* Of nine lines of a directory two are of an address that was left out: one behind
 * the second request, and one at the end. */
static const struct numbered all_numbered[] = {
    {"what was left out has the number of its worker",
	{{.rest = "2"}, {.rest = "1"}}, {2, 1}, "", {{"2", 9}, {"1", 9}}},
    {"in a directory that two workers had, that of the request before it",
	{{.first_count = 3, .first = "3", .rest = "7"}, {.rest = "1"}}, {7, 1},
	"", {{"3", 4}, {"7", 5}, {"1", 9}}},
    {"what is before the first number has this one",
	{{.first_count = 3, .first = "", .rest = "7"}, {.rest = "1"}}, {8, 1},
	"", {{"7", 9}, {"1", 9}}},
    {"where no line has one it is that of the state",
	{{.rest = ""}, {.rest = "1"}}, {9, 1}, "", {{"9", 9}, {"1", 9}}},
    {"a directory of no fleet gets one that nobody has",
	{{.rest = ""}, {.rest = "1"}}, {0, 1}, "", {{"2", 9}, {"1", 9}}},
    {"also of those that have clocks alone", {{.rest = ""}, {.rest = "1"}},
	{0, 1},
	"{\"event\":\"reaped\",\"worker\":2,\"by\":3,\"server_ms\":1}\n"
	"{\"event\":\"taken\",\"worker\":4,\"clock\":\"x.test\","
	"\"server_ms\":1}\n",
	{{"3", 9}, {"1", 9}}},
};

static void claim_numbers(struct crawl_scene *scene,
    const struct numbered *wanted, const char *first, const char *second)
{
	static unsigned count;
	struct pv_buf said;
	char output[20], journal[40], text[40];
	pv_buf_init(&said, 1 << 20);
	snprintf(output, sizeof(output), "n%u", ++count);
	snprintf(journal, sizeof(journal), "%s/journal.jsonl", output);
	bool is_so =
	    RUN(scene, &said, "merge", "-o", output, first, second) == 0;
	for (size_t i = 0; is_so && i < 3 && wanted->lines[i].worker; i++) {
		snprintf(text, sizeof(text), "\"worker\":%s",
		    wanted->lines[i].worker);
		is_so =
		    count_of(scene, journal, text) == wanted->lines[i].count;
	}
	if (!ok(is_so && count_of(scene, journal, "worker") == 18,
		"%s: %s before %s", wanted->claim, first, second))
		printf("# %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
}

static void judge_numbers(struct crawl_scene *scene)
{
	for (size_t i = 0; i < sizeof(all_numbered) / sizeof(*all_numbered);
	     i++) {
		const struct numbered *numbered = &all_numbered[i];
		name_workers(scene, "d1", &numbered->naming[0]);
		name_workers(scene, "d2", &numbered->naming[1]);
		note_worker(scene, "d1", numbered->note[0]);
		note_worker(scene, "d2", numbered->note[1]);
		home_write(&scene->home, "d2/clocks.jsonl",
		    pv_str_of(numbered->clocks));
		claim_numbers(scene, numbered, "d1", "d2");
		claim_numbers(scene, numbered, "d2", "d1");
	}
}

static void test_numbers(void)
{
	struct crawl_scene scene;
	struct pv_buf said;
	if (open_scene(&scene, &said)) {
		crawl_host(&scene, "a.test", "d1");
		crawl_host(&scene, "b.test", "d2");
		judge_numbers(&scene);
		name_workers(&scene, "d2", &(struct naming){.rest = ""});
		note_worker(&scene, "d1", 9);
		note_worker(&scene, "d2", 9);
		ok(RUN(&scene, &said, "merge", "-o", "n", "d1", "d2") == 1 &&
			strstr(pv_buf_text(&said),
			    "d2: has lines of worker 9, as d1 has"),
		    "a copy of a worker's directory is refused where the "
		    "state alone says whose it is");
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&said);
}

/* What one worker of a fleet has left others have done */

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
	ok(RUN(scene, said, "status", "m5") == 0 &&
		!strstr(pv_buf_text(said), "finished"),
	    "which its status does not call finished");
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

/* What a host has answered, whoever of them asked it */

static const char state_pages[] =
    "SELECT pages FROM host_states WHERE name = 'a.test'";

/* As a fleet does: the figures of the host go with it to its next owner. */
static void pass_on(
    struct crawl_scene *scene, const char *from, const char *to, bool is_new)
{
	char path[100], sql[200];
	snprintf(path, sizeof(path), "%s/state.db", from);
	snprintf(sql, sizeof(sql),
	    "UPDATE host_states SET pages = %lld + %s, bytes = %lld + %s "
	    "WHERE name = 'a.test'",
	    (long long)number_in(scene, path, state_pages),
	    is_new ? "pages" : "0",
	    (long long)number_in(scene, path,
		"SELECT bytes FROM host_states WHERE name = 'a.test'"),
	    is_new ? "bytes" : "0");
	change_state(scene, to, sql);
}

/* The key of the first one's fingerprints is that of the fleet's crawl. */
static void make_worker(
    struct crawl_scene *scene, const char *directory, bool is_worker)
{
	char sql[200];
	snprintf(sql, sizeof(sql),
	    "INSERT OR REPLACE INTO crawl(name, value) VALUES"
	    "('fleet-crawl', %d), ('key-0', %lld), ('key-1', %lld)",
	    is_worker,
	    (long long)number_in(scene, "d1/state.db",
		"SELECT value FROM crawl WHERE name = 'key-0'"),
	    (long long)number_in(scene, "d1/state.db",
		"SELECT value FROM crawl WHERE name = 'key-1'"));
	change_state(scene, directory, sql);
}

static void claim_answered(
    struct crawl_scene *scene, const char *output, int64_t pages)
{
	char path[100];
	snprintf(path, sizeof(path), "%s/journal.jsonl", output);
	int64_t answers = (int64_t)(count_of(scene, path, "\"status\":200") -
				    count_of(scene, path, "\"robots\":true"));
	snprintf(path, sizeof(path), "%s/state.db", output);
	int64_t counted = number_in(scene, path, state_pages);
	if (!ok(counted == pages && answers == pages,
		"P6: %s has the %lld pages that the host has answered", output,
		(long long)pages))
		printf("# %lld, and %lld in the journal\n", (long long)counted,
		    (long long)answers);
	ok(number_in(scene, path,
	       "SELECT (SELECT sum(bytes) FROM host_states) = "
	       "(SELECT sum(bytes) FROM ledger)") == 1,
	    "P6: %s has the bytes that its ledgers have", output);
}

/* The first one asks for two pages, and goes on when two others had the host. */
static void judge_answers(struct crawl_scene *scene, struct pv_buf *said)
{
	ok(RUN(scene, said, "crawl", "part.yaml", "-o", "d1", "-q", "--fresh",
	       "--yes", "--set", "limits.pages=2") == 4,
	    "a worker has fetched two pages");
	make_worker(scene, "d1", true);
	make_worker(scene, "d2", true);
	make_worker(scene, "d3", true);
	pass_on(scene, "d1", "d2", true);
	ok(RUN(scene, said, "merge", "-o", "a2", "d1", "d2") == 0,
	    "a host that had two owners is merged");
	claim_answered(scene, "a2", 6);
	pass_on(scene, "d2", "d3", true);
	ok(RUN(scene, said, "merge", "-o", "a3", "d1", "d2", "d3") == 0,
	    "and one that had three");
	claim_answered(scene, "a3", 10);
	make_worker(scene, "d1", false);
	pass_on(scene, "d3", "d1", false);
	ok(RUN(scene, said, "crawl", "part.yaml", "-o", "d1", "-q", "--set",
	       "limits.pages=none") == 0,
	    "its first owner goes on with it");
	make_worker(scene, "d1", true);
	ok(RUN(scene, said, "merge", "-o", "a4", "d1", "d2", "d3") == 0,
	    "and it is merged again");
	claim_answered(scene, "a4", 12);
}

/* As in the crawl's own state, what counts against limits counts anew. */
static void judge_update(struct crawl_scene *scene, struct pv_buf *said)
{
	make_worker(scene, "d1", false);
	ok(RUN(scene, said, "update", "d1", "-q") == 0,
	    "one of them fetches all pages again");
	make_worker(scene, "d1", true);
	ok(RUN(scene, said, "merge", "-o", "a5", "d1", "d2", "d3") == 0,
	    "after an update they are merged");
	ok(number_in(scene, "a5/state.db", state_pages) == 4 &&
		number_in(scene, "d1/state.db", state_pages) == 4,
	    "a host has the pages of the last round");
}

static void test_answers(void)
{
	struct crawl_scene scene;
	struct pv_buf said;
	if (open_scene(&scene, &said)) {
		crawl_host(&scene, "a.test", "d2");
		crawl_host(&scene, "a.test", "d3");
		judge_answers(&scene, &said);
		judge_update(&scene, &said);
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&said);
}

/* What a worker has left out that was killed before the end */

/* As if it had been killed when all of its requests were answered. */
static void kill_before_end(struct crawl_scene *scene, const char *directory)
{
	static const char final[] = ",\"final\":true}\n";
	struct pv_buf text, cut;
	char path[100];
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_init(&cut, SIZE_MAX);
	snprintf(path, sizeof(path), "%s/journal.jsonl", directory);
	home_read(&scene->home, path, &text);
	/* The line at its end is that of what was left out. */
	size_t end = text.len - strlen(final);
	ok(strcmp(pv_buf_text(&text) + end, final) == 0,
	    "%s has a final line at its end", directory);
	pv_buf_append(&cut, pv_str_head(pv_buf_str(&text), end));
	pv_buf_append_text(&cut, "}\n");
	write_journal(scene, directory, &cut);
	change_state(scene, directory,
	    "UPDATE crawl SET value = 0 WHERE name = 'finished-at'");
	pv_buf_finish(&text);
	pv_buf_finish(&cut);
}

static size_t count_final(struct crawl_scene *scene, const char *output)
{
	char path[100];
	snprintf(path, sizeof(path), "%s/journal.jsonl", output);
	return count_of(scene, path, "\"final\":true}");
}

static void judge_ends(struct crawl_scene *scene, struct pv_buf *said)
{
	ok(merge(scene, said, "e1", NULL) && count_final(scene, "e1") == 14,
	    "P3: where another worker knows the end, what a killed one has "
	    "left out is final");
	ok(RUN(scene, said, "audit", "e1") == 0, "and an audit finds all kept");
	change_state(scene, "d2", SET_STATE("0", "2", "p1"));
	ok(merge(scene, said, "e2", "1 address waits") &&
		count_final(scene, "e2") == 13,
	    "P3: it is not while something waits");
	change_state(scene, "d2", SET_STATE("2", "0", "p1"));
	change_state(scene, "d1",
	    "INSERT INTO rounds(number, began_wall_ms, is_listing, last_address, "
	    "before_wall_ms, takes_failed, due) "
	    "VALUES(2, 1, 0, 0, 0, 0, 0)");
	ok(merge(scene, said, "e3",
	       "nothing waits, but each worker was stopped before the end") &&
		count_final(scene, "e3") == 13,
	    "P3: nor while an update goes on");
	change_state(scene, "d1", "UPDATE rounds SET ended_wall_ms = 2");
	ok(merge(scene, said, "e4", NULL) && count_final(scene, "e4") == 14,
	    "P3: but at its end");
	change_state(scene, "d1",
	    "UPDATE crawl SET value = 0 WHERE name = 'fleet-crawl'; "
	    "UPDATE crawl SET value = 3 WHERE name = 'key-0'");
	ok(RUN(scene, said, "merge", "-o", "e5", "d1", "d2") == 0 &&
		count_final(scene, "e5") == 13,
	    "P3: parts of a crawl know their own ends alone");
}

static void test_ends(void)
{
	struct crawl_scene scene;
	struct pv_buf said;
	if (open_scene(&scene, &said)) {
		crawl_host(&scene, "a.test", "d1");
		crawl_host(&scene, "b.test", "d2");
		make_worker(&scene, "d1", true);
		make_worker(&scene, "d2", true);
		kill_before_end(&scene, "d2");
		judge_ends(&scene, &said);
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&said);
}

int main(void)
{
	test_workers();
	test_numbers();
	test_fleet();
	test_other_policies();
	test_answers();
	test_ends();
	return tap_done();
}
