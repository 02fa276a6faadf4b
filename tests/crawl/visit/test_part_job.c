#include "crawl/visit/part_job.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/digest.h"
#include "crawl/visit/part_files.h"
#include "crawl/visit/resume.h"
#include "record/response.h"
#include "scratch.h"
#include "tap.h"

/* Parts of bodies and their files: what is begun, made longer and put together,
 * and what a disk that fails leaves of them (P3, P5). */

#define FIRST "the first half, "
#define REST "and the rest"
#define ID 7

static struct scratch scratch;

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
	int file = pv_part_files_make(scratch.path, ID);
	ok(file >= 0 &&
		write(file, text, strlen(text)) == (ssize_t)strlen(text),
	    "a part is there");
	close(file);
}

static bool is_file(const char *text)
{
	char found[200] = "";
	FILE *file = fopen(scratch_file(&scratch, "parts/7"), "r");
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
	if (!pv_part_job_run(scratch.path, &reading->part, &reading->response,
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
	pv_part_job_finish(scratch.path, &reading->part);
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
	pv_part_job_finish(scratch.path, &reading->part);
	ok(is_file(FIRST) && !reading->part.is_dropped,
	    "a part that has nothing to do with it stays as it is");
	end(reading);
	reading = begin(PV_PART_DROP, false, REST);
	run(reading);
	ok(is_file(NULL) && reading->part.is_dropped,
	    "one that is of no use any more goes");
	end(reading);
}

int main(void)
{
	signal(SIGXFSZ, SIG_IGN);
	scratch_make(&scratch);
	test_begin();
	test_lengthen();
	test_whole();
	test_damaged("the first half! ", "a part that was damaged");
	test_damaged("the first", "one that was cut short");
	test_damaged(NULL, "one that is gone");
	test_given_up();
	test_others();
	rmdir(scratch_file(&scratch, "parts"));
	scratch_remove(&scratch);
	return tap_done();
}
