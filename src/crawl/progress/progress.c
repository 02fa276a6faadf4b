#include "crawl/progress/progress.h"

#include <stdio.h>

#include "crawl/conductor.h"
#include "crawl/progress/forecast.h"
#include "crawl/progress/saved_progress.h"
#include "crawl/progress/tally.h"
#include "schedule/scheduler.h"
#include "store/state_look.h"
#include "store/tables/state_figures.h"

#define SECOND 1000

/* Nothing new among so many addresses, and among such a part of all that are
 * done: then there will hardly be more. */
#define SETTLED_MIN 10
#define SETTLED_PART 3

/* Turns */

/* Whether what is next rests because something has failed. What the schedule
 * does not have yet is a name that could not be resolved, a robots.txt that
 * could not be fetched, or a request that is tried again later. */
static bool is_after_failure(const struct pv_crawl *crawl)
{
	const struct pv_schedule_host *first =
	    pv_schedule_first_host(crawl->schedule);
	if (first)
		return pv_wait_is_after_failure(
		    pv_schedule_host_wait(crawl->schedule, first, crawl->now)
			.reason);
	return crawl->hosts.visits.later_next != PV_NEVER ||
	       crawl->hosts.authorities.ask_next != PV_NEVER ||
	       crawl->hosts.dns.look_up_next != PV_NEVER;
}

/* Whom it waits for, while it waits: those on the wire, if nobody else could
 * start before one of them has ended. */
static enum pv_holder holder_of(const struct pv_crawl *crawl)
{
	bool is_full =
	    crawl->flights.fetching >= (size_t)crawl->policy->rate.concurrency;
	int64_t wake =
	    pv_scheduler_next_wake(crawl->schedule, pv_crawl_now(crawl));
	if (crawl->outbox.waiting || crawl->backpressure.disk.is_short)
		return PV_HELD_BY_MACHINE;
	if (crawl->flights.fetching && (is_full || wake == PV_NEVER))
		return PV_HELD_BY_SERVER;
	if (!crawl->flights.fetching && crawl->flights.settling)
		return PV_HELD_BY_MACHINE;
	return is_after_failure(crawl) ? PV_HELD_BY_FAILURE : PV_HELD_BY_POLICY;
}

static void note_cpu(struct pv_counters *counters, uint64_t used_us)
{
	if (used_us > counters->turn_cpu_us)
		counters->turn_cpu_us = used_us;
}

/* The time in which the loop was at work is this machine's; that in which it
 * had nothing to do is theirs who were waited for. */
void pv_progress_turn(struct pv_crawl *crawl)
{
	struct pv_counters *counters = &crawl->counters;
	uint64_t now = pv_crawl_ticks_ns(crawl);
	uint64_t idle = crawl->around.clock->idle_ns(crawl->clock);
	uint64_t cpu = crawl->around.clock->cpu_ns(crawl->clock);
	if (crawl->progress.turned_at) {
		uint64_t idle_us = (idle - crawl->progress.turned_idle) / 1000;
		uint64_t all_us = (now - crawl->progress.turned_at) / 1000;
		uint64_t busy_us = all_us > idle_us ? all_us - idle_us : 0;
		counters->held_us[PV_HELD_BY_MACHINE] += busy_us;
		counters->held_us[crawl->progress.holder] += idle_us;
		if ((int64_t)busy_us / 1000 > counters->blocked_ms)
			counters->blocked_ms = (int64_t)busy_us / 1000;
		note_cpu(counters, (cpu - counters->turned_cpu_ns) / 1000);
	}
	counters->turned_cpu_ns = cpu;
	crawl->progress.turned_at = now;
	crawl->progress.turned_idle = idle;
	crawl->progress.holder = holder_of(crawl);
}

void pv_progress_return(struct pv_crawl *crawl)
{
	struct pv_counters *counters = &crawl->counters;
	uint64_t now = pv_crawl_ticks_ns(crawl);
	if (crawl->progress.turned_at)
		counters->held_us[crawl->progress.holder] +=
		    (now - crawl->progress.turned_at) / 1000;
	crawl->progress.turned_at = now;
	crawl->progress.turned_idle =
	    crawl->around.clock->idle_ns(crawl->clock);
	counters->turned_cpu_ns = crawl->around.clock->cpu_ns(crawl->clock);
}

/* Filling in */

static struct pavane_percentiles percentiles_of(
    const struct pv_histogram *histogram)
{
	return (struct pavane_percentiles){
	    .p50_ms = pv_histogram_percentile(histogram, 50),
	    .p95_ms = pv_histogram_percentile(histogram, 95),
	    .p99_ms = pv_histogram_percentile(histogram, 99),
	    .count = histogram->count,
	};
}

/* How much of it is done. A limit of pages is a goal; else that many addresses
 * are left is known when the pages of late have led to no new ones. */
static double share_of(struct pv_crawl *crawl)
{
	const struct pavane_progress *progress = &crawl->progress.figures;
	int64_t limit = crawl->policy->limits.pages;
	uint64_t all = progress->done + progress->pending;
	uint64_t since;
	if (progress->known > crawl->progress.known) {
		crawl->progress.known = progress->known;
		crawl->progress.grown_at = progress->done;
	}
	if (progress->done < crawl->progress.grown_at)
		crawl->progress.grown_at = 0; /* an update begins anew */
	since = progress->done - crawl->progress.grown_at;
	if (limit != PV_NONE && (uint64_t)limit < all)
		return (double)crawl->counters.all_pages / (double)limit;
	if (!progress->pending || since < SETTLED_MIN ||
	    since < progress->done / SETTLED_PART)
		return -1;
	return (double)progress->done / (double)all;
}

static void fill_addresses(struct pv_crawl *crawl)
{
	struct pavane_progress *progress = &crawl->progress.figures;
	const struct pv_counts *counts = &crawl->finishing.counts;
	progress->pending = counts->states[PV_STATE_PENDING] +
			    counts->states[PV_STATE_IN_FLIGHT];
	progress->done = counts->states[PV_STATE_DONE];
	progress->refused = counts->states[PV_STATE_REFUSED];
	progress->known =
	    progress->pending + progress->done + progress->refused;
	progress->failed = progress->done -
			   counts->outcomes[PV_OUTCOME_ANSWERED] -
			   counts->outcomes[PV_OUTCOME_NOT_ACCEPTED];
	progress->failed += crawl->counters.refused;
	pv_tally_reasons(&progress->refusals, counts);
	pv_tally_outcomes(&progress->outcomes, counts);
	progress->shard = crawl->reading.shard.number;
	progress->shards = crawl->reading.shard.count;
	progress->elsewhere = counts->reasons[PV_REASON_SHARD];
	progress->done_share = share_of(crawl);
}

static void fill_changes(struct pv_crawl *crawl)
{
	const struct pv_round *round = &crawl->update.round;
	const struct pv_gone_figures *gone = &crawl->update.gone;
	crawl->progress.figures.changes = (struct pavane_changes){
	    .round = round->number,
	    .added = round->counts[PV_CHANGE_NEW],
	    .changed = round->counts[PV_CHANGE_CHANGED],
	    .gone = round->counts[PV_CHANGE_GONE],
	    .same = round->counts[PV_CHANGE_SAME],
	    .failed = round->counts[PV_CHANGE_FAILED],
	    .not_reached = pv_round_left(round),
	    .moved = gone->moved,
	    .deleted = gone->deleted,
	    .held_back = gone->is_alarm ? gone->going : 0,
	};
}

static void fill_statuses(struct pv_crawl *crawl)
{
	struct pavane_tallies *statuses = &crawl->progress.figures.statuses;
	statuses->count = 0;
	for (unsigned i = 0; i < PV_STATUS_COUNT; i++) {
		char *word =
		    crawl->progress
			.status_words[statuses->count % PAVANE_TALLIES_MAX];
		if (!crawl->counters.statuses[i] ||
		    statuses->count == PAVANE_TALLIES_MAX)
			continue;
		snprintf(
		    word, sizeof(crawl->progress.status_words[0]), "%u", i);
		pv_tally_add(statuses, word, "", crawl->counters.statuses[i]);
	}
	pv_tally_sort(statuses);
}

static void fill_run(struct pv_crawl *crawl)
{
	struct pavane_progress *progress = &crawl->progress.figures;
	const struct pv_counters *counters = &crawl->counters;
	struct pv_pace_figures pace =
	    pv_counters_pace(counters, pv_crawl_now(crawl));
	progress->requests = counters->requests;
	progress->pages = counters->pages;
	progress->bytes = counters->bytes;
	progress->pages_per_second = pace.pages;
	progress->requests_per_second = pace.requests;
	progress->bytes_per_second = pace.bytes;
	progress->open = crawl->flights.drained.open;
	progress->name = percentiles_of(&counters->name);
	progress->connect = percentiles_of(&counters->connect);
	progress->first_byte = percentiles_of(&counters->first_byte);
	progress->total = percentiles_of(&counters->total);
	progress->pool = percentiles_of(&counters->pool);
	progress->lateness = counters->lateness;
	progress->commit = counters->commit;
	progress->blocked_ms = counters->blocked_ms;
	progress->turn_cpu_ms = (int64_t)counters->turn_cpu_us / 1000;
	progress->left_ms = -1;
	if (pace.requests > 0 && progress->pending && !crawl->halt.is_ending &&
	    !crawl->control.is_paused)
		progress->left_ms = (int64_t)((double)progress->pending /
					      pace.requests * SECOND);
}

/* What holds it */

static void write_holder(struct pv_crawl *crawl)
{
	static const char *const sentences[PV_HOLDER_COUNT] = {
	    [PV_HELD_BY_NOTHING] = "not known yet",
	    [PV_HELD_BY_POLICY] = "the policy: its delays and rates",
	    [PV_HELD_BY_SERVER] =
		"the servers: all allowed requests wait for answers",
	    [PV_HELD_BY_LINE] = "the network: answers arrive slowly",
	    [PV_HELD_BY_MACHINE] = "this machine: its threads or its disk",
	    [PV_HELD_BY_FAILURE] =
		("failures: pauses after failed connections, errors and "
		 "overload"),
	};
	unsigned percent;
	enum pv_holder holder = pv_counters_holder(&crawl->counters, &percent);
	/* Answers that take long are the server's until their first byte. */
	if (holder == PV_HELD_BY_SERVER &&
	    crawl->progress.figures.total.p50_ms >
		2 * crawl->progress.figures.first_byte.p50_ms)
		holder = PV_HELD_BY_LINE;
	snprintf(crawl->progress.held, sizeof(crawl->progress.held),
	    "%s (%u %% of the time)", sentences[holder], percent);
}

void pv_progress_fill(struct pv_crawl *crawl)
{
	struct pavane_progress *progress = &crawl->progress.figures;
	struct pv_moment *moment = &crawl->progress.moment;
	progress->phase = crawl->halt.phase;
	progress->end = crawl->halt.end;
	progress->elapsed_ms = pv_crawl_now(crawl) - crawl->counters.started_at;
	progress->drain_left_ms = -1;
	if (crawl->halt.phase == PAVANE_DRAINING)
		progress->drain_left_ms =
		    crawl->halt.drain_until - pv_crawl_now(crawl);
	fill_addresses(crawl);
	fill_changes(crawl);
	fill_statuses(crawl);
	fill_run(crawl);
	pv_failures_fill(&crawl->progress.failures, progress);
	pv_moment_fill(crawl);
	if (crawl->halt.end == PAVANE_LIMITED)
		snprintf(moment->note, sizeof(moment->note), "%s",
		    crawl->halt.reason);
	write_holder(crawl);
	progress->note = moment->note;
	progress->waits_for = moment->waits_for;
	progress->pauses = moment->pauses;
	progress->settings = moment->settings;
	progress->proxies = moment->proxies;
	progress->held_by = crawl->progress.held;
}

/* Telling */

void pv_progress_hear_counts(struct pv_crawl *crawl,
    const struct pv_count_request *request, enum pv_store_status status)
{
	if (status != PV_STORE_OK)
		return;
	crawl->finishing.counts = request->counts;
	crawl->update.round = request->round;
}

static void on_counted(
    struct pv_count_request *request, enum pv_store_status status)
{
	struct pv_crawl *crawl = request->ctx;
	pv_outbox_came_back(&crawl->outbox);
	crawl->progress.is_looking = false;
	pv_progress_hear_counts(crawl, request, status);
}

/* The counts are the frontier's; they are a little behind. */
static void look(struct pv_crawl *crawl)
{
	if (crawl->progress.is_looking)
		return;
	crawl->progress.is_looking = true;
	crawl->progress.looked_at_reports = crawl->outbox.reports;
	crawl->progress.request =
	    (struct pv_count_request){.done = on_counted, .ctx = crawl};
	pv_outbox_give(&crawl->outbox, PV_PAPER_COUNT_REQUEST,
	    &crawl->progress.request, pv_crawl_now(crawl));
}

static void look_now_and_then(struct pv_crawl *crawl)
{
	if (!crawl->halt.is_ending && !crawl->finishing.is_counting &&
	    !crawl->outbox.waiting &&
	    crawl->progress.looked_at_reports != crawl->outbox.reports)
		look(crawl);
}

void pv_progress_tell(struct pv_crawl *crawl)
{
	pv_progress_fill(crawl);
	if (crawl->options.on_progress)
		crawl->options.on_progress(
		    crawl->options.ctx, &crawl->progress.figures);
}

void pv_progress_begin(struct pv_crawl *crawl)
{
	if (!crawl->options.progress_ms)
		crawl->options.progress_ms = SECOND;
	crawl->progress.looked_at_reports = UINT64_MAX;
	pv_counters_sample(&crawl->counters, pv_crawl_now(crawl));
	pv_progress_tell(crawl);
}

/* Of a complete crawl, the run that completed it is reported; unless files go
 * that stayed then. */
static bool is_told_before(const struct pv_crawl *crawl)
{
	return crawl->finishing.finished_at && !crawl->counters.requests &&
	       !crawl->update.gone.moved && !crawl->update.gone.deleted;
}

void pv_progress_beat(struct pv_crawl *crawl)
{
	int64_t now = pv_crawl_now(crawl);
	if (now - crawl->progress.sampled_at >= SECOND) {
		crawl->progress.sampled_at = now;
		pv_counters_sample(&crawl->counters, now);
		look_now_and_then(crawl);
	}
	pv_progress_tell(crawl);
	pv_forecast_step(crawl);
	bool is_due = now - crawl->progress.kept_at >= 2 * SECOND ||
		      !pv_saved_progress_has_pauses(crawl);
	if (is_due && !crawl->halt.is_ending && !is_told_before(crawl)) {
		crawl->progress.kept_at = now;
		pv_saved_progress_keep(crawl);
	}
}

void pv_progress_keep_end(struct pv_crawl *crawl)
{
	look(crawl);
	if (is_told_before(crawl))
		return;
	pv_progress_fill(crawl);
	crawl->progress.figures.phase = PAVANE_ENDED;
	pv_saved_progress_keep(crawl);
}

/* Where the state could not be written, it has less than was counted last, or
 * more. */
static void count_saved(struct pv_crawl *crawl)
{
	struct pv_counts counts;
	struct pv_why why;
	pv_why_init(&why);
	struct pv_database *state = pv_state_look(crawl->directory, &why);
	if (state) {
		pv_state_figures_counts(state, &counts);
		if (pv_database_status(state) == PV_STORE_OK)
			crawl->finishing.counts = counts;
		pv_database_close(state);
	}
	pv_why_finish(&why);
}

void pv_progress_end(struct pv_crawl *crawl)
{
	if (crawl->halt.end == PAVANE_FAILED)
		count_saved(crawl);
	pv_crawl_look_at_clock(crawl);
	pv_progress_tell(crawl);
}
