#include "crawl/run/halt.h"

#include <errno.h>
#include <stdio.h>

#include "crawl/conductor.h"

#define REASON_MAX 4096

void pv_halt_ask(struct pv_halt *halt)
{
	atomic_fetch_add(&halt->stop_asked, 1);
}

void pv_halt_interrupt(struct pv_halt *halt)
{
	atomic_store(&halt->is_interrupted, true);
}

void pv_halt_enter(struct pv_halt *halt, enum pavane_phase phase)
{
	halt->phase = phase;
	if (phase == PAVANE_DROPPING)
		atomic_store(&halt->is_dropping, true);
}

void pv_halt_begin(
    struct pv_crawl *crawl, enum pavane_end end, const char *reason)
{
	struct pv_halt *halt = &crawl->halt;
	if (halt->is_ending)
		return;
	halt->is_ending = true;
	halt->end = end;
	halt->phase = PAVANE_DRAINING;
	halt->drain_until =
	    pv_crawl_now(crawl) + crawl->policy->stop.drain_timeout_ms;
	snprintf(halt->reason, sizeof(halt->reason), "%s", reason);
	if (crawl->frontier)
		pv_frontier_hurry(crawl->frontier);
}

/* Whatever went wrong then came of it. */
bool pv_halt_is_state_removed(const struct pv_crawl *crawl)
{
	return crawl->store && pv_state_file_is_removed(&crawl->store->file);
}

void pv_halt_fail(struct pv_crawl *crawl, const char *reason)
{
	struct pv_halt *halt = &crawl->halt;
	if (halt->is_ending && halt->end == PAVANE_FAILED)
		return;
	if (pv_halt_is_state_removed(crawl))
		reason = "state.db was removed while the crawl ran, nothing is "
			 "saved: start the crawl again";
	pv_halt_begin(crawl, PAVANE_FAILED, reason);
	halt->end = PAVANE_FAILED;
	snprintf(halt->reason, sizeof(halt->reason), "%s", reason);
	pv_log(&crawl->log, PV_LOG_ERROR, "%s: cannot continue: %s",
	    crawl->directory, reason);
}

static bool is_disk_full(int error)
{
	return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

/* What helps. */
static const char *const advice[] = {
    [PV_STORE_FULL] = "what was done is saved: free disk space, then run it "
		      "again",
    [PV_STORE_FAILED] = "what was done is saved: repair the disk, then run it "
			"again",
    [PV_STORE_DAMAGED] = "restore a copy, or start again in another directory",
    [PV_STORE_PROGRAM] = "what was done is saved",
};

/* Without an errno it was not the disk. */
static const char *advice_of(int error)
{
	enum pv_store_status status = PV_STORE_PROGRAM;
	if (error)
		status = is_disk_full(error) ? PV_STORE_FULL : PV_STORE_FAILED;
	return advice[status];
}

void pv_halt_fail_page(struct pv_crawl *crawl, const char *fault, int error)
{
	struct pv_buf reason;
	pv_buf_init(&reason, REASON_MAX);
	pv_buf_append_format(&reason, "%s; %s", fault, advice_of(error));
	pv_halt_fail(crawl, pv_buf_text(&reason));
	pv_buf_finish(&reason);
}

void pv_halt_note_status(struct pv_crawl *crawl, enum pv_store_status status)
{
	static const char *const reasons[] = {
	    [PV_STORE_FULL] = "the disk is full",
	    [PV_STORE_FAILED] = "cannot write the state",
	    [PV_STORE_DAMAGED] = "the state is damaged",
	};
	struct pv_buf reason;
	if (status == PV_STORE_OK)
		return;
	pv_buf_init(&reason, REASON_MAX);
	const char *fault = pv_database_fault(crawl->store->database);
	if (status == PV_STORE_PROGRAM)
		pv_buf_append_format(&reason, "%s; %s", fault, advice[status]);
	else
		pv_buf_append_format(&reason, "%s (%s); %s", reasons[status],
		    fault, advice[status]);
	pv_halt_fail(crawl, pv_buf_text(&reason));
	pv_buf_finish(&reason);
}

int64_t pv_halt_limit_at(const struct pv_crawl *crawl)
{
	int64_t time_ms = crawl->policy->limits.time_ms;
	if (time_ms == PV_NONE || crawl->control.is_paused)
		return PV_NEVER;
	return crawl->counters.started_at + time_ms + crawl->control.spent_ms;
}

int64_t pv_halt_deadline(const struct pv_crawl *crawl)
{
	const struct pv_halt *halt = &crawl->halt;
	int64_t deadline = pv_halt_limit_at(crawl);
	if (deadline != PV_NEVER)
		deadline += crawl->policy->stop.drain_timeout_ms;
	bool is_cut_short =
	    halt->end == PAVANE_LIMITED || halt->end == PAVANE_STOPPED;
	return is_cut_short && halt->drain_until < deadline ? halt->drain_until
							    : deadline;
}
