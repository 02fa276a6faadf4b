#ifndef PAVANE_STORE_WRITER_H
#define PAVANE_STORE_WRITER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "store/job.h"
#include "store/queue.h"

/* The one thread that writes a database, and the way there and back.
 *
 * Jobs run in the order in which they are sent, many to a transaction: a group
 * is committed when it holds PV_GROUP_ROWS rows or is PV_GROUP_MS old. Where a
 * group ends is decided by the sender, by the times that it gives, so that the
 * thread needs no clock, only a stopwatch for the disk; and sooner by the
 * thread where it would add too much to the write-ahead log (store/wal.h),
 * which the thread folds in when what was committed has been sent back. All
 * functions here are the sender's, one thread.
 *
 * When something cannot be written, the group is undone, its jobs and all later
 * ones come back with that status, and nothing is written any more: what was
 * reported as committed is, and the rest was never promised.
 */
#define PV_GROUP_MS 100
#define PV_GROUP_ROWS 20000

struct pv_clock;

/* Called on the writer's thread when there is something to receive. */
typedef void (*pv_wake_fn)(void *ctx);

/* Called on the writer's thread, in the transaction, before each commit. */
typedef void (*pv_before_commit_fn)(void *ctx, struct pv_database *database);

#define PV_BEFORE_COMMIT_MAX 8

struct pv_writer {
	struct pv_database *database;
	size_t count_ceiling; /* of jobs that are sent and not received */
	size_t bytes_ceiling;
	pv_wake_fn wake; /* NULL for none */
	void *wake_ctx;

	/* A stopwatch (loop/clock.h) that any thread may read, until the writer
	 * is stopped; NULL: how long the disk takes is not noted. */
	uint64_t (*ticks_ns)(const struct pv_clock *clock);
	const struct pv_clock *clock;

	/* the sender's */
	size_t count;
	size_t bytes;
	size_t group_rows;
	size_t group_count; /* of its jobs that come back when it ends */
	int64_t group_start_ms;
	bool has_group;
	bool is_started;
	bool is_stopped;
	bool is_gathering; /* set by the sender: what it sends waits for
			      pv_writer_hand_on, so that the thread is not
			      woken for each */
	struct pv_job *gathered;
	struct pv_job **gathered_end;
	size_t gathered_count;
	bool is_pressing;          /* it cannot wait for others */
	atomic_bool leaves_log;    /* as it is, from now on: somebody waits for
				   the end */
	atomic_size_t cache_bytes; /* of the database; 0: as it was opened */

	pthread_t thread;

	/* the thread's */
	pthread_t self;        /* the same, for any thread ... */
	atomic_bool has_begun; /* ... that has seen this */
	struct pv_job *group;  /* what waits for the commit */
	struct pv_job **group_end;
	bool is_in_transaction;
	size_t rows;         /* of the transaction */
	size_t pages;        /* the same, at most, as jobs say */
	size_t cached_bytes; /* the limit of the cache; 0: as it was opened */
	struct {
		pv_before_commit_fn run;
		void *ctx;
	} before_commit[PV_BEFORE_COMMIT_MAX];
	size_t before_commit_count;

	struct pv_queue there;
	struct pv_queue back;
};

/* `writer` has the database, the ceilings, the wake function and the
 * stopwatch. */
void pv_writer_init(struct pv_writer *writer);
void pv_writer_finish(struct pv_writer *writer);

/* Before the start; they are called in this order. */
void pv_writer_before_commit(
    struct pv_writer *writer, pv_before_commit_fn run, void *ctx);

/* Before the start, on the thread that has opened the database: one or more
 * transactions, which end as all others do. Whether the last is committed. */
void pv_writer_begin(struct pv_writer *writer);
bool pv_writer_commit(struct pv_writer *writer);

/* A change that may be too large for one transaction says after each step how
 * many rows that was: if the write-ahead log would grow too long, what there is
 * by now is committed, and a new transaction begins. So each step must leave a
 * state from which the next start goes on. On the thread that has the database:
 * between begin and commit, or in a job that is not in a chain. */
void pv_writer_cut(struct pv_writer *writer, size_t rows);

/* The same of rows that are large: with the bytes that they have. */
void pv_writer_cut_bytes(struct pv_writer *writer, size_t rows, size_t bytes);

/* The database is the thread's from now until it is stopped. False if no thread
 * can be created. */
bool pv_writer_start(struct pv_writer *writer);

/* Whether a chain of so many jobs and bytes would be taken now. */
bool pv_writer_has_room(
    const struct pv_writer *writer, size_t count, size_t bytes);

/* Gives a chain of jobs. False, with nothing given, if so much is under way
 * that they must wait for something to come back, or once it is stopped; a chain
 * that is alone may be larger than the ceilings. */
bool pv_writer_send(struct pv_writer *writer, struct pv_job *jobs, int64_t now);

/* Hands on what was gathered, if it is much or somebody waits for it; the rest
 * can wait until the group ends. */
void pv_writer_hand_on(struct pv_writer *writer);

/* How long until the group must be committed: 0 is now, -1 is never. */
int64_t pv_writer_wait(const struct pv_writer *writer, int64_t now);

/* Whether nothing is under way but what waits for the end of its group. */
bool pv_writer_is_idle(const struct pv_writer *writer);

/* Ends the group if its time has come, or whatever its age. */
void pv_writer_tick(struct pv_writer *writer, int64_t now);
void pv_writer_flush(struct pv_writer *writer);

/* Nothing is folded into the file from now on: the end is near, and somebody
 * waits for it. */
void pv_writer_leave_log(struct pv_writer *writer);

/* The database's cache takes no more than so much memory from the next commit
 * on; where it is less than before, and nothing waits for a commit, from now on. */
void pv_writer_limit_cache(struct pv_writer *writer, size_t bytes);

/* Whether the thread itself asks; for any thread, as long as the writer is
 * there. */
bool pv_writer_is_this_thread(const struct pv_writer *writer);

/* Calls `done` for all jobs that have come back; how many. */
size_t pv_writer_receive(struct pv_writer *writer);

/* Commits, ends the thread, and receives what is left. */
void pv_writer_stop(struct pv_writer *writer);

#endif
