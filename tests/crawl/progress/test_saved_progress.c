#include "crawl/progress/saved_progress.h"

#include "base/system.h"
#include "crawl/conductor.h"
#include "crawl/progress/tally.h"
#include "frontier/scene.h"
#include "store/tables/note.h"

/* A crawl of which there is but a store and how far it is. */
static void open_crawl(struct pv_crawl *crawl, struct scene *scene)
{
	scene_init(scene, 16);
	*crawl = (struct pv_crawl){
	    .store = scene->store,
	    .frontier = scene->frontier,
	    .now = {1000, 1700000000123},
	};
	pv_outbox_init(&crawl->outbox, scene->frontier, &scene->store->writer);
}

static void keep(struct pv_crawl *crawl, struct scene *scene)
{
	pv_saved_progress_keep(crawl);
	scene_settle(scene);
}

static struct pavane_status *read_status(const char *directory)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pavane_status *status =
	    pv_saved_progress_read(directory, 0, &why);
	if (!status && why.problems.kept_count)
		printf("# %s\n", why.problems.kept[0].text);
	pv_why_finish(&why);
	return status;
}

static struct pavane_percentiles percentiles(double from)
{
	return (struct pavane_percentiles){
	    from + 0.125, from + 0.25, from + 0.5, (uint64_t)from};
}

static bool are_same(struct pavane_percentiles a, struct pavane_percentiles b)
{
	return a.p50_ms == b.p50_ms && a.p95_ms == b.p95_ms &&
	       a.p99_ms == b.p99_ms && a.count == b.count;
}

/* Every number is another, so that none can stand for the next. */
static void fill(struct pavane_progress *progress)
{
	*progress = (struct pavane_progress){
	    .phase = PAVANE_DRAINING,
	    .end = PAVANE_LIMITED,
	    .elapsed_ms = 101,
	    .drain_left_ms = 102,
	    .failed = 107,
	    .requests = 108,
	    .pages = 109,
	    .bytes = (uint64_t)1 << 62,
	    .pages_per_second = 111.5,
	    .requests_per_second = 112.25,
	    .bytes_per_second = 1e12,
	    .in_flight = 114,
	    .concurrency = 115,
	    .open = 116,
	    .hosts = 117,
	    .hosts_waiting = 118,
	    .next_ms = 119,
	    .left_ms = -1,
	    .name = percentiles(200),
	    .connect = percentiles(300),
	    .first_byte = percentiles(400),
	    .total = percentiles(500),
	    .pool = {-1, -1, -1, 0},
	    .blocked_ms = 121,
	    .turn_cpu_ms = 12,
	    .note = "docs.example.org rests until 14:03",
	    .held_by = "the policy holds it \xe2\x80\x93 97 %",
	};
	pv_tally_add(&progress->waiting, "retry-after", "not kept", 7);
	pv_tally_add(&progress->waiting, "delay", "not kept", 3);
	pv_tally_add(&progress->statuses, "200", "", 900);
	pv_tally_add(&progress->statuses, "404", "", UINT64_MAX);
}

static void test_numbers(
    const struct pavane_progress *wrote, const struct pavane_progress *read)
{
	ok(read->phase == wrote->phase && read->end == wrote->end,
	    "where it is, and how it ended");
	ok(read->elapsed_ms == 101 && read->failed == 107 &&
		read->requests == 108 && read->pages == 109 &&
		read->bytes == wrote->bytes,
	    "what this run has done");
	ok(read->pages_per_second == wrote->pages_per_second &&
		read->requests_per_second == wrote->requests_per_second &&
		read->bytes_per_second == wrote->bytes_per_second,
	    "how fast");
	ok(read->in_flight == 114 && read->concurrency == 115 &&
		read->open == 116 && read->hosts == 117 &&
		read->hosts_waiting == 118,
	    "how many are at it");
	ok(read->next_ms == 119 && read->left_ms == -1 &&
		read->blocked_ms == 121 && read->turn_cpu_ms == 12,
	    "and for how long");
	ok(are_same(read->name, wrote->name) &&
		are_same(read->connect, wrote->connect) &&
		are_same(read->first_byte, wrote->first_byte) &&
		are_same(read->total, wrote->total) &&
		are_same(read->pool, wrote->pool),
	    "what took how long, each by its name");
	ok(read->drain_left_ms < 0,
	    "what was true for a moment is not told later");
}

static void test_texts(const struct pavane_progress *read)
{
	is_text(pv_str_of(read->note), "docs.example.org rests until 14:03",
	    "P4: the note");
	is_text(pv_str_of(read->held_by),
	    "the policy holds it \xe2\x80\x93 97 %", "and who holds it");
	if (!ok(read->waiting.count == 2 && read->statuses.count == 2,
		"as many tallies"))
		return;
	is_text(pv_str_of(read->waiting.items[0].word), "retry-after",
	    "in their order");
	is_text(pv_str_of(read->waiting.items[0].sentence),
	    pv_wait_text(PV_WAIT_RETRY_AFTER), "with their sentences");
	ok(read->waiting.items[0].count == 7 &&
		read->waiting.items[1].count == 3,
	    "and their counts");
	is_text(pv_str_of(read->statuses.items[1].word), "404", "statuses too");
	ok(read->statuses.items[1].count == UINT64_MAX,
	    "however many they are");
}

static void test_there_and_back(void)
{
	struct scene scene;
	struct pv_crawl crawl;
	open_crawl(&crawl, &scene);
	pv_note_set_text(scene.store->database, PV_STR("name"), PV_STR("docs"));
	fill(&crawl.progress.figures);
	keep(&crawl, &scene);
	ok(crawl.outbox.under_way == 0, "the paper has come back");
	struct pavane_status *status = read_status(scene.scratch.path);
	if (!ok(status != NULL, "what was kept can be read while it runs")) {
		scene_finish(&scene);
		return;
	}
	ok(status->is_running && status->process == getpid(),
	    "and by whom it is run");
	ok(status->as_of_ms == 1700000000123, "and of when it is");
	is_text(pv_str_of(status->name), "docs", "what it is called");
	test_numbers(&crawl.progress.figures, status->progress);
	test_texts(status->progress);
	pv_saved_progress_destroy(status);
	scene_close(&scene);
	status = read_status(scene.scratch.path);
	ok(status && !status->is_running && status->process == 0,
	    "afterwards nobody runs it");
	ok(status && status->progress->requests == 108,
	    "and it says what it said");
	pv_saved_progress_destroy(status);
	scratch_remove(&scene.scratch);
}

/* Addresses are counted by the frontier, not by who keeps a status. */
static void test_counts(void)
{
	struct scene scene;
	struct pv_crawl crawl;
	open_crawl(&crawl, &scene);
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://x.example/b", 1);
	scene_add_page(&scene, "https://x.example/c", 1);
	scene_add(&scene, "https://y.example/",
	    (struct pv_standing){
		.use = PV_REFUSED, .verdict.reason = PV_REASON_HOST});
	uint64_t host = scene_take_host(&scene);
	struct pv_visit visit = scene_take_visit(&scene, host);
	scene_take_visit(&scene, host);
	scene_end_visit(
	    &scene, &visit, (struct pv_result){.outcome = PV_OUTCOME_TIMEOUT});
	struct pavane_status *status = read_status(scene.scratch.path);
	if (ok(status != NULL, "a crawl that has kept nothing yet is one")) {
		const struct pavane_progress *progress = status->progress;
		ok(progress->known == 4 && progress->pending == 2 &&
			progress->done == 1 && progress->refused == 1,
		    "P3: each address is where it is, in flight is pending");
		ok(progress->refusals.count == 1 &&
			progress->refusals.items[0].count == 1 &&
			progress->outcomes.count == 1,
		    "P4: refusals and outcomes have their tallies");
		ok(status->as_of_ms == 0 && !status->name[0] &&
			!progress->note[0] && !progress->held_by[0],
		    "and nothing is made up");
	}
	pv_saved_progress_destroy(status);
	scene_finish(&scene);
}

/* Again and again: the last counts, and the writer's group is small. */
static void test_often(void)
{
	struct scene scene;
	struct pv_crawl crawl;
	open_crawl(&crawl, &scene);
	for (uint64_t i = 1; i <= 20; i++) {
		crawl.progress.figures.requests = i;
		keep(&crawl, &scene);
	}
	struct pavane_status *status = read_status(scene.scratch.path);
	ok(status && status->progress->requests == 20, "the last one counts");
	pv_saved_progress_destroy(status);
	scene_finish(&scene);
}

/* Hosts that are paused in all crawls of the process */

static void says_pauses(
    const char *directory, int64_t wall_ms, const char *want, const char *claim)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pavane_status *status =
	    pv_saved_progress_read(directory, wall_ms, &why);
	const char *said = status ? status->progress->pauses : NULL;
	ok(said && (*want ? strstr(said, want) != NULL : !*said), "%s: \"%s\"",
	    claim, said ? said : "nothing");
	pv_saved_progress_destroy(status);
	pv_why_finish(&why);
}

static void test_shared_pauses(void)
{
	struct scene scene;
	struct pv_crawl crawl;
	const struct pv_str host = PV_STR("docs.example.org");
	open_crawl(&crawl, &scene);
	crawl.run.number = 4;
	scene_add_page(&scene, "https://docs.example.org/", 1);
	pv_note_set(scene.store->database, PV_STR("runs"), 4);
	ok(pv_saved_progress_has_pauses(&crawl), "no pauses need no note");
	pv_orders_pause(&crawl.control.shared, host, 1000, 9000);
	pv_orders_say_why(&crawl.control.shared, host, PV_STR("it moves"));
	crawl.control.shared_version = 1;
	ok(!pv_saved_progress_has_pauses(&crawl), "others do");
	keep(&crawl, &scene);
	ok(pv_saved_progress_has_pauses(&crawl), "and are kept once");
	says_pauses(scene.scratch.path, 5000,
	    "docs.example.org is paused since ",
	    "P4: a host that is paused in all crawls is said");
	says_pauses(scene.scratch.path, 5000,
	    " by the program that runs the crawl (it moves)",
	    "P4: with who pauses it, and why");
	says_pauses(scene.scratch.path, 9000, "", "until it is over");
	pv_orders_pause(&crawl.control.shared, PV_STR("x.example"), 1000, 9500);
	crawl.control.shared_version = 2;
	keep(&crawl, &scene);
	says_pauses(scene.scratch.path, 9000, "",
	    "one of a host that the crawl does not have is none of its");
	keep(&crawl, &scene);
	says_pauses(scene.scratch.path, 5000, "docs.example.org",
	    "what has not changed stays");
	pv_note_set(scene.store->database, PV_STR("runs"), 5);
	says_pauses(scene.scratch.path, 5000, "", "in a later run it is over");
	pv_note_set(scene.store->database, PV_STR("runs"), 4);
	scene_close(&scene);
	says_pauses(scene.scratch.path, 5000, "", "and when nobody runs it");
	pv_orders_finish(&crawl.control.shared);
	scratch_remove(&scene.scratch);
}

/* What is none */

static void is_none(const char *directory, const char *claim)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pavane_status *status =
	    pv_saved_progress_read(directory, 0, &why);
	ok(!status && why.problems.count == 1 &&
		strstr(why.problems.kept[0].text, "is not a crawl's directory"),
	    "%s", claim);
	pv_saved_progress_destroy(status);
	pv_why_finish(&why);
}

static void test_none(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	is_none("/nowhere/at/all", "a directory that is not there is none");
	is_none(scratch.path, "nor is an empty one");
	ok(access(scratch_file(&scratch, "state.db"), F_OK) != 0 &&
		access(scratch_file(&scratch, "state.lock"), F_OK) != 0,
	    "and to look makes nothing");
	FILE *file = fopen(scratch_file(&scratch, "state.db"), "w");
	for (int i = 0; i < 1000; i++)
		fputs("no database at all", file);
	fclose(file);
	is_none(scratch.path, "nor one with another file of that name");
	unlink(scratch_file(&scratch, "state.db"));
	struct pv_database *other =
	    pv_database_open(scratch_file(&scratch, "state.db"));
	pv_database_run(other, "CREATE TABLE t(x)");
	pv_database_close(other);
	is_none(scratch.path, "nor one with another program's database");
	pv_saved_progress_destroy(NULL);
	scratch_remove(&scratch);
}

/* Tallies out of a file that somebody has been at. */
static void test_strange(void)
{
	static const char *const texts[] = {"", " ", "\n", "delay", "delay ",
	    "delay x", " 5\n", "delay 99999999999999999999999\n",
	    "delay 5\nslow", "delay 5\nslow ", "delay 5 slow 6\n",
	    "delay 5\n\n\n", "nobody-knows 3\n"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct scene scene;
		struct pv_crawl crawl;
		open_crawl(&crawl, &scene);
		pv_note_set_text(scene.store->database,
		    PV_STR("status.waiting"), pv_str_of(texts[i]));
		struct pavane_status *status = read_status(scene.scratch.path);
		bool is_fine = status && status->progress->waiting.count <= 2;
		for (size_t j = 0;
		     is_fine && j < status->progress->waiting.count; j++)
			is_fine = status->progress->waiting.items[j].word &&
				  status->progress->waiting.items[j].sentence;
		ok(is_fine, "strange tallies do no harm: %zu", i);
		pv_saved_progress_destroy(status);
		scene_finish(&scene);
	}
}

int main(void)
{
	test_there_and_back();
	test_counts();
	test_often();
	test_shared_pauses();
	test_none();
	test_strange();
	return tap_done();
}
