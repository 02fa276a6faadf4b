#include "crawl/visit/part_files.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "crawl/conductor.h"
#include "crawl/visit/flight.h"
#include "crawl/visit/resume.h"
#include "record/response.h"
#include "scratch.h"
#include "tap.h"

static void test_files(struct pv_crawl *crawl, struct scratch *scratch)
{
	ok(!pv_part_files_has(crawl->directory, 7, 0),
	    "at first there is none");
	int file = pv_part_files_make(crawl->directory, 7);
	ok(file >= 0 && write(file, "part", 4) == 4, "one is made");
	close(file);
	ok(pv_part_files_has(crawl->directory, 7, 4) &&
		pv_part_files_has(crawl->directory, 7, 2) &&
		!pv_part_files_has(crawl->directory, 7, 5),
	    "it has so many bytes, and no more");
	struct stat facts;
	ok(stat(scratch_file(scratch, "parts/7"), &facts) == 0 &&
		(facts.st_mode & 0777) == 0600,
	    "P7: it is nobody else's to read");
	file = pv_part_files_take(crawl->directory, 7);
	char bytes[4] = "";
	ok(file >= 0 && pread(file, bytes, 4, 0) == 4 &&
		memcmp(bytes, "part", 4) == 0,
	    "it can be taken");
	close(file);
	file = pv_part_files_make(crawl->directory, 7);
	ok(file >= 0 && !pv_part_files_has(crawl->directory, 7, 1),
	    "and made anew");
	close(file);
	pv_part_files_remove(crawl->directory, 7);
	pv_part_files_remove(crawl->directory, 7);
	ok(!pv_part_files_has(crawl->directory, 7, 0) &&
		pv_part_files_take(crawl->directory, 7) < 0,
	    "and removed, twice as well");
}

static void make_file(const char *path)
{
	FILE *file = fopen(path, "w");
	if (file)
		fclose(file);
}

static void test_links(struct pv_crawl *crawl, struct scratch *scratch)
{
	ok(symlink("../elsewhere", scratch_file(scratch, "parts/8")) == 0,
	    "where a link stands in its place");
	ok(!pv_part_files_has(crawl->directory, 8, 0) &&
		pv_part_files_take(crawl->directory, 8) < 0,
	    "it is none of ours");
	int file = pv_part_files_make(crawl->directory, 8);
	ok(file >= 0 && access(scratch_file(scratch, "elsewhere"), F_OK) != 0,
	    "and nothing is written where it leads");
	close(file);
	pv_part_files_remove(crawl->directory, 8);
	make_file(scratch_file(scratch, "elsewhere"));
	(void)!symlink("../elsewhere", scratch_file(scratch, "parts/9"));
	ok(!pv_part_files_has(crawl->directory, 9, 0) &&
		pv_part_files_take(crawl->directory, 9) < 0,
	    "P5: nor is it where there is a file behind it");
	pv_part_files_remove(crawl->directory, 9);
	ok(unlink(scratch_file(scratch, "elsewhere")) == 0,
	    "which stays where it is");
}

/* Only what the state refers to is kept, under its own name. */
static void test_sweep(struct pv_crawl *crawl, struct scratch *scratch)
{
	static const char *const others[] = {"parts/8", "parts/07", "parts/x"};
	struct pv_store store = {
	    .database = pv_database_open(scratch_file(scratch, "state.db"))};
	pv_database_run(store.database,
	    "CREATE TABLE parts(address INTEGER PRIMARY KEY, size, complete, "
	    "gains, digest, validator, headers); "
	    "INSERT INTO parts(address, size) VALUES(7, 40), (12, 2)");
	mkdir(scratch_file(scratch, "parts"), 0700);
	make_file(scratch_file(scratch, "parts/7"));
	for (size_t i = 0; i < 3; i++)
		make_file(scratch_file(scratch, others[i]));
	crawl->store = &store;
	pv_part_files_open(crawl);
	ok(access(scratch_file(scratch, "parts/7"), F_OK) == 0,
	    "P3: what the state refers to is kept");
	for (size_t i = 0; i < 3; i++)
		ok(access(scratch_file(scratch, others[i]), F_OK) != 0,
		    "P5: %s is swept away", others[i]);
	ok(crawl->part_files.count == 2 && crawl->part_files.bytes == 42,
	    "how many there are, and how large, is known");
	pv_part_files_remove(crawl->directory, 7);
	pv_database_close(store.database);
	crawl->store = NULL;
}

/* The ceilings. */
static enum pv_part_plan plan_of(struct pv_crawl *crawl)
{
	struct pv_flight *open = calloc(1, sizeof(*open));
	struct pv_task *task = calloc(1, sizeof(*task));
	open->crawl = crawl;
	task->visit.id = 1;
	open->task = task;
	open->kind = PV_REPORT_AGAIN;
	pv_buf_init(&open->part.texts, 10000);
	pv_response_init(&open->response, ".", SIZE_MAX);
	open->response.outcome = PV_OUTCOME_BROKEN_OFF;
	open->response.http_status = 200;
	open->response.stage = PV_STAGE_BODY;
	open->response.length = 2 * PV_PART_BYTES_MIN;
	pv_headers_add(
	    &open->response.headers, PV_STR("ETag"), PV_STR("\"a\""));
	open->response.body.size = PV_PART_BYTES_MIN;
	pv_resume_plan(open);
	enum pv_part_plan plan = open->part.plan;
	open->response.body.size = 0;
	pv_buf_finish(&open->part.texts);
	pv_response_finish(&open->response);
	free(open);
	free(task);
	return plan;
}

static void test_ceilings(struct pv_crawl *crawl)
{
	crawl->part_files =
	    (struct pv_part_files){.count = PV_PART_FILES_MAX - 1,
		.bytes = PV_PART_FILES_BYTES_MAX - PV_PART_BYTES_MIN};
	ok(plan_of(crawl) == PV_PART_BEGIN &&
		crawl->part_files.count == PV_PART_FILES_MAX &&
		crawl->part_files.bytes == PV_PART_FILES_BYTES_MAX,
	    "P5: there is room up to the ceilings");
	ok(plan_of(crawl) == PV_PART_AS_IT_IS, "P5: and not beyond");
	crawl->part_files.count = 0;
	ok(plan_of(crawl) == PV_PART_AS_IT_IS, "P5: be it of bytes");
	crawl->part_files = (struct pv_part_files){.count = PV_PART_FILES_MAX};
	ok(plan_of(crawl) == PV_PART_AS_IT_IS, "P5: or of files");
	crawl->part_files.count = 0;
	crawl->backpressure.disk.is_short = true;
	ok(plan_of(crawl) == PV_PART_AS_IT_IS,
	    "P5: nor where the disk has no room");
}

/* Where what came cannot be kept, the try counts: else it would be made for
 * ever. */
static bool has_gained(struct pv_crawl *crawl, uint64_t bytes, uint32_t gains)
{
	struct pv_flight *open = calloc(1, sizeof(*open));
	struct pv_task *task = calloc(1, sizeof(*task));
	open->crawl = crawl;
	open->task = task;
	open->part.is_continuing = true;
	open->part.part.gains = gains;
	open->response.outcome = PV_OUTCOME_TIMEOUT;
	open->response.http_status = 206;
	open->response.stage = PV_STAGE_BODY;
	open->response.body.size = bytes;
	bool is_gain = pv_resume_has_gained(open);
	free(open);
	free(task);
	return is_gain;
}

static void test_gains(struct pv_crawl *crawl)
{
	struct pv_policy policy = {.fetch.retries = 1};
	crawl->policy = &policy;
	crawl->backpressure.disk.is_short = false;
	crawl->part_files = (struct pv_part_files){.count = 0};
	ok(has_gained(crawl, PV_PART_BYTES_MIN, 0) &&
		has_gained(crawl, PV_PART_BYTES_MIN, 99),
	    "a try that brought enough does not count");
	ok(!has_gained(crawl, PV_PART_BYTES_MIN - 1, 0),
	    "one that brought less does");
	ok(!has_gained(crawl, PV_PART_BYTES_MIN, 100),
	    "P5: and so do all after a hundred");
	crawl->backpressure.disk.is_short = true;
	ok(!has_gained(crawl, PV_PART_BYTES_MIN, 0),
	    "and those whose bytes cannot be kept");
	crawl->backpressure.disk.is_short = false;
	policy.fetch.retries = 0;
	ok(!has_gained(crawl, PV_PART_BYTES_MIN, 0),
	    "and where nothing is to be tried again");
}

/* What becomes of a visit whose part came out of the pool like that. */
static enum pv_report_kind kind_after(struct pv_crawl *crawl,
    enum pv_report_kind kind, enum pv_part_result result)
{
	struct pv_flight *open = calloc(1, sizeof(*open));
	open->crawl = crawl;
	open->kind = kind;
	open->part.result = result;
	kind = pv_resume_kind(open);
	free(open);
	return kind;
}

static void test_results(struct pv_crawl *crawl)
{
	ok(kind_after(crawl, PV_REPORT_ONWARD, PV_PART_FINE) ==
		PV_REPORT_ONWARD,
	    "a try whose bytes are kept does not count");
	ok(kind_after(crawl, PV_REPORT_ONWARD, PV_PART_UNWRITTEN) ==
		PV_REPORT_AGAIN,
	    "P3: one whose bytes could not be kept does");
	ok(kind_after(crawl, PV_REPORT_AGAIN, PV_PART_UNWRITTEN) ==
		PV_REPORT_AGAIN,
	    "and so does one that failed anyway");
	ok(kind_after(crawl, PV_REPORT_DONE, PV_PART_DAMAGED) ==
		PV_REPORT_LATER,
	    "P3: what was damaged here is asked for again, and it counts not");
}

/* Parts of bodies and their files: what is begun, made longer and put together,
 * and what a disk that fails leaves of them (P3, P5). */

#define FIRST "the first half, "
#define REST "and the rest"
#define ID 7

static struct scratch place;

/* An answer that is read. */
struct reading {
	struct pv_resumption part;
	struct pv_response response;
	struct pv_digester *digester;
	int error; /* of a whole that could not be put together */
};

static struct reading *begin(
    enum pv_part_plan plan, bool is_gain, const char *body)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	pv_resumption_init(&reading->part);
	reading->part.address = ID;
	reading->part.had_part = true;
	reading->part.plan = plan;
	reading->part.is_gain = is_gain;
	reading->digester = pv_digester_create();
	pv_response_init(&reading->response, ".", SIZE_MAX);
	pv_body_append(&reading->response.body, pv_str_of(body));
	return reading;
}

static void end(struct reading *reading)
{
	pv_digester_destroy(reading->digester);
	pv_response_finish(&reading->response);
	pv_resumption_finish(&reading->part);
	free(reading);
}

static void digest_of(const char *text, uint8_t digest[PV_DIGEST_SIZE])
{
	struct pv_digester *digester = pv_digester_create();
	pv_digester_append(digester, pv_str_of(text));
	pv_digester_end(digester, digest);
	pv_digester_destroy(digester);
}

static bool is_digest_of(const struct pv_part *part, const char *text)
{
	uint8_t digest[PV_DIGEST_SIZE];
	digest_of(text, digest);
	return memcmp(digest, part->digest, sizeof(digest)) == 0;
}

/* The part that the state tells of. */
static void set_part(struct reading *reading, const char *text)
{
	struct pv_part *part = &reading->part.part;
	part->size = strlen(text);
	part->complete = strlen(FIRST REST);
	digest_of(text, part->digest);
}

static void write_file(const char *text)
{
	int file = pv_part_files_make(place.path, ID);
	ok(file >= 0 &&
		write(file, text, strlen(text)) == (ssize_t)strlen(text),
	    "a part is there");
	close(file);
}

static bool is_file(const char *text)
{
	char found[200] = "";
	FILE *file = fopen(scratch_file(&place, "parts/7"), "r");
	if (!file)
		return !text;
	found[fread(found, 1, sizeof(found) - 1, file)] = '\0';
	fclose(file);
	return text && strcmp(found, text) == 0;
}

/* No file may be longer: for a disk that is full. */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit;
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static void run(struct reading *reading)
{
	if (!pv_part_files_run(place.path, &reading->part, &reading->response,
		reading->digester))
		reading->error = errno;
}

static void test_begin(void)
{
	struct reading *reading = begin(PV_PART_BEGIN, true, FIRST);
	run(reading);
	ok(reading->part.is_kept && !reading->part.is_dropped &&
		reading->part.result == PV_PART_FINE &&
		is_digest_of(&reading->part.part, FIRST) && is_file(FIRST),
	    "what was broken off is kept, with its digest");
	ok(reading->part.came_bytes == strlen(FIRST),
	    "and how much came is known");
	end(reading);
	limit_files(4);
	reading = begin(PV_PART_BEGIN, true, FIRST);
	run(reading);
	limit_files(RLIM_INFINITY);
	ok(!reading->part.is_kept && reading->part.is_dropped &&
		reading->part.result == PV_PART_UNWRITTEN && is_file(NULL),
	    "P3: what the disk has no room for is dropped, and the try counts");
	end(reading);
}

static void test_lengthen(void)
{
	struct reading *reading = begin(PV_PART_LONGER, true, REST);
	write_file(FIRST "never committed");
	set_part(reading, FIRST);
	run(reading);
	struct pv_part *part = &reading->part.part;
	ok(reading->part.is_kept && part->gains == 1 &&
		part->size == strlen(FIRST REST) &&
		is_digest_of(part, FIRST REST),
	    "what came behind a part makes it longer");
	end(reading);
	reading = begin(PV_PART_LONGER, false, REST);
	write_file(FIRST);
	set_part(reading, FIRST);
	run(reading);
	ok(reading->part.part.gains == 0 && is_file(FIRST REST),
	    "which counts as a gain only where it was enough");
	end(reading);
	reading = begin(PV_PART_LONGER, true, REST);
	write_file("another half... ");
	set_part(reading, FIRST);
	run(reading);
	ok(!reading->part.is_kept && reading->part.is_dropped &&
		reading->part.result == PV_PART_UNWRITTEN && is_file(NULL),
	    "P3: a part that was damaged is never continued");
	end(reading);
	reading = begin(PV_PART_LONGER, true, REST);
	write_file(FIRST);
	set_part(reading, FIRST);
	limit_files(strlen(FIRST));
	run(reading);
	limit_files(RLIM_INFINITY);
	ok(reading->part.is_dropped &&
		reading->part.result == PV_PART_UNWRITTEN && is_file(NULL),
	    "P3: nor is one kept that the disk has no room for");
	end(reading);
}

static void test_whole(void)
{
	struct reading *reading = begin(PV_PART_WHOLE, false, REST);
	write_file(FIRST "never committed, and longer than the rest");
	set_part(reading, FIRST);
	run(reading);
	ok(!reading->error && reading->part.result == PV_PART_FINE &&
		reading->response.earlier == strlen(FIRST),
	    "a part and its rest make a whole");
	is_text(
	    pv_body_text(&reading->response.body), FIRST REST, "to the byte");
	ok(!is_file(NULL), "whose file stays until the page has been kept");
	pv_part_files_end(place.path, &reading->part);
	ok(is_file(NULL), "and no longer");
	end(reading);
}

static void test_damaged(const char *file, const char *claim)
{
	struct reading *reading = begin(PV_PART_WHOLE, false, REST);
	if (file)
		write_file(file);
	set_part(reading, FIRST);
	run(reading);
	ok(!reading->error && reading->part.result == PV_PART_DAMAGED &&
		reading->response.is_own_fault &&
		reading->response.outcome == PV_OUTCOME_BROKEN_OFF &&
		reading->part.is_dropped && is_file(NULL),
	    "P3: %s: it is asked for whole, which is nobody's fault but ours",
	    claim);
	is_text(pv_str_of(reading->response.why),
	    "the stored beginning of it is damaged: it is requested whole",
	    "P4: for that reason");
	end(reading);
}

static void test_given_up(void)
{
	struct reading *reading = begin(PV_PART_WHOLE, false, REST);
	write_file(FIRST);
	set_part(reading, FIRST);
	limit_files(strlen(FIRST));
	run(reading);
	limit_files(RLIM_INFINITY);
	ok(reading->error == EFBIG,
	    "P3: a whole that the disk has no room for is pending again");
	ok(is_file(FIRST), "P3: its part stays");
	end(reading);
}

static void test_others(void)
{
	struct reading *reading = begin(PV_PART_AS_IT_IS, false, REST);
	write_file(FIRST);
	run(reading);
	pv_part_files_end(place.path, &reading->part);
	ok(is_file(FIRST) && !reading->part.is_dropped,
	    "a part that has nothing to do with it stays as it is");
	end(reading);
	reading = begin(PV_PART_DROP, false, REST);
	run(reading);
	ok(is_file(NULL) && reading->part.is_dropped,
	    "one that is of no use any more goes");
	end(reading);
}

static void test_in_pool(void)
{
	signal(SIGXFSZ, SIG_IGN);
	scratch_make(&place);
	test_begin();
	test_lengthen();
	test_whole();
	test_damaged("the first half! ", "a part that was damaged");
	test_damaged("the first", "one that was cut short");
	test_damaged(NULL, "one that is gone");
	test_given_up();
	test_others();
	rmdir(scratch_file(&place, "parts"));
	scratch_remove(&place);
}

int main(void)
{
	struct scratch scratch;
	struct pv_crawl *crawl = calloc(1, sizeof(*crawl));
	scratch_make(&scratch);
	crawl->directory = scratch.path;
	test_files(crawl, &scratch);
	test_links(crawl, &scratch);
	test_sweep(crawl, &scratch);
	test_ceilings(crawl);
	test_results(crawl);
	test_gains(crawl);
	rmdir(scratch_file(&scratch, "parts"));
	scratch_remove(&scratch);
	free(crawl);
	test_in_pool();
	return tap_done();
}
