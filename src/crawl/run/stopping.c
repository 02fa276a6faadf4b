#include "crawl/run/stopping.h"

#include "crawl/conductor.h"
#include "crawl/control/commands.h"
#include "crawl/host/host_returns.h"
#include "crawl/host/host_visits.h"
#include "crawl/host/hosts.h"
#include "crawl/progress/progress.h"
#include "crawl/progress/waiting.h"
#include "crawl/run/finishing.h"
#include "crawl/visit/release.h"
#include "fleet/shares/allowance.h"

/* Of the time that a stop may take, for folding in the log of the state. */
#define FOLD_MS 100

/* Limits */

static int64_t first_due(const struct pv_crawl *crawl)
{
	int64_t due = pv_schedule_first_due(crawl->schedule);
	if (crawl->hosts.dns.look_up_next < due)
		due = crawl->hosts.dns.look_up_next;
	if (crawl->hosts.visits.later_next < due)
		due = crawl->hosts.visits.later_next;
	if (pv_host_slots_first_due(crawl) < due)
		due = pv_host_slots_first_due(crawl);
	if (crawl->hosts.hops.next_at < due)
		due = crawl->hosts.hops.next_at;
	return crawl->hosts.authorities.ask_next < due
		   ? crawl->hosts.authorities.ask_next
		   : due;
}

static bool is_drained(const struct pv_crawl *crawl)
{
	return pv_drain_event_is_set(&crawl->flights.drained);
}

/* Nothing is under way, be it a visit, a name or a paper. */
static bool is_quiet(const struct pv_crawl *crawl)
{
	return is_drained(crawl) && !crawl->outbox.under_way &&
	       crawl->seeding.is_done && crawl->inbound.is_done &&
	       !crawl->around.names->count(crawl->names) &&
	       !crawl->hosts.taking.is_under_way;
}

/* For whom, and until when (P4). */
static void stop_for_wait(struct pv_crawl *crawl, const char *why)
{
	struct pv_waiting waiting;
	struct pv_buf reason;
	pv_buf_init(&reason, sizeof(crawl->halt.reason) - 1);
	pv_waiting_look(crawl, &waiting);
	pv_buf_append_text(&reason, why);
	if (waiting.count) {
		pv_buf_append_text(&reason, ": ");
		pv_waiting_write(
		    crawl, &waiting.first, waiting.count - 1, &reason);
	}
	pv_halt_begin(crawl, PAVANE_LIMITED, pv_buf_text(&reason));
	pv_buf_finish(&reason);
}

static void check_wait(struct pv_crawl *crawl)
{
	int64_t wait_ms = crawl->policy->limits.wait_ms;
	int64_t due = first_due(crawl);
	if (pv_control_holds_any(crawl) || !is_quiet(crawl) ||
	    (due == PV_NEVER && pv_host_visits_ask_rest(crawl)))
		return;
	if (due == PV_NEVER && crawl->commands.stays_open)
		return; /* others may be added */
	if (due == PV_NEVER)
		stop_for_wait(crawl, "no pending address can be requested now");
	else if (wait_ms != PV_NONE && due - pv_crawl_now(crawl) > wait_ms)
		stop_for_wait(crawl,
		    "all pending addresses must wait longer than limits.wait");
}

/* A host that was asked, and neither it nor its name's servers answered. */
static bool was_asked_in_vain(const struct pv_live_host *host)
{
	if (host->phase == PV_HOST_NAMELESS)
		return host->look_up_at != PV_NEVER;
	return host->phase == PV_HOST_PACED &&
	       pv_schedule_host_failures(host->scheduled) > 0;
}

/* To a person who waits for it, that nothing answers says more at once than
 * after hours of trying. Failures of earlier runs are no answer of
 * this one: so as many requests failed as there are hosts. */
static bool is_silent(const struct pv_crawl *crawl)
{
	size_t paced = 0;
	if (!crawl->options.is_attended ||
	    !pv_counters_are_silent(&crawl->counters) || !is_quiet(crawl) ||
	    crawl->hosts.slots.has_waiting)
		return false;
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		if (!was_asked_in_vain(crawl->hosts.held.items[i]))
			return false;
		paced += crawl->hosts.held.items[i]->phase == PV_HOST_PACED;
	}
	return crawl->hosts.held.count > 0 &&
	       crawl->counters.unanswered >= paced;
}

/* Of a fleet's limits no worker knows by itself whether they are. */
static bool are_pages_reached(const struct pv_crawl *crawl)
{
	int64_t limit = crawl->policy->limits.pages;
	if (crawl->around.allowance)
		return crawl->around.allowance->pages.is_reached;
	return limit != PV_NONE && crawl->counters.all_pages >= (uint64_t)limit;
}

static bool are_bytes_reached(const struct pv_crawl *crawl)
{
	int64_t limit = crawl->policy->limits.bytes;
	if (crawl->around.allowance)
		return crawl->around.allowance->bytes.is_reached;
	return limit != PV_NONE && crawl->counters.all_bytes >= (uint64_t)limit;
}

static void check_limits(struct pv_crawl *crawl)
{
	if (!is_drained(crawl))
		return;
	if (are_pages_reached(crawl))
		pv_halt_begin(crawl, PAVANE_LIMITED,
		    "limits.pages is reached; to continue past it: --set "
		    "limits.pages=none");
	else if (are_bytes_reached(crawl))
		pv_halt_begin(crawl, PAVANE_LIMITED,
		    "limits.bytes is reached; to continue past it: --set "
		    "limits.bytes=none");
	else if (is_silent(crawl))
		pv_halt_begin(crawl, PAVANE_NOT_BEGUN, "nothing has answered");
	else
		check_wait(crawl);
}

/* Whether it may be the end; or where the crawl stays open, whether it is not
 * known yet that nothing is left. */
static bool must_look(struct pv_crawl *crawl)
{
	return pv_commands_are_idle(crawl) &&
	       !(crawl->commands.stays_open && crawl->finishing.has_nothing);
}

static void see_whether_it_ends(struct pv_crawl *crawl)
{
	if (crawl->finishing.is_counting)
		return;
	if (!is_quiet(crawl) || !pv_hosts_are_idle(crawl)) {
		crawl->finishing.has_nothing = false;
		check_limits(crawl);
	} else if (must_look(crawl)) {
		pv_finishing_begin(crawl);
	}
}

/* Being asked */

static void drop(struct pv_crawl *crawl)
{
	if (crawl->halt.phase != PAVANE_DRAINING)
		return;
	pv_halt_enter(&crawl->halt, PAVANE_DROPPING);
	if (crawl->flights.fetching)
		pv_log(&crawl->log, PV_LOG_INFO, "%zu %s again",
		    crawl->flights.fetching,
		    crawl->flights.fetching == 1
			? "request is dropped; the next run makes it"
			: "requests are dropped; the next run makes them");
	pv_release_drop_all(crawl);
	pv_frontier_let_go(crawl->frontier);
}

void pv_stopping_hear(struct pv_crawl *crawl)
{
	int asked = atomic_load(&crawl->halt.stop_asked);
	if (pv_crawl_now(crawl) >= pv_halt_limit_at(crawl))
		pv_halt_begin(crawl, PAVANE_LIMITED, "limits.time is reached");
	if (asked)
		pv_halt_begin(crawl, PAVANE_STOPPED, "a stop was requested");
	else if (atomic_load(&crawl->halt.is_interrupted))
		pv_halt_begin(crawl, PAVANE_STOPPED, "its policy has changed");
	if (asked > 1)
		drop(crawl);
}

/* Also where somebody asks when it ends already: then he waits from now on. */
static void close_down(struct pv_crawl *crawl)
{
	if (atomic_load(&crawl->halt.stop_asked))
		pv_writer_leave_log(&crawl->store->writer);
	if (crawl->halt.phase != PAVANE_CLOSING) {
		pv_halt_enter(&crawl->halt, PAVANE_CLOSING);
		pv_host_returns_give_all(crawl);
		pv_progress_keep_end(crawl);
	}
	pv_writer_flush(&crawl->store->writer);
	if (!crawl->outbox.under_way)
		crawl->halt.is_over = true;
}

void pv_stopping_look_at_state(struct pv_crawl *crawl)
{
	if (!pv_halt_is_state_removed(crawl))
		return;
	pv_halt_fail(crawl, "");
	drop(crawl);
}

void pv_stopping_step(struct pv_crawl *crawl)
{
	if (!crawl->halt.is_ending)
		see_whether_it_ends(crawl);
	if (!crawl->halt.is_ending)
		return;
	if (!is_drained(crawl) &&
	    pv_crawl_now(crawl) >= crawl->halt.drain_until)
		drop(crawl);
	if (is_drained(crawl) && !crawl->hosts.taking.is_under_way &&
	    !crawl->hosts.taking.wish_count)
		close_down(crawl);
}

void pv_stopping_fold_log(struct pv_crawl *crawl)
{
	bool is_awaited = atomic_load(&crawl->halt.stop_asked) > 0;
	if (pv_store_fold_log(crawl->store, is_awaited ? FOLD_MS : -1) ||
	    pv_halt_is_state_removed(crawl))
		return;
	pv_log(&crawl->log, PV_LOG_INFO,
	    "%s: the last %zu MiB of the state are still in state.db-wal: "
	    "keep it together with state.db; the next run merges them",
	    crawl->directory, (pv_store_log_bytes(crawl->store) >> 20) + 1);
}

int64_t pv_stopping_next(const struct pv_crawl *crawl)
{
	bool is_draining =
	    crawl->halt.phase == PAVANE_DRAINING && !is_drained(crawl);
	if (crawl->halt.is_ending)
		return is_draining ? crawl->halt.drain_until : PV_NEVER;
	return pv_halt_limit_at(crawl);
}
