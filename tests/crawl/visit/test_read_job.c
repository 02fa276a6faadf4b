#include "crawl/visit/read_job.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include "reading/desk.h"
#include "reading/findings.h"
#include "crawl/run/sinks.h"
#include "crawl/visit/part_files.h"
#include "crawl/visit/resume.h"
#include "crawl/visit/rewrite.h"
#include "scope/judge.h"
#include "scratch.h"

/* What the pool makes of an answer where the disk is in the way (P3). */

#define FIRST "the first half, "
#define REST "and the rest"
#define ID 7

static struct scratch scratch;

/* All that a thread of the pool may touch. */
struct world {
	struct court court;
	struct pv_reading_context context;
	struct pv_sinks sinks;
	struct pv_linking linking;
	struct pv_readers readers;
	atomic_bool is_dropping;

	struct pv_visit visit;
	struct pv_url url;
	struct pv_response response;
	struct pv_body decoded;
	struct pv_resumption part;
	struct pv_findings findings;
	struct pv_page page;
	struct pv_read_job job;
	bool is_done;
};

static uint64_t no_ticks(const struct pv_clock *clock)
{
	(void)clock;
	return 0;
}

static const struct pv_clock_kind clock_kind = {.ticks_ns = no_ticks};

static void wake(void *ctx)
{
	(void)ctx;
}

static void on_done(struct pv_work_item *item)
{
	struct pv_read_job *job = (struct pv_read_job *)item;
	struct world *world =
	    (struct world *)((char *)job - offsetof(struct world, job));
	world->is_done = true;
}

static void begin(struct world *world, const char *body)
{
	*world = (struct world){.visit = {.id = ID}};
	open_court(&world->court, "[\"http://a.test/\"]", "{}");
	world->context.policy = world->court.policy;
	world->context.traps =
	    pv_traps_create(world->court.policy, (struct pv_hash_key){{1, 2}});
	world->readers = (struct pv_readers){
	    .desks = pv_reader_desks_create(world->court.policy, 1),
	    .count = 1,
	    .context = &world->context,
	    .sinks = &world->sinks,
	    .linking = &world->linking,
	    .directory = scratch.path,
	    .is_dropping = &world->is_dropping,
	    .clock_kind = &clock_kind,
	};
	pv_url_init(&world->url, 1000);
	pv_url_parse(&world->url, PV_STR("http://a.test/"));
	pv_response_init(&world->response, ".", SIZE_MAX);
	pv_body_init(&world->decoded, ".", SIZE_MAX);
	pv_resumption_init(&world->part);
	pv_findings_init(&world->findings);
	pv_page_init(&world->page);
	pv_body_append(&world->response.body, pv_str_of(body));
	world->response.outcome = PV_OUTCOME_ANSWERED;
	world->response.http_status = 404;
	world->part.address = ID;
	world->job = (struct pv_read_job){
	    .readers = &world->readers,
	    .response = &world->response,
	    .decoded = &world->decoded,
	    .part = &world->part,
	    .answer = {.visit = &world->visit,
		.url = &world->url,
		.response = &world->response},
	    .findings = &world->findings,
	    .page = &world->page,
	};
}

static void run(struct world *world)
{
	struct pv_workers *workers = pv_workers_create(1);
	world->readers.pool = pv_pool_create(workers, wake, NULL);
	pv_read_job_give(&world->job, on_done);
	pv_pool_hand_on(world->readers.pool);
	pv_pool_destroy(world->readers.pool);
	pv_workers_destroy(workers);
	ok(world->is_done, "the job comes back");
}

static void end(struct world *world)
{
	pv_page_finish(&world->page);
	pv_findings_finish(&world->findings);
	pv_resumption_finish(&world->part);
	pv_body_finish(&world->decoded);
	pv_response_finish(&world->response);
	pv_url_finish(&world->url);
	pv_reader_desks_destroy(world->readers.desks, 1);
	pv_traps_destroy(world->context.traps);
	close_court(&world->court);
}

/* The part that the state tells of, and its file. */
static void set_part(struct world *world, const char *file)
{
	struct pv_digester *digester = pv_digester_create();
	struct pv_part *part = &world->part.part;
	part->size = strlen(FIRST);
	part->complete = strlen(FIRST REST);
	pv_digester_append(digester, PV_STR(FIRST));
	pv_digester_end(digester, part->digest);
	pv_digester_destroy(digester);
	world->part.plan = PV_PART_WHOLE;
	world->part.had_part = true;
	int made = pv_part_files_make(scratch.path, ID);
	ok(made >= 0 &&
		write(made, file, strlen(file)) == (ssize_t)strlen(file),
	    "a part is there");
	close(made);
}

static void test_read(void)
{
	struct world world;
	begin(&world, "not here");
	run(&world);
	ok(!world.job.is_abandoned && !world.job.is_dropped &&
		world.job.result.outcome == PV_OUTCOME_ANSWERED &&
		world.job.result.http_status == 404 &&
		world.job.result.bytes == strlen("not here") &&
		world.findings.has_digest && !world.findings.is_kept,
	    "an answer is read, and its result known");
	ok(!world.page.text.ptr && !world.page.type.ptr,
	    "and what the page pointed to is gone with the body");
	end(&world);
}

static void test_whole(void)
{
	struct world world;
	begin(&world, REST);
	set_part(&world, FIRST);
	world.response.http_status = 206;
	run(&world);
	ok(!world.job.is_abandoned && world.job.result.http_status == 200 &&
		world.job.result.bytes == strlen(FIRST REST),
	    "of a body that was continued what counts is the whole");
	ok(!pv_part_files_has(scratch.path, ID, 0), "and its part is no more");
	end(&world);
}

static void test_no_room_for_whole(void)
{
	struct world world;
	struct rlimit limit;
	char fault[100];
	begin(&world, REST);
	set_part(&world, FIRST);
	getrlimit(RLIMIT_FSIZE, &limit);
	const struct rlimit small = {strlen(FIRST), limit.rlim_max};
	setrlimit(RLIMIT_FSIZE, &small);
	run(&world);
	setrlimit(RLIMIT_FSIZE, &limit);
	snprintf(fault, sizeof(fault), "a large answer cannot be assembled: %s",
	    strerror(EFBIG));
	ok(world.job.is_abandoned && world.page.error == EFBIG,
	    "P3: a whole that the disk has no room for is pending again");
	is_text(pv_str_of(world.page.fault), fault, "P4: and said so");
	ok(pv_part_files_has(scratch.path, ID, strlen(FIRST)),
	    "P3: its part stays");
	pv_part_files_remove(scratch.path, ID);
	end(&world);
}

static void test_damaged(void)
{
	struct world world;
	begin(&world, REST);
	set_part(&world, "the first half! ");
	run(&world);
	ok(!world.job.is_abandoned && world.part.result == PV_PART_DAMAGED &&
		world.page.pacing.is_own_fault,
	    "P3: that a part was damaged is nobody's fault but ours");
	ok(strstr(world.page.why, "damaged"), "P4: and said so");
	end(&world);
}

static void append_gzip(struct pv_body *body, struct pv_str text)
{
	static char bytes[1 << 20];
	z_stream stream = {0};
	deflateInit2(&stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
	stream.next_in = (Bytef *)(uintptr_t)text.ptr;
	stream.avail_in = (uInt)text.len;
	stream.next_out = (Bytef *)bytes;
	stream.avail_out = sizeof(bytes);
	deflate(&stream, Z_FINISH);
	pv_body_append(
	    body, (struct pv_str){bytes, sizeof(bytes) - stream.avail_out});
	deflateEnd(&stream);
}

/* A text so long that it is kept in a file when it is decoded. */
static void test_no_room_to_decode(void)
{
	struct world world;
	struct pv_buf text;
	begin(&world, "");
	pv_buf_init(&text, 2 << 20);
	for (size_t i = 0; text.len < 1000000; i++)
		pv_buf_append_format(&text, "a line %zx\n", i * 2654435761);
	append_gzip(&world.response.body, pv_buf_str(&text));
	pv_headers_add(&world.response.headers, PV_STR("Content-Encoding"),
	    PV_STR("gzip"));
	world.decoded.directory = "/nowhere/at/all";
	run(&world);
	ok(world.job.is_abandoned && world.page.error == ENOENT,
	    "P3: an answer that cannot be decoded for want of disk is pending "
	    "again");
	ok(strstr(world.page.fault, "an answer cannot be stored"),
	    "P4: and said so");
	pv_buf_finish(&text);
	end(&world);
}

static void test_dropped(void)
{
	struct world world;
	begin(&world, "page");
	atomic_store(&world.is_dropping, true);
	run(&world);
	ok(world.job.is_dropped && !world.findings.has_digest,
	    "P6: what nobody waits for any more is not read");
	end(&world);
}

int main(void)
{
	signal(SIGXFSZ, SIG_IGN);
	scratch_make(&scratch);
	test_read();
	test_whole();
	test_no_room_for_whole();
	test_damaged();
	test_no_room_to_decode();
	test_dropped();
	rmdir(scratch_file(&scratch, "parts"));
	scratch_remove(&scratch);
	return tap_done();
}
