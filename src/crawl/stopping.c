#include "crawl/stopping.h"

#include <errno.h>
#include <stdio.h>

#include "crawl/conductor.h"
#include "crawl/finishing.h"
#include "crawl/hosts.h"
#include "crawl/progress.h"
#include "crawl/release.h"
#include "crawl/waiting.h"

#define REASON_MAX 4096

/* Of the time that a stop may take, for folding in the log of the state. */
#define FOLD_MS 100

void pv_stopping_begin(
    struct pv_crawl *crawl, enum pavane_end end, const char *reason)
{
	if (crawl->is_ending)
		return;
	crawl->is_ending = true;
	crawl->end = end;
	crawl->phase = PAVANE_DRAINING;
	crawl->drain_until =
	    pv_crawl_now(crawl) + crawl->policy->stop.drain_timeout_ms;
	snprintf(crawl->reason, sizeof(crawl->reason), "%s", reason);
}

/* Whatever went wrong then came of it. */
static bool is_state_removed(const struct pv_crawl *crawl)
{
	return crawl->store && pv_state_file_is_removed(&crawl->store->file);
}

void pv_stopping_fail(struct pv_crawl *crawl, const char *reason)
{
	if (crawl->is_ending && crawl->end == PAVANE_FAILED)
		return;
	if (is_state_removed(crawl))
		reason = "its state.db was removed while it ran, so that "
			 "nothing of it is kept: begin it anew";
	pv_stopping_begin(crawl, PAVANE_FAILED, reason);
	crawl->end = PAVANE_FAILED;
	snprintf(crawl->reason, sizeof(crawl->reason), "%s", reason);
	pv_log(&crawl->log, PV_LOG_ERROR, "%s: cannot go on: %s",
	    crawl->directory, reason);
}

/* The disk is in the way: what helps. */
static const char *advice(bool is_full)
{
	return is_full ? "what was done is kept: make room and run it again"
		       : "what was done is kept: run it again when the disk is "
			 "well";
}

void pv_stopping_fail_page(struct pv_crawl *crawl, const char *fault, int error)
{
	struct pv_buf reason;
	pv_buf_init(&reason, REASON_MAX);
	pv_buf_append_format(&reason, "%s; %s", fault,
	    advice(error == ENOSPC || error == EDQUOT || error == EFBIG));
	pv_stopping_fail(crawl, pv_buf_text(&reason));
	pv_buf_finish(&reason);
}

void pv_stopping_note_status(
    struct pv_crawl *crawl, enum pv_store_status status)
{
	static const char *const reasons[] = {
	    [PV_STORE_FULL] = "there is no room on the disk",
	    [PV_STORE_FAILED] = "the state cannot be written",
	    [PV_STORE_DAMAGED] = "the state makes no sense",
	};
	struct pv_buf reason;
	if (status == PV_STORE_OK)
		return;
	pv_buf_init(&reason, REASON_MAX);
	pv_buf_append_format(&reason, "%s (%s); %s", reasons[status],
	    pv_database_fault(crawl->store->database),
	    status == PV_STORE_DAMAGED
		? "bring back a copy, or begin anew in another directory"
		: advice(status == PV_STORE_FULL));
	pv_stopping_fail(crawl, pv_buf_text(&reason));
	pv_buf_finish(&reason);
}

/* Limits */

static int64_t first_due(const struct pv_crawl *crawl)
{
	int64_t due = pv_schedule_first_due(crawl->schedule);
	if (crawl->look_up_next < due)
		due = crawl->look_up_next;
	if (crawl->later_next < due)
		due = crawl->later_next;
	if (pv_places_first_due(crawl) < due)
		due = pv_places_first_due(crawl);
	return crawl->ask_next < due ? crawl->ask_next : due;
}

/* Nothing is under way, be it a visit, a name or a paper. */
static bool is_quiet(const struct pv_crawl *crawl)
{
	return !crawl->open_count && !crawl->outbox.under_way &&
	       crawl->seeding.is_done &&
	       !crawl->around.names->count(crawl->names) &&
	       !crawl->is_taking_hosts;
}

/* For whom, and until when (P4). */
static void stop_for_wait(struct pv_crawl *crawl, const char *why)
{
	struct pv_waiting waiting;
	struct pv_buf reason;
	pv_buf_init(&reason, sizeof(crawl->reason) - 1);
	pv_waiting_look(crawl, &waiting);
	pv_buf_append_text(&reason, why);
	if (waiting.count) {
		pv_buf_append_text(&reason, ": ");
		pv_waiting_write(
		    crawl, &waiting.first, waiting.count - 1, &reason);
	}
	pv_stopping_begin(crawl, PAVANE_LIMITED, pv_buf_text(&reason));
	pv_buf_finish(&reason);
}

static void check_wait(struct pv_crawl *crawl)
{
	int64_t wait_ms = crawl->policy->limits.wait_ms;
	int64_t due = first_due(crawl);
	if (!is_quiet(crawl) || (due == PV_NEVER && pv_hosts_ask_rest(crawl)))
		return;
	if (due == PV_NEVER)
		stop_for_wait(
		    crawl, "nothing that is left can be asked for now");
	else if (wait_ms != PV_NONE && due - pv_crawl_now(crawl) > wait_ms)
		stop_for_wait(crawl,
		    "all that is left must wait longer than limits.wait");
}

/* When the time is up; PV_NEVER where it has no limit. */
static int64_t limit_at(const struct pv_crawl *crawl)
{
	int64_t time_ms = crawl->policy->limits.time_ms;
	return time_ms == PV_NONE ? PV_NEVER
				  : crawl->accounts.started_at + time_ms;
}

static void check_limits(struct pv_crawl *crawl)
{
	const struct pv_limits *limits = &crawl->policy->limits;
	const struct pv_accounts *accounts = &crawl->accounts;
	if (crawl->open_count)
		return;
	if (limits->pages != PV_NONE &&
	    accounts->all_pages >= (uint64_t)limits->pages)
		pv_stopping_begin(crawl, PAVANE_LIMITED,
		    "limits.pages is reached: --set "
		    "limits.pages=none goes on past it");
	else if (limits->bytes != PV_NONE &&
		 accounts->all_bytes >= (uint64_t)limits->bytes)
		pv_stopping_begin(crawl, PAVANE_LIMITED,
		    "limits.bytes is reached: --set "
		    "limits.bytes=none goes on past it");
	else
		check_wait(crawl);
}

static void see_whether_it_ends(struct pv_crawl *crawl)
{
	if (crawl->is_counting)
		return;
	if (is_quiet(crawl) && pv_hosts_are_idle(crawl))
		pv_finishing_begin(crawl);
	else
		check_limits(crawl);
}

/* Being asked */

static void drop(struct pv_crawl *crawl)
{
	if (crawl->phase != PAVANE_DRAINING)
		return;
	crawl->phase = PAVANE_DROPPING;
	atomic_store(&crawl->is_dropping, true);
	if (crawl->fetching_count)
		pv_log(&crawl->log, PV_LOG_INFO,
		    "%zu requests are dropped, and will be made again",
		    crawl->fetching_count);
	pv_release_drop_all(crawl);
}

void pv_stopping_hear(struct pv_crawl *crawl)
{
	int asked = atomic_load(&crawl->stop_asked);
	if (pv_crawl_now(crawl) >= limit_at(crawl))
		pv_stopping_begin(
		    crawl, PAVANE_LIMITED, "limits.time is reached");
	if (asked)
		pv_stopping_begin(crawl, PAVANE_STOPPED, "it was asked to");
	else if (atomic_load(&crawl->is_interrupted))
		pv_stopping_begin(
		    crawl, PAVANE_STOPPED, "its policy has changed");
	if (asked > 1)
		drop(crawl);
}

/* Also where somebody asks when it ends already: then he waits from now on. */
static void close_down(struct pv_crawl *crawl)
{
	if (atomic_load(&crawl->stop_asked))
		pv_writer_leave_log(&crawl->store->writer);
	if (crawl->phase != PAVANE_CLOSING) {
		crawl->phase = PAVANE_CLOSING;
		pv_hosts_give_all(crawl);
		pv_progress_keep_end(crawl);
	}
	pv_writer_flush(&crawl->store->writer);
	if (!crawl->outbox.under_way)
		uv_stop(&crawl->loop);
}

void pv_stopping_look_at_state(struct pv_crawl *crawl)
{
	if (!is_state_removed(crawl))
		return;
	pv_stopping_fail(crawl, "");
	drop(crawl);
}

void pv_stopping_step(struct pv_crawl *crawl)
{
	if (!crawl->is_ending)
		see_whether_it_ends(crawl);
	if (!crawl->is_ending)
		return;
	if (crawl->open_count && pv_crawl_now(crawl) >= crawl->drain_until)
		drop(crawl);
	if (!crawl->open_count && !crawl->is_taking_hosts && !crawl->wish_count)
		close_down(crawl);
}

void pv_stopping_fold_log(struct pv_crawl *crawl)
{
	bool is_awaited = atomic_load(&crawl->stop_asked) > 0;
	if (pv_store_fold_log(crawl->store, is_awaited ? FOLD_MS : -1) ||
	    is_state_removed(crawl))
		return;
	pv_log(&crawl->log, PV_LOG_INFO,
	    "%s: the last %zu MiB of the state are in state.db-wal, without "
	    "which state.db is not whole: the next run moves them in first",
	    crawl->directory, (pv_store_log_bytes(crawl->store) >> 20) + 1);
}

int64_t pv_stopping_next(const struct pv_crawl *crawl)
{
	bool is_draining = crawl->phase == PAVANE_DRAINING && crawl->open_count;
	if (crawl->is_ending)
		return is_draining ? crawl->drain_until : PV_NEVER;
	return limit_at(crawl);
}

int64_t pv_stopping_deadline(const struct pv_crawl *crawl)
{
	int64_t deadline = limit_at(crawl);
	if (deadline != PV_NEVER)
		deadline += crawl->policy->stop.drain_timeout_ms;
	bool is_cut_short =
	    crawl->end == PAVANE_LIMITED || crawl->end == PAVANE_STOPPED;
	return is_cut_short && crawl->drain_until < deadline
		   ? crawl->drain_until
		   : deadline;
}
