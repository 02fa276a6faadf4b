#include "store/writer.h"

#include <signal.h>
#include <sys/resource.h>

#include "bell.h"
#include "scratch.h"
#include "store/schema.h"
#include "store/tables/length.h"
#include "store/wal.h"
#include "tap.h"

/* A writer of a file with one table, and what came back of it. */
struct scene {
	struct scratch scratch;
	struct pv_database *database;
	struct pv_writer writer;
	struct bell bell;
	unsigned done;
	enum pv_store_status last;
};

struct insert {
	struct pv_job job;
	struct scene *scene;
	unsigned rows;
	bool is_done;
	bool is_taken; /* once more, when it had come back */
};

static void run_insert(struct pv_job *job, struct pv_database *database)
{
	struct insert *insert = (struct insert *)job;
	for (unsigned i = 0; i < insert->rows; i++)
		pv_database_run(
		    database, "INSERT INTO t VALUES(randomblob(3000))");
}

static void end_insert(struct pv_job *job, enum pv_store_status status)
{
	struct insert *insert = (struct insert *)job;
	insert->is_done = true;
	insert->scene->done++;
	insert->scene->last = status;
}

static struct insert insert_of(struct scene *scene, unsigned rows)
{
	return (struct insert){
	    .job =
		{
		    .run = run_insert,
		    .done = end_insert,
		    .rows = rows,
		    .bytes = 10,
		},
	    .scene = scene,
	    .rows = rows,
	};
}

static void scene_init(struct scene *scene)
{
	*scene = (struct scene){.done = 0};
	scratch_make(&scene->scratch);
	bell_init(&scene->bell);
	scene->database =
	    pv_database_open(scratch_file(&scene->scratch, "x.db"));
	pv_database_tune(scene->database, 1 << 20);
	pv_database_run(scene->database, "CREATE TABLE t(x)");
	scene->writer = (struct pv_writer){
	    .database = scene->database,
	    .count_ceiling = 5,
	    .bytes_ceiling = 100,
	    .wake = bell_ring,
	    .wake_ctx = &scene->bell,
	};
	pv_writer_init(&scene->writer);
}

static void scene_finish(struct scene *scene)
{
	pv_writer_stop(&scene->writer);
	pv_writer_finish(&scene->writer);
	pv_database_close(scene->database);
	bell_finish(&scene->bell);
	scratch_remove(&scene->scratch);
}

static void wait_for(struct scene *scene, unsigned done)
{
	while (scene->done < done) {
		bell_wait(&scene->bell);
		pv_writer_receive(&scene->writer);
	}
}

/* Until the thread has done all that was sent: what waits for its commit then
 * has not come back. */
static void catch_up(struct scene *scene, int64_t now)
{
	struct insert last = insert_of(scene, 0);
	last.job.is_answered_at_once = true;
	pv_writer_send(&scene->writer, &last.job, now);
	while (!last.is_done) {
		bell_wait(&scene->bell);
		pv_writer_receive(&scene->writer);
	}
}

static int64_t rows_on_disk(struct scene *scene)
{
	struct pv_database *other =
	    pv_database_open(scratch_file(&scene->scratch, "x.db"));
	int64_t rows = pv_database_number(other, "SELECT count(*) FROM t");
	pv_database_close(other);
	return rows;
}

static void test_time(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert a = insert_of(&scene, 1), b = a;
	pv_writer_start(&scene.writer);
	ok(pv_writer_wait(&scene.writer, 5000) == -1,
	    "without jobs there is nothing to commit");
	pv_writer_send(&scene.writer, &a.job, 5000);
	catch_up(&scene, 5030);
	ok(!a.is_done && rows_on_disk(&scene) == 0,
	    "a young group is not committed");
	ok(pv_writer_wait(&scene.writer, 5030) == PV_GROUP_MS - 30 &&
		pv_writer_wait(&scene.writer, 9000) == 0,
	    "it is known when it must be");
	pv_writer_tick(&scene.writer, 4999 + PV_GROUP_MS);
	catch_up(&scene, 4999 + PV_GROUP_MS);
	ok(!a.is_done, "not before");
	pv_writer_tick(&scene.writer, 5000 + PV_GROUP_MS);
	catch_up(&scene, 5000 + PV_GROUP_MS);
	ok(a.is_done && scene.last == PV_STORE_OK && rows_on_disk(&scene) == 1,
	    "when it is old enough it is committed");
	pv_writer_send(&scene.writer, &b.job, 5600);
	catch_up(&scene, 5600);
	ok(b.is_done, "a job that comes late ends its group");
	scene_finish(&scene);
}

/* Whoever is answered at once is waited for by somebody, and what its group
 * waits for is not under way. */
static void test_idle(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert a = insert_of(&scene, 1), asking = a;
	asking.job.is_answered_at_once = true;
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &a.job, 0);
	ok(pv_writer_is_idle(&scene.writer),
	    "a writer is idle while what it has waits for the end of its "
	    "group");
	pv_writer_send(&scene.writer, &asking.job, 0);
	ok(!pv_writer_is_idle(&scene.writer),
	    "not before it has answered who is answered at once");
	wait_for(&scene, 1);
	ok(asking.is_done && pv_writer_is_idle(&scene.writer), "but then");
	pv_writer_flush(&scene.writer);
	ok(!pv_writer_is_idle(&scene.writer), "nor before it has committed");
	wait_for(&scene, 2);
	ok(pv_writer_is_idle(&scene.writer), "but then");
	scene_finish(&scene);
}

static void test_rows(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert a = insert_of(&scene, 1), b = a;
	a.job.rows = 1000;
	b.job.rows = PV_GROUP_ROWS - 1000;
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &a.job, 0);
	catch_up(&scene, 0);
	ok(!a.is_done, "a group that is not full waits");
	pv_writer_send(&scene.writer, &b.job, 0);
	catch_up(&scene, 0);
	ok(a.is_done && b.is_done && rows_on_disk(&scene) == 2,
	    "a full one is committed at once");
	struct insert c = insert_of(&scene, 1);
	pv_writer_send(&scene.writer, &c.job, 0);
	ok(pv_writer_wait(&scene.writer, 0) > 0,
	    "what comes behind it waits for a group of its own");
	scene_finish(&scene);
}

/* A chain is whole in one commit; where it says that it may be parted, the first
 * of it is committed by itself if it is large. */
static void test_large(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert a = insert_of(&scene, 1), b = a, c = a;
	size_t large = pv_wal_rows_max(scene.database);
	a.job.rows = b.job.rows = large;
	a.job.next = &b.job;
	b.job.next = &c.job;
	b.job.may_be_parted = true;
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &a.job, 0);
	catch_up(&scene, 0);
	ok(a.is_done && b.is_done && !c.is_done && rows_on_disk(&scene) == 2,
	    "P5: what would make the log too long is committed at once, but "
	    "a chain is parted only where it may be");
	pv_writer_flush(&scene.writer);
	wait_for(&scene, 4);
	ok(c.is_done && rows_on_disk(&scene) == 3,
	    "what is behind it comes with the next");
	scene_finish(&scene);
}

/* However cheap rows have been of late. */
static void test_pages(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert a = insert_of(&scene, 1), b = a;
	a.job.pages = pv_wal_pages_max(scene.database) - 1;
	b.job.pages = 1;
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &a.job, 0);
	catch_up(&scene, 0);
	ok(!a.is_done, "what may change some pages waits for others");
	pv_writer_send(&scene.writer, &b.job, 0);
	catch_up(&scene, 0);
	ok(a.is_done && b.is_done && rows_on_disk(&scene) == 2,
	    "P5: what may change too many pages together is committed at once");
	scene_finish(&scene);
}

/* A stopwatch of which each look is ten minutes after the last. */
struct pv_clock {
	uint64_t *looks;
};

static uint64_t slow_ticks_ns(const struct pv_clock *clock)
{
	return ++*clock->looks * 600 * 1000000000;
}

static void test_stopwatch(void)
{
	struct scene scene;
	uint64_t looks = 0;
	struct pv_clock clock = {.looks = &looks};
	scene_init(&scene);
	struct insert a = insert_of(&scene, PV_WAL_FOLD_PAGES + 100);
	struct insert b = insert_of(&scene, 100);
	scene.writer.ticks_ns = slow_ticks_ns;
	scene.writer.clock = &clock;
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &a.job, 0);
	pv_writer_flush(&scene.writer);
	wait_for(&scene, 1);
	pv_writer_send(&scene.writer, &b.job, 0);
	pv_writer_stop(&scene.writer);
	ok(pv_wal_pages(scene.database) >= 100 &&
		!pv_wal_fold_all(scene.database, 1000),
	    "P6: by the stopwatch that it is given a slow disk is known as one");
	scene_finish(&scene);
}

static void run_more(struct pv_job *job, struct pv_database *database)
{
	job->rows = pv_wal_rows_max(database);
	run_insert(job, database);
}

static void test_more(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert a = insert_of(&scene, 1);
	a.job.run = run_more;
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &a.job, 0);
	catch_up(&scene, 0);
	ok(a.is_done && rows_on_disk(&scene) == 1,
	    "P5: what is found to change more rows than it was thought to is "
	    "committed at once, too");
	scene_finish(&scene);
}

static void test_chain(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert a = insert_of(&scene, 1), b = a, c = a;
	a.job.rows = PV_GROUP_ROWS;
	a.job.next = &b.job;
	b.job.next = &c.job;
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &a.job, 0);
	catch_up(&scene, 0);
	ok(a.is_done && b.is_done && c.is_done && rows_on_disk(&scene) == 3,
	    "P3: a chain is never parted by a commit");
	scene_finish(&scene);
}

static void test_ceilings(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert jobs[6], large = insert_of(&scene, 1);
	unsigned sent = 0;
	for (unsigned i = 0; i < 6; i++) {
		jobs[i] = insert_of(&scene, 1);
		sent += pv_writer_send(&scene.writer, &jobs[i].job, 0);
	}
	ok(sent == 5, "P5: no more than so many jobs are under way");
	pv_writer_start(&scene.writer);
	pv_writer_flush(&scene.writer);
	wait_for(&scene, 5);
	struct insert fitting = insert_of(&scene, 1);
	fitting.job.bytes = 90;
	large.job.bytes = 91;
	ok(pv_writer_send(&scene.writer, &jobs[5].job, 0) &&
		!pv_writer_send(&scene.writer, &large.job, 0),
	    "P5: nor more than so many bytes");
	ok(pv_writer_send(&scene.writer, &fitting.job, 0),
	    "but as many as that");
	pv_writer_flush(&scene.writer);
	wait_for(&scene, 7);
	ok(pv_writer_has_room(&scene.writer, 5, 100),
	    "what has come back leaves its room to others");
	large.job.bytes = 1000;
	ok(pv_writer_send(&scene.writer, &large.job, 0),
	    "but what is larger than the ceiling can pass alone");
	scene_finish(&scene);
	ok(large.is_done, "P6: stopping commits what is under way");
}

/* Asks for more each time that something has come back. */
static void end_and_go_on(struct pv_job *job, enum pv_store_status status)
{
	struct insert *insert = (struct insert *)job;
	end_insert(job, status);
	insert->is_taken = pv_writer_send(&insert->scene->writer, job, 0);
}

static void test_send_after_stop(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert insert = insert_of(&scene, 1);
	insert.job.done = end_and_go_on;
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &insert.job, 0);
	pv_writer_stop(&scene.writer);
	ok(insert.is_done && !insert.is_taken,
	    "P6: once it is stopped nothing is taken that nobody would end");
	scene_finish(&scene);
}

static void set_length(void *ctx, struct pv_database *database)
{
	unsigned *commits = ctx;
	pv_length_set(database, PV_STR("journal"), ++*commits * 10);
}

static void test_before_commit(void)
{
	struct scene scene;
	unsigned commits = 0;
	scene_init(&scene);
	struct insert a = insert_of(&scene, 1), b = a;
	pv_database_run(scene.database,
	    "CREATE TABLE files(name TEXT PRIMARY KEY, length)");
	pv_writer_before_commit(&scene.writer, set_length, &commits);
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &a.job, 0);
	pv_writer_flush(&scene.writer);
	pv_writer_flush(&scene.writer);
	pv_writer_send(&scene.writer, &b.job, 0);
	pv_writer_stop(&scene.writer);
	ok(commits == 2, "before each commit, and only then, others are asked");
	ok(pv_length_get(scene.database, PV_STR("journal")) == 20,
	    "P3: what they say is in it");
	scene_finish(&scene);
}

/* The memory of SQLite after so many rows of 3,000 bytes each. */
static size_t memory_of(size_t cache_bytes)
{
	struct scene scene;
	scene_init(&scene);
	struct insert all = insert_of(&scene, 4000);
	struct insert one = insert_of(&scene, 1);
	pv_database_limit_cache(scene.database, (size_t)64 << 20);
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &all.job, 0);
	pv_writer_flush(&scene.writer);
	if (cache_bytes)
		pv_writer_limit_cache(&scene.writer, cache_bytes);
	pv_writer_send(&scene.writer, &one.job, 0);
	pv_writer_stop(&scene.writer);
	size_t used = pv_database_memory(scene.database);
	scene_finish(&scene);
	return used;
}

/* Nobody sends anything more. */
static size_t memory_at_rest(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert all = insert_of(&scene, 4000);
	pv_database_limit_cache(scene.database, (size_t)64 << 20);
	pv_writer_limit_cache(&scene.writer, (size_t)64 << 20);
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &all.job, 0);
	pv_writer_flush(&scene.writer);
	pv_writer_limit_cache(&scene.writer, (size_t)1 << 20);
	pv_writer_stop(&scene.writer);
	size_t used = pv_database_memory(scene.database);
	scene_finish(&scene);
	return used;
}

static void test_cache(void)
{
	size_t before = memory_of(0), after = memory_of((size_t)1 << 20);
	ok(before > (size_t)8 << 20, "the cache grows to its limit");
	ok(after < (size_t)2 << 20,
	    "P5: and shrinks to another one with a commit (%zu to %zu KiB)",
	    before >> 10, after >> 10);
	size_t rest = memory_at_rest();
	ok(rest < (size_t)2 << 20,
	    "P5: or at once where there is nothing to commit (%zu KiB)",
	    rest >> 10);
}

/* Faults */

static void test_full(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert good = insert_of(&scene, 10),
		      bad = insert_of(&scene, 100);
	struct insert innocent = insert_of(&scene, 1), late = innocent;
	pv_database_run(scene.database, "PRAGMA max_page_count=30");
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &good.job, 0);
	pv_writer_flush(&scene.writer);
	wait_for(&scene, 1);
	ok(scene.last == PV_STORE_OK, "what has room is committed");
	pv_writer_send(&scene.writer, &innocent.job, 0);
	pv_writer_send(&scene.writer, &bad.job, 0);
	wait_for(&scene, 3);
	ok(scene.last == PV_STORE_FULL && innocent.is_done,
	    "a full disk is told to all of the group, with no need to wait");
	pv_writer_send(&scene.writer, &late.job, 0);
	wait_for(&scene, 4);
	ok(scene.last == PV_STORE_FULL, "and to all that come later");
	pv_writer_stop(&scene.writer);
	ok(strstr(pv_database_fault(scene.database), "full"),
	    "in words as well");
	ok(rows_on_disk(&scene) == 10,
	    "P3: what was reported is there, and nothing else");
	scene_finish(&scene);
}

/* The system refuses to make a file longer. */
static void test_disk(void)
{
	struct scene scene;
	struct rlimit before, limit;
	scene_init(&scene);
	struct insert good = insert_of(&scene, 10),
		      bad = insert_of(&scene, 100);
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &good.job, 0);
	pv_writer_flush(&scene.writer);
	wait_for(&scene, 1);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 100000;
	setrlimit(RLIMIT_FSIZE, &limit);
	pv_writer_send(&scene.writer, &bad.job, 0);
	pv_writer_flush(&scene.writer);
	wait_for(&scene, 2);
	ok(scene.last == PV_STORE_FULL || scene.last == PV_STORE_FAILED,
	    "a commit that the system refuses is told");
	setrlimit(RLIMIT_FSIZE, &before);
	ok(rows_on_disk(&scene) == 10,
	    "P3: what was reported is there, and nothing else");
	scene_finish(&scene);
}

static void fail(void *ctx, struct pv_database *database)
{
	(void)ctx;
	pv_database_fail(database, PV_STORE_FAILED, "journal: no such device");
}

static void test_other_faults(void)
{
	struct scene scene;
	scene_init(&scene);
	struct insert a = insert_of(&scene, 1);
	pv_writer_before_commit(&scene.writer, fail, NULL);
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &a.job, 0);
	pv_writer_stop(&scene.writer);
	ok(scene.last == PV_STORE_FAILED && rows_on_disk(&scene) == 0,
	    "P3: when a journal cannot be written, nothing is committed");
	is_text(pv_str_of(pv_database_fault(scene.database)),
	    "journal: no such device", "and why is kept");
	scene_finish(&scene);
}

/* Asked by a stranger, all the time that the writer is there. */
struct stranger {
	struct pv_writer *writer;
	atomic_bool is_over;
	unsigned taken_for_it;
};

static void *ask(void *ctx)
{
	struct stranger *stranger = ctx;
	while (!atomic_load(&stranger->is_over))
		stranger->taken_for_it +=
		    pv_writer_is_this_thread(stranger->writer);
	return NULL;
}

struct question {
	struct pv_job job;
	struct pv_writer *writer;
	bool is_this_thread;
};

static void run_question(struct pv_job *job, struct pv_database *database)
{
	struct question *question = (struct question *)job;
	(void)database;
	question->is_this_thread = pv_writer_is_this_thread(question->writer);
}

static void end_question(struct pv_job *job, enum pv_store_status status)
{
	(void)job;
	(void)status;
}

static void test_thread(void)
{
	struct scene scene;
	pthread_t thread;
	scene_init(&scene);
	struct stranger stranger = {.writer = &scene.writer};
	struct question question = {
	    .job = {.run = run_question, .done = end_question},
	    .writer = &scene.writer};
	pthread_create(&thread, NULL, ask, &stranger);
	pv_writer_start(&scene.writer);
	pv_writer_send(&scene.writer, &question.job, 0);
	pv_writer_stop(&scene.writer);
	atomic_store(&stranger.is_over, true);
	pthread_join(thread, NULL);
	ok(question.is_this_thread, "its thread knows itself");
	ok(!stranger.taken_for_it,
	    "and no other is taken for it, whenever that asks");
	scene_finish(&scene);
}

int main(void)
{
	test_time();
	test_idle();
	test_rows();
	test_large();
	test_pages();
	test_stopwatch();
	test_more();
	test_chain();
	test_ceilings();
	test_send_after_stop();
	test_before_commit();
	test_cache();
	test_full();
	test_disk();
	test_other_faults();
	test_thread();
	return tap_done();
}
