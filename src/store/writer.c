#include "store/writer.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/system.h"
#include "store/wal.h"

/* So many jobs of a group may wait for one another. */
#define GATHERED_MAX 64

void pv_writer_init(struct pv_writer *writer)
{
	pv_queue_init(&writer->there);
	pv_queue_init(&writer->back);
	writer->group_end = &writer->group;
	writer->gathered_end = &writer->gathered;
}

void pv_writer_finish(struct pv_writer *writer)
{
	pv_queue_finish(&writer->there);
	pv_queue_finish(&writer->back);
}

void pv_writer_before_commit(
    struct pv_writer *writer, pv_before_commit_fn run, void *ctx)
{
	size_t number = writer->before_commit_count++;
	writer->before_commit[number].run = run;
	writer->before_commit[number].ctx = ctx;
}

/* The thread */

static void send_back(struct pv_writer *writer, struct pv_job *jobs)
{
	enum pv_store_status status = pv_database_status(writer->database);
	if (!jobs)
		return;
	for (struct pv_job *job = jobs; job; job = job->next)
		job->status = status;
	if (pv_queue_push(&writer->back, jobs) && writer->wake)
		writer->wake(writer->wake_ctx);
}

static void send_group_back(struct pv_writer *writer)
{
	struct pv_job *group = writer->group;
	writer->group = NULL;
	writer->group_end = &writer->group;
	writer->is_in_transaction = false;
	send_back(writer, group);
}

static void fit_cache(struct pv_writer *writer)
{
	size_t bytes = atomic_load(&writer->cache_bytes);
	if (bytes == writer->cached_bytes)
		return;
	writer->cached_bytes = bytes;
	pv_database_limit_cache(writer->database, bytes);
}

static uint64_t ticks_us(const struct pv_writer *writer)
{
	return writer->ticks_ns ? writer->ticks_ns(writer->clock) / 1000 : 0;
}

static void fold_log(struct pv_writer *writer)
{
	uint64_t began_us = ticks_us(writer);
	size_t pages = pv_wal_fold(writer->database);
	if (writer->ticks_ns)
		pv_wal_note_fold(
		    writer->database, pages, ticks_us(writer) - began_us);
}

static void end_group(struct pv_writer *writer)
{
	if (!writer->is_in_transaction)
		return;
	for (size_t i = 0; i < writer->before_commit_count; i++)
		writer->before_commit[i].run(
		    writer->before_commit[i].ctx, writer->database);
	if (pv_database_commit(writer->database))
		pv_wal_note_rows(writer->database, writer->rows);
	writer->rows = 0;
	writer->pages = 0;
	send_group_back(writer);
	if (!atomic_load(&writer->leaves_log) ||
	    pv_wal_is_full(writer->database))
		fold_log(writer);
}

static void begin_group(struct pv_writer *writer)
{
	if (writer->is_in_transaction)
		return;
	pv_database_begin(writer->database);
	writer->is_in_transaction = true;
}

void pv_writer_begin(struct pv_writer *writer)
{
	begin_group(writer);
}

bool pv_writer_commit(struct pv_writer *writer)
{
	end_group(writer);
	return pv_database_status(writer->database) == PV_STORE_OK;
}

/* So much at once that the log would grow too long. */
static bool is_group_large(const struct pv_writer *writer)
{
	return writer->rows >= pv_wal_rows_max(writer->database) ||
	       writer->pages >= pv_wal_pages_max(writer->database);
}

void pv_writer_cut(struct pv_writer *writer, size_t rows)
{
	if (!writer->is_in_transaction)
		return;
	writer->rows += rows;
	if (!is_group_large(writer))
		return;
	end_group(writer);
	begin_group(writer);
}

/* Where two rows do not fit together, half of a page stays empty. */
void pv_writer_cut_bytes(struct pv_writer *writer, size_t rows, size_t bytes)
{
	writer->pages += 2 * bytes / PV_WAL_PAGE_BYTES;
	pv_writer_cut(writer, rows);
}

static void run_job(struct pv_writer *writer, struct pv_job *job)
{
	begin_group(writer);
	if (pv_database_status(writer->database) == PV_STORE_OK)
		job->run(job, writer->database);
	writer->rows += job->rows;
	writer->pages += job->pages;
	if (job->is_answered_at_once) {
		send_back(writer, job);
	} else {
		*writer->group_end = job;
		writer->group_end = &job->next;
	}
	if (pv_database_status(writer->database) != PV_STORE_OK) {
		pv_database_roll_back(writer->database);
		send_group_back(writer);
	}
}

/* A job that does nothing is the mark at the end of a group. */
static void do_job(struct pv_writer *writer, struct pv_job *job)
{
	bool is_joined = job->is_joined, is_mark = !job->run;
	job->next = NULL;
	if (!is_mark)
		run_job(writer, job);
	else
		free(job);
	if (is_mark || (!is_joined && is_group_large(writer))) {
		end_group(writer);
		fit_cache(writer);
	}
}

static void *write_all(void *ctx)
{
	struct pv_writer *writer = ctx;
	struct pv_job *job;
	writer->self = pthread_self();
	atomic_store(&writer->has_begun, true);
	while ((job = pv_queue_wait(&writer->there))) {
		while (job) {
			struct pv_job *next = job->next;
			do_job(writer, job);
			job = next;
		}
	}
	return NULL;
}

/* The sender */

bool pv_writer_start(struct pv_writer *writer)
{
	writer->is_started = pv_thread_start(
	    &writer->thread, "pavane-writer", write_all, writer);
	return writer->is_started;
}

bool pv_writer_has_room(
    const struct pv_writer *writer, size_t count, size_t bytes)
{
	if (writer->is_stopped)
		return false;
	if (!writer->count)
		return true;
	return count <= writer->count_ceiling &&
	       writer->count <= writer->count_ceiling - count &&
	       bytes <= writer->bytes_ceiling &&
	       writer->bytes <= writer->bytes_ceiling - bytes;
}

static void hand_on(struct pv_writer *writer)
{
	struct pv_job *jobs = writer->gathered;
	if (!jobs)
		return;
	writer->gathered = NULL;
	writer->gathered_end = &writer->gathered;
	writer->gathered_count = 0;
	writer->is_pressing = false;
	pv_queue_push(&writer->there, jobs);
}

void pv_writer_hand_on(struct pv_writer *writer)
{
	if (writer->is_pressing || writer->gathered_count >= GATHERED_MAX)
		hand_on(writer);
}

/* Somebody waits for an answer, or for the end of the group. */
static bool is_pressing(const struct pv_job *job)
{
	return job->is_answered_at_once || !job->run;
}

static void push(struct pv_writer *writer, struct pv_job *jobs)
{
	*writer->gathered_end = jobs;
	while (*writer->gathered_end) {
		struct pv_job *job = *writer->gathered_end;
		writer->gathered_count++;
		writer->is_pressing = writer->is_pressing || is_pressing(job);
		writer->gathered_end = &job->next;
	}
	if (!writer->is_gathering)
		hand_on(writer);
}

/* An open group has its own mark. */
void pv_writer_limit_cache(struct pv_writer *writer, size_t bytes)
{
	bool is_less = bytes < atomic_load(&writer->cache_bytes);
	atomic_store(&writer->cache_bytes, bytes);
	if (is_less && writer->is_started && !writer->has_group)
		push(writer, pv_alloc(sizeof(struct pv_job)));
}

bool pv_writer_send(struct pv_writer *writer, struct pv_job *jobs, int64_t now)
{
	size_t count = 0, bytes = 0, rows = 0, waiting = 0;
	for (struct pv_job *job = jobs; job; job = job->next) {
		count++;
		bytes += job->bytes;
		rows += job->rows;
		waiting += !job->is_answered_at_once;
		job->is_joined = job->next && !job->may_be_parted;
	}
	if (!pv_writer_has_room(writer, count, bytes))
		return false;
	writer->count += count;
	writer->bytes += bytes;
	writer->group_rows += rows;
	writer->group_count += waiting;
	if (!writer->has_group)
		writer->group_start_ms = now;
	writer->has_group = true;
	push(writer, jobs);
	if (writer->group_rows >= PV_GROUP_ROWS)
		pv_writer_flush(writer);
	else
		pv_writer_tick(writer, now);
	return true;
}

int64_t pv_writer_wait(const struct pv_writer *writer, int64_t now)
{
	if (!writer->has_group)
		return -1;
	int64_t age_ms = now - writer->group_start_ms;
	return age_ms < PV_GROUP_MS ? PV_GROUP_MS - age_ms : 0;
}

bool pv_writer_is_idle(const struct pv_writer *writer)
{
	return writer->count <= writer->group_count;
}

void pv_writer_tick(struct pv_writer *writer, int64_t now)
{
	if (pv_writer_wait(writer, now) == 0)
		pv_writer_flush(writer);
}

void pv_writer_flush(struct pv_writer *writer)
{
	if (!writer->has_group)
		return;
	writer->has_group = false;
	writer->group_rows = 0;
	writer->group_count = 0;
	push(writer, pv_alloc(sizeof(struct pv_job)));
}

void pv_writer_leave_log(struct pv_writer *writer)
{
	atomic_store(&writer->leaves_log, true);
}

size_t pv_writer_receive(struct pv_writer *writer)
{
	size_t count = 0;
	struct pv_job *job = pv_queue_take(&writer->back);
	while (job) {
		struct pv_job *next = job->next;
		job->next = NULL;
		writer->count--;
		writer->bytes -= job->bytes;
		job->done(job, job->status);
		job = next;
		count++;
	}
	return count;
}

bool pv_writer_is_this_thread(const struct pv_writer *writer)
{
	return atomic_load(&writer->has_begun) &&
	       pthread_equal(writer->self, pthread_self());
}

void pv_writer_stop(struct pv_writer *writer)
{
	if (!writer->is_started)
		return;
	pv_writer_flush(writer);
	hand_on(writer);
	pv_queue_close(&writer->there);
	pthread_join(writer->thread, NULL);
	atomic_store(&writer->has_begun, false);
	writer->is_started = false;
	writer->is_stopped = true;
	pv_writer_receive(writer);
}
