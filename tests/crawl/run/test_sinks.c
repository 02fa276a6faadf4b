#include "crawl/run/sinks.h"

#include <errno.h>

#include "crawl/conductor.h"
#include "frontier/scene.h"
#include "store/tables/length.h"

/* So many files has one of them, as a policy may ask for. */
#define SECOND_FILES 200

/* Three sinks of the test's own: one that is not wanted, one without a file,
 * and one with. */
static struct {
	bool can_open;
	bool can_recover;
	const char *prepares_not; /* the one that cannot; NULL: all can */
	int append_error;
	int sync_error;
	unsigned open;
	unsigned prepared;
	uint64_t length;         /* of the file */
	uint64_t recovered;      /* to that */
	uint64_t recovered_last; /* the last of them */
	struct pv_buf appended;  /* what was prepared of it */
	bool turns;              /* goes on with other files ... */
	bool has_turned;         /* ... as it has */
} disk;

static bool no(const struct pv_sink_plan *plan)
{
	(void)plan;
	return false;
}

static bool yes(const struct pv_sink_plan *plan)
{
	(void)plan;
	return true;
}

static struct pv_sink *open_sink(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	if (!disk.can_open) {
		pv_why_add(why, (struct pv_place){.file = plan->directory},
		    PV_STR(""), "cannot be opened");
		return NULL;
	}
	disk.open++;
	return (struct pv_sink *)&disk;
}

static bool recover(
    struct pv_sink *sink, const uint64_t *lengths, struct pv_why *why)
{
	(void)sink;
	(void)why;
	disk.recovered = lengths[0];
	disk.recovered_last = lengths[SECOND_FILES - 1];
	return disk.can_recover;
}

static bool recover_nothing(
    struct pv_sink *sink, const uint64_t *lengths, struct pv_why *why)
{
	(void)sink;
	(void)lengths;
	(void)why;
	return disk.can_recover;
}

static bool prepare_first(
    struct pv_sink *sink, struct pv_page *page, struct pv_buf *part)
{
	(void)sink;
	(void)page;
	pv_buf_append_text(part, "first");
	disk.prepared++;
	return !disk.prepares_not || strcmp(disk.prepares_not, "first") != 0;
}

static bool prepare_second(
    struct pv_sink *sink, struct pv_page *page, struct pv_buf *part)
{
	(void)sink;
	(void)page;
	pv_buf_append_text(part, "second");
	disk.prepared += 10;
	return !disk.prepares_not || strcmp(disk.prepares_not, "second") != 0;
}

static bool append(struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	(void)sink;
	pv_buf_clear(&disk.appended);
	pv_buf_append(&disk.appended, pv_buf_str(entry->part));
	errno = disk.append_error;
	disk.length += disk.append_error ? 0 : 7;
	return !disk.append_error;
}

static bool sync_nothing(struct pv_sink *sink, uint64_t *lengths)
{
	(void)sink;
	(void)lengths;
	return true;
}

/* Of the first and the last of its files. */
static bool sync_file(struct pv_sink *sink, uint64_t *lengths)
{
	(void)sink;
	errno = disk.sync_error;
	if (!disk.sync_error) {
		lengths[0] = disk.length;
		lengths[SECOND_FILES - 1] = 4711;
	}
	return !disk.sync_error;
}

static void close_sink(struct pv_sink *sink)
{
	(void)sink;
	disk.open--;
}

static const struct pv_sink_kind unwanted = {.name = "none", .is_wanted = no};
static const struct pv_sink_kind first = {
    .name = "first",
    .is_wanted = yes,
    .open = open_sink,
    .recover = recover_nothing,
    .prepare = prepare_first,
    .append = append,
    .sync = sync_nothing,
    .close = close_sink,
};
static const char *const *second_files(const struct pv_sink *sink)
{
	static char texts[SECOND_FILES][32];
	static const char *names[SECOND_FILES + 1];
	(void)sink;
	for (unsigned i = 0; i < SECOND_FILES; i++) {
		snprintf(texts[i], sizeof(texts[i]), "second-%u.%s", i,
		    disk.has_turned ? "more" : "txt");
		names[i] = texts[i];
	}
	return names;
}

static bool turn(struct pv_sink *sink)
{
	(void)sink;
	if (!disk.turns)
		return false;
	disk.turns = false;
	disk.has_turned = true;
	disk.length = 0;
	second_files(sink);
	return true;
}

static const struct pv_sink_kind second = {
    .name = "second",
    .files = second_files,
    .is_wanted = yes,
    .open = open_sink,
    .recover = recover,
    .prepare = prepare_second,
    .append = append,
    .sync = sync_file,
    .turn = turn,
    .close = close_sink,
};
const struct pv_sink_kind *const pv_sink_kinds[] = {&unwanted, &first, &second};
const size_t pv_sink_kind_count = 3;

/* Those that write into the state are left out. */
const struct pv_sink_kind *const pv_consumer_kinds[] = {NULL};
const size_t pv_consumer_kind_count = 0;

/* The sinks open between the store and the start of its writer. */
struct desk {
	struct scene scene;
	struct pv_sinks sinks;
	struct pv_page page;
	struct pv_why why;
	bool is_open;
	bool has_fault; /* the database, before they are opened */
};

static struct desk *the_desk;

static void open_sinks(struct scene *scene)
{
	const struct pv_sink_plan plan = {.directory = scene->scratch.path,
	    .round = 1,
	    .database = scene->store->database};
	if (the_desk->has_fault)
		pv_database_fail(
		    scene->store->database, PV_STORE_FAILED, "disk I/O error");
	the_desk->is_open =
	    pv_sinks_open(&the_desk->sinks, &plan, &the_desk->why);
	pv_sinks_join(&the_desk->sinks, &scene->store->writer);
}

static void open_desk(struct desk *desk)
{
	*desk = (struct desk){.is_open = false};
	the_desk = desk;
	disk.can_open = disk.can_recover = true;
	disk.prepares_not = NULL;
	disk.append_error = disk.sync_error = 0;
	disk.prepared = 0;
	pv_why_init(&desk->why);
	pv_page_init(&desk->page);
	scene_init(&desk->scene, 16);
	scene_close(&desk->scene);
	desk->scene.before_start = open_sinks;
	scene_open(&desk->scene);
}

static void close_desk(struct desk *desk)
{
	scene_close(&desk->scene);
	pv_sinks_close(&desk->sinks);
	pv_why_finish(&desk->why);
	pv_page_finish(&desk->page);
	scratch_remove(&desk->scene.scratch);
}

/* A line on its way through the writer. */
struct line {
	struct pv_job job;
	const struct desk *desk;
	enum pv_store_status status;
};

static void run_line(struct pv_job *job, struct pv_database *database)
{
	const struct line *line = (struct line *)job;
	const struct pv_sink_entry entry = {
	    .page = &line->desk->page, .is_final = true, .database = database};
	pv_sinks_append(&line->desk->sinks, &entry);
}

static void on_line(struct pv_job *job, enum pv_store_status status)
{
	struct line *line = (struct line *)job;
	line->status = status;
}

static enum pv_store_status write_line(struct desk *desk)
{
	struct line line = {
	    .job = {.run = run_line, .done = on_line, .rows = 1},
	    .desk = desk,
	};
	pv_writer_send(&desk->scene.store->writer, &line.job, 1000);
	scene_settle(&desk->scene);
	return line.status;
}

static void test_open(void)
{
	struct desk desk;
	open_desk(&desk);
	struct pv_page *page = &desk.page;
	ok(desk.is_open && desk.sinks.count == 2 && disk.open == 2,
	    "the sinks that are wanted are opened");
	ok(pv_sinks_prepare(&desk.sinks, page) && disk.prepared == 11,
	    "a page is prepared by each");
	disk.prepares_not = "second";
	ok(!pv_sinks_prepare(&desk.sinks, page) && disk.prepared == 22,
	    "P3: where one of them cannot, it is not kept");
	disk.prepares_not = "first";
	ok(!pv_sinks_prepare(&desk.sinks, page) && disk.prepared == 23,
	    "and the others are not asked");
	close_desk(&desk);
	ok(disk.open == 0, "all that were opened are closed");
}

static void test_lengths(void)
{
	struct desk desk;
	disk.length = 0;
	open_desk(&desk);
	ok(disk.recovered == 0, "a new crawl has nothing to recover");
	pv_sinks_prepare(&desk.sinks, &desk.page);
	ok(write_line(&desk) == PV_STORE_OK && disk.length == 14,
	    "a line is appended to each");
	is_text(pv_buf_str(&disk.appended), "second",
	    "and each has what it prepared itself");
	ok(pv_page_bytes(&desk.page) >= strlen("firstsecond"),
	    "P5: which is counted among the bytes that are held");
	ok(scene_number(&desk.scene,
	       "SELECT length FROM files WHERE name = 'second-0.txt'") == 14,
	    "P3: how long a file is is committed with what it says");
	ok(scene_number(&desk.scene, "SELECT length FROM files WHERE name = "
				     "'second-199.txt'") == 4711,
	    "P3: of each of its files");
	write_line(&desk);
	ok(scene_number(&desk.scene, "SELECT length FROM files WHERE name = "
				     "'second-0.txt'") == 28,
	    "P3: and again when it has grown");
	ok(scene_number(&desk.scene, "SELECT count(*) FROM files") ==
		SECOND_FILES,
	    "of those that have some");
	scene_close(&desk.scene);
	pv_sinks_close(&desk.sinks);
	disk.length = 99;
	scene_open(&desk.scene);
	ok(disk.recovered == 28 && disk.recovered_last == 4711,
	    "P3: and what lies beyond it is cut in the next run");
	close_desk(&desk);
}

/* The state never knows of the ones without the others. */
static void test_turning(void)
{
	struct desk desk;
	disk.length = 0;
	open_desk(&desk);
	pv_sinks_prepare(&desk.sinks, &desk.page);
	disk.turns = true;
	ok(write_line(&desk) == PV_STORE_OK &&
		scene_number(&desk.scene, "SELECT length FROM files WHERE "
					  "name = 'second-0.txt'") == 14 &&
		scene_number(&desk.scene, "SELECT length FROM files WHERE "
					  "name = 'second-0.more'") == 0 &&
		scene_number(&desk.scene, "SELECT count(*) FROM files") ==
		    2 * SECOND_FILES,
	    "P3: files that take the place of others are committed with them");
	write_line(&desk);
	ok(scene_number(&desk.scene, "SELECT length FROM files WHERE "
				     "name = 'second-0.txt'") == 14 &&
		scene_number(&desk.scene, "SELECT length FROM files WHERE "
					  "name = 'second-0.more'") == 14,
	    "P3: and from then on they grow");
	close_desk(&desk);
	disk.has_turned = false;
}

/* A length that cannot be read is not a length of none. */
static void test_unread(void)
{
	struct desk desk;
	open_desk(&desk);
	scene_close(&desk.scene);
	pv_sinks_close(&desk.sinks);
	desk.has_fault = true;
	disk.recovered = 4711;
	scene_open(&desk.scene);
	ok(!desk.is_open && disk.recovered == 4711,
	    "P3: where the state cannot be read, nothing is cut");
	ok(strstr(desk.why.problems.kept[0].text, "disk I/O error") &&
		strstr(desk.why.problems.kept[0].file, "/state.db"),
	    "P4: and it says so");
	close_desk(&desk);
}

static void test_faults(void)
{
	static const struct {
		int error;
		enum pv_store_status status;
	} faults[] = {{ENOSPC, PV_STORE_FULL}, {EDQUOT, PV_STORE_FULL},
	    {EFBIG, PV_STORE_FULL}, {EIO, PV_STORE_FAILED},
	    {EROFS, PV_STORE_FAILED}};
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		struct desk desk;
		open_desk(&desk);
		disk.append_error = faults[i].error;
		ok(write_line(&desk) == faults[i].status,
		    "P3: what cannot be appended is not committed: %s",
		    strerror(faults[i].error));
		disk.append_error = 0;
		ok(write_line(&desk) == faults[i].status,
		    "nor anything after it");
		close_desk(&desk);
		open_desk(&desk);
		disk.sync_error = faults[i].error;
		ok(write_line(&desk) == faults[i].status,
		    "P3: nor what cannot be brought to the disk");
		ok(strstr(pv_database_fault(desk.scene.store->database),
		       "cannot write the second"),
		    "P4: and it is said which of them");
		close_desk(&desk);
	}
}

static void test_not_opened(void)
{
	struct scene scene;
	struct pv_sinks sinks;
	struct pv_why why;
	const struct pv_sink_plan plan = {.directory = "here", .round = 1};
	scene_init(&scene, 16);
	scene_close(&scene);
	pv_why_init(&why);
	disk.can_open = false;
	ok(!pv_sinks_open(&sinks, &plan, &why) && pv_why_has_problems(&why),
	    "P4: a sink that cannot be opened says why");
	pv_sinks_close(&sinks);
	disk.can_open = true;
	disk.can_recover = false;
	ok(!pv_sinks_open(&sinks, &plan, &why),
	    "P3: nor is one used that cannot be put in order");
	pv_sinks_close(&sinks);
	ok(disk.open == 0, "in any case they can be closed");
	pv_why_finish(&why);
	scratch_remove(&scene.scratch);
}

int main(void)
{
	pv_buf_init(&disk.appended, 100);
	test_open();
	test_lengths();
	test_turning();
	test_unread();
	test_faults();
	test_not_opened();
	pv_buf_finish(&disk.appended);
	return tap_done();
}
