#include "crawl/consumers/program_sink.h"

#include "crawl/consumers/consumers.h"
#include "crawl/run/sinks.h"
#include "frontier/scene.h"

/* Sinks of a program alone, without any of ours. What they do in a crawl:
 * tests/api/crawl/test_sinks.c. */
const struct pv_sink_kind *const pv_sink_kinds[] = {NULL};
const size_t pv_sink_kind_count = 0;
const struct pv_sink_kind *const pv_consumer_kinds[] = {NULL};
const size_t pv_consumer_kind_count = 0;

struct calls {
	unsigned recovers;
	unsigned appends;
	unsigned closes;
};

static bool recover(void *ctx, uint64_t length, struct pavane_fault *fault)
{
	struct calls *calls = ctx;
	(void)length;
	(void)fault;
	calls->recovers++;
	return true;
}

static bool append(
    void *ctx, const struct pavane_entry *entry, struct pavane_fault *fault)
{
	struct calls *calls = ctx;
	(void)entry;
	(void)fault;
	calls->appends++;
	return true;
}

static bool sync_nothing(
    void *ctx, uint64_t *length, struct pavane_fault *fault)
{
	(void)ctx;
	(void)length;
	(void)fault;
	return true;
}

static void close_sink(void *ctx)
{
	struct calls *calls = ctx;
	calls->closes++;
}

static struct pavane_sink sink_of(struct calls *calls)
{
	return (struct pavane_sink){
	    .size = sizeof(struct pavane_sink),
	    .name = "own",
	    .ctx = calls,
	    .recover = recover,
	    .append = append,
	    .sync = sync_nothing,
	    .close = close_sink,
	};
}

/* The same one so many times; whether they could be opened. */
static bool open_and_close(
    struct pv_database *database, size_t count, struct calls *calls)
{
	const struct pavane_sink sink = sink_of(calls);
	const struct pavane_sink *list[PV_SINKS_MAX + 1];
	struct pv_sinks sinks;
	struct pv_why why;
	for (size_t i = 0; i < count; i++)
		list[i] = &sink;
	const struct pv_sink_plan plan = {
	    .directory = "here",
	    .round = 1,
	    .database = database,
	    .own_sinks = list,
	    .own_sink_count = count,
	};
	pv_why_init(&why);
	bool is_open = pv_sinks_open(&sinks, &plan, &why);
	pv_sinks_close(&sinks);
	is_open = is_open && !pv_why_has_problems(&why);
	pv_why_finish(&why);
	return is_open;
}

static void test_room(struct pv_database *database)
{
	struct calls calls = {0};
	ok(open_and_close(database, PV_SINKS_MAX, &calls) &&
		calls.recovers == PV_SINKS_MAX && calls.closes == PV_SINKS_MAX,
	    "as many sinks are opened as a page has parts");
	calls = (struct calls){0};
	ok(!open_and_close(database, PV_SINKS_MAX + 1, &calls) &&
		calls.closes == calls.recovers,
	    "one more is refused, and the others are closed");
}

/* A robots.txt, or a refusal, of which the program is shown nothing. */
static void test_not_shown(struct pv_database *database)
{
	struct calls calls = {0};
	const struct pavane_sink sink = sink_of(&calls);
	const struct pv_sink_plan plan = {
	    .own_sink = &sink, .database = database};
	const struct pv_sink_kind *kind = &pv_consumer_program_sink;
	struct pv_sink *opened = kind->open(&plan, NULL);
	struct pv_page page;
	pv_page_init(&page);
	const struct pv_sink_entry entry = {
	    .page = &page, .part = &page.parts[0], .database = database};
	ok(kind->prepare(opened, &page, &page.parts[0]) && !page.is_shown &&
		kind->append(opened, &entry) && !calls.appends,
	    "what the program is not shown it does not append");
	kind->close(opened);
	pv_page_finish(&page);
}

/* By a length that could not be read all would be cut. */
static void test_unreadable(struct pv_database *database)
{
	struct calls calls = {0};
	pv_database_fail(database, PV_STORE_FAILED, "disk I/O error");
	ok(!open_and_close(database, 1, &calls) && !calls.recovers,
	    "P3: with a state that cannot be read nothing is cut");
	ok(!calls.closes, "nor closed what was not recovered");
}

int main(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	struct pv_database *database = scene.store->database;
	pv_writer_stop(&scene.store->writer);
	test_room(database);
	test_not_shown(database);
	test_unreadable(database);
	scene_close(&scene);
	scratch_remove(&scene.scratch);
	return tap_done();
}
