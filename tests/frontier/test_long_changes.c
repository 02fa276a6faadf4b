#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crawl/patience.h"
#include "frontier/scene.h"
#include "frontier/sqlite/rejudging.h"
#include "frontier/sqlite/round_table.h"
#include "store/wal.h"

/* What changes very many rows at once is cut before the write-ahead log grows too
 * long (P5), and whoever ends in between leaves a state from which the next start
 * goes on as if nothing had happened (P3). */

/* Long addresses, so that few rows fill a page: in one transaction all of them
 * would be 80 MB. */
#define ADDRESSES 20000
#define TEXT 3700
#define HOSTS 1000
#define WAL_MAX ((off_t)64 << 20)

static void fill(struct scene *scene, int state, int rows, int text)
{
	struct pv_database *database = scene->store->database;
	char sql[1000];
	pv_database_begin(database);
	snprintf(sql, sizeof(sql),
	    "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
	    "INSERT INTO host_states(id, name, state) SELECT i, 'h' || i, %d "
	    "FROM n",
	    HOSTS, state == 2 ? 0 : state + 1);
	pv_database_run(database, sql);
	snprintf(sql, sizeof(sql),
	    "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
	    "INSERT INTO addresses(id, host, state, use, depth, depth_left, "
	    "hops, redirects, attempt, reason, line, outcome, http_status, "
	    "bytes, may_lead_further, via, listing, lastmod_wall_ms, url) "
	    "SELECT i, i %% %d + 1, %d, 2, 0, 0, 0, 0, 0, 0, 0, %d, 200, 0, 0, "
	    "0, 0, 0, 'https://a.test/' || i || printf('%%.*c', %d, 'x') FROM n",
	    rows, HOSTS, state, state == 2, text);
	pv_database_run(database, sql);
	snprintf(sql, sizeof(sql),
	    "INSERT OR REPLACE INTO counts(state, cause, count) "
	    "VALUES(%d, %d, %d)",
	    state, state == 2, rows);
	pv_database_run(database, sql);
	pv_database_run(
	    database, "CREATE TABLE IF NOT EXISTS told(address INTEGER)");
	pv_database_commit(database);
}

/* Each address is turned over, so that judging one twice is judging it not at
 * all. */
static bool turn_over(
    void *ctx, const struct pv_known *known, struct pv_standing *standing)
{
	bool is_refused = known->state != PV_STATE_REFUSED;
	(void)ctx;
	standing->use = is_refused ? PV_REFUSED : PV_PAGE;
	standing->verdict.reason = is_refused ? PV_REASON_RULE : PV_REASON_NONE;
	return true;
}

static void on_refused(void *ctx, const struct pv_visit *visit)
{
	struct scene *scene = ctx;
	char sql[80];
	snprintf(sql, sizeof(sql), "INSERT INTO told VALUES(%llu)",
	    (unsigned long long)visit->id);
	pv_database_run(scene->store->database, sql);
}

/* As a policy that has changed is applied, with the note that it is. */
static void rejudge(struct scene *scene)
{
	static const bool is_open[PV_REASON_COUNT];
	struct pv_database *database = scene->store->database;
	struct pv_rejudging rejudging = {
	    .judge = turn_over, .is_open = is_open, .is_of_all = true};
	scene->frontier->on_refused = on_refused;
	scene->frontier->refused_ctx = scene;
	pv_writer_begin(&scene->store->writer);
	pv_frontier_finish_rejudging(scene->frontier);
	if (!pv_database_number(
		database, "SELECT count(*) FROM crawl WHERE name = 'policy'")) {
		pv_frontier_rejudge(scene->frontier, &rejudging);
		pv_database_run(
		    database, "INSERT INTO crawl VALUES('policy', 1)");
	}
	pv_frontier_finish_rejudging(scene->frontier);
	pv_writer_commit(&scene->store->writer);
}

static void begin_round(struct scene *scene)
{
	const struct pv_round_plan plan = {
	    .now_wall_ms = 1000000, .finished_wall_ms = 1};
	if (!pv_round_is_open(scene->store->database))
		pv_frontier_begin_round(scene->frontier, &plan);
}

static void do_nothing(struct scene *scene)
{
	(void)scene;
}

static const struct change {
	const char *name;
	int state; /* of all addresses before it, and after it */
	int state_after;
	int host_after;
	bool is_told;
	void (*make)(struct scene *scene);
} changes[] = {
    {"recovery", 1, 0, 1, false, do_nothing},
    {"another policy", 0, 3, 1, true, rejudge},
    {"an update", 2, 0, 1, false, begin_round},
};

static bool is_made(struct scene *scene, const struct change *change, int rows)
{
	char sql[300];
	snprintf(sql, sizeof(sql),
	    "SELECT (SELECT count(*) FROM addresses WHERE state = %d) = %d AND "
	    "(SELECT count FROM counts WHERE state = %d AND count) = %d AND "
	    "(SELECT count(*) FROM counts WHERE count) = 1 AND "
	    "(SELECT count(*) FROM host_states WHERE state <> %d) = 0",
	    change->state_after, rows, change->state_after, rows,
	    change->host_after);
	return scene_number(scene, sql) == 1 &&
	       scene_number(scene, "SELECT count(*) FROM told") ==
		   (change->is_told ? rows : 0) &&
	       scene_number(
		   scene, "SELECT count(DISTINCT address) FROM told") ==
		   (change->is_told ? rows : 0);
}

static void begin(
    struct scene *scene, const struct change *change, int rows, int text)
{
	scene_init(scene, 16);
	fill(scene, change->state, rows, text);
	scene_close(scene);
	scene->before_start = change->make;
}

/* A log that was too long has given back its room, and is empty. */
static void test_length(const struct change *change)
{
	struct scene scene;
	struct stat facts = {.st_size = 0};
	begin(&scene, change, ADDRESSES, TEXT);
	scene_open(&scene);
	stat(scratch_file(&scene.scratch, "state.db-wal"), &facts);
	ok(facts.st_size > 0 && facts.st_size < WAL_MAX,
	    "P5: %s of %d addresses keeps the log short (%lld MiB)",
	    change->name, ADDRESSES, (long long)facts.st_size >> 20);
	ok(is_made(&scene, change, ADDRESSES), "and is whole");
	scene_finish(&scene);
}

/* The process ends in the commit of that number, counted from the opening of the
 * file; or that commit fails. */
static unsigned commits_left;
static bool is_failing;

static void count_commit(void *ctx, struct pv_database *database)
{
	(void)ctx;
	if (--commits_left)
		return;
	if (!is_failing)
		_exit(7);
	pv_database_fail(database, PV_STORE_FULL, "the disk is full");
}

#define TIME_S 60

/* In a process of its own: whether it has come to its end. */
static bool make_until(
    struct scene *scene, const struct change *change, unsigned commits)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		end_after(TIME_S);
		struct pv_why why;
		struct pv_store_options options = {
		    .directory = scene->scratch.path,
		    .cache_bytes = 4 << 20,
		};
		pv_why_init(&why);
		commits_left = commits;
		scene->store = pv_store_open(&options, &why);
		pv_writer_before_commit(
		    &scene->store->writer, count_commit, NULL);
		scene->frontier =
		    pv_sqlite_frontier_open(scene->store, 16, &why);
		if (scene->frontier)
			change->make(scene);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

#define FEW 12000

static void test_ends(const struct change *change)
{
	unsigned ends = 0, wrong = 0;
	bool is_over = false;
	for (unsigned commits = 1; !is_over && commits < 50; commits++) {
		struct scene scene;
		begin(&scene, change, FEW, 10);
		is_over = make_until(&scene, change, commits);
		ends += !is_over;
		scene_open(&scene);
		wrong += !is_made(&scene, change, FEW);
		scene_finish(&scene);
	}
	ok(is_over && ends >= 4, "%s is cut %u times", change->name, ends);
	ok(!wrong, "P3: and goes on after an end at any of them (%u wrong)",
	    wrong);
}

static void test_fault(const struct change *change)
{
	struct scene scene;
	begin(&scene, change, FEW, 10);
	is_failing = true;
	ok(make_until(&scene, change, 2),
	    "%s comes to an end where a commit fails", change->name);
	is_failing = false;
	scene_open(&scene);
	ok(is_made(&scene, change, FEW),
	    "P3: and goes on as soon as none does");
	scene_finish(&scene);
}

/* A damaged file has an address and a host far behind all others. */
static void test_far(const struct change *change)
{
	static const char *const sql[] = {
	    "UPDATE host_states SET id = 1 << 62 WHERE id = 1",
	    "UPDATE addresses SET host = 1 << 62 WHERE host = 1",
	    "UPDATE addresses SET id = 1 << 62 WHERE id = 1",
	};
	struct scene scene;
	begin(&scene, change, FEW, 10);
	struct pv_database *database =
	    pv_database_open(scratch_file(&scene.scratch, "state.db"));
	for (size_t i = 0; i < sizeof(sql) / sizeof(*sql); i++)
		pv_database_run(database, sql[i]);
	pv_database_close(database);
	ok(make_until(&scene, change, UINT_MAX),
	    "%s of numbers far apart comes to an end", change->name);
	scene.before_start = NULL;
	scene_open(&scene);
	ok(is_made(&scene, change, FEW), "P3: and is whole");
	scene_finish(&scene);
}

/* Long addresses on as many hosts, linked to by one page: 85 MiB at once. */
#define LINKS 20000

/* Rows have cost next to nothing lately. */
static void make_cheap(struct scene *scene)
{
	for (int i = 0; i < 1000; i++)
		pv_wal_note_rows(scene->store->database, 100000);
}

static void test_page(void)
{
	struct scene scene;
	struct stat facts = {.st_size = 0};
	char url[TEXT + 100];
	scene_init(&scene, 16);
	scene_close(&scene);
	scene.before_start = make_cheap;
	scene_open(&scene);
	struct pv_report *report = scene_report(&scene, PV_REPORT_LINKS);
	pv_link_list_finish(&report->links);
	pv_link_list_init(&report->links, SIZE_MAX);
	for (int i = 0; i < LINKS; i++) {
		snprintf(
		    url, sizeof(url), "https://host-%d.test/%0*d", i, TEXT, i);
		scene_link(
		    &scene, report, url, (struct pv_standing){.use = PV_PAGE});
	}
	scene_send(&scene, report);
	scene_settle(&scene);
	stat(scratch_file(&scene.scratch, "state.db-wal"), &facts);
	ok(facts.st_size > 0 && facts.st_size < WAL_MAX,
	    "P5: one page with %d links keeps the log short (%lld MiB)", LINKS,
	    (long long)facts.st_size >> 20);
	ok(scene_number(&scene, "SELECT count(*) FROM addresses") == LINKS,
	    "and all of them are known");
	scene_finish(&scene);
}

/* Hosts that are held when a run ends, each with another state. */
#define HELD 200000

static void on_all_given(
    struct pv_host_returns *giving, enum pv_store_status status)
{
	(void)giving, (void)status;
}

static void hold_hosts(struct scene *scene)
{
	char sql[200];
	snprintf(sql, sizeof(sql),
	    "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
	    "INSERT INTO host_states(id, name, state) SELECT i, 'h' || i, 2 "
	    "FROM n",
	    HELD);
	pv_database_run(scene->store->database, sql);
	pv_writer_before_commit(&scene->store->writer, count_commit, NULL);
	commits_left = UINT_MAX;
}

static void test_stop(void)
{
	struct scene scene;
	struct stat facts = {.st_size = 0};
	struct pv_host_return *items = pv_alloc_array(HELD, sizeof(*items));
	struct pv_host_returns giving = {
	    .items = items, .count = HELD, .done = on_all_given};
	for (size_t i = 0; i < HELD; i++)
		items[i] = (struct pv_host_return){.host_id = i + 1,
		    .state = {.left_ms = 5000, .saved_ms = 1000}};
	scene_init(&scene, 16);
	scene_close(&scene);
	scene.before_start = hold_hosts;
	scene_open(&scene);
	pv_frontier_give_all_hosts(scene.frontier, &giving, scene.now);
	scene_settle(&scene);
	stat(scratch_file(&scene.scratch, "state.db-wal"), &facts);
	ok(UINT_MAX - commits_left > 1 && facts.st_size > 0 &&
		facts.st_size < WAL_MAX,
	    "P5: a stop with %d hosts is cut, into %u, and keeps the log short "
	    "(%lld MiB)",
	    HELD, UINT_MAX - commits_left, (long long)facts.st_size >> 20);
	scene.before_start = NULL;
	scene_close(&scene);
	scene_open(&scene);
	ok(scene_number(&scene,
	       "SELECT count(*) FROM host_states WHERE state = 0 AND left_ms = "
	       "5000 AND NOT owes_delay") == HELD,
	    "P3: and all of them have the clocks that they were given with");
	scene_finish(&scene);
	free(items);
}

int main(void)
{
	test_stop();
	test_page();
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		test_length(&changes[i]);
		test_ends(&changes[i]);
		test_fault(&changes[i]);
		test_far(&changes[i]);
	}
	return tap_done();
}
