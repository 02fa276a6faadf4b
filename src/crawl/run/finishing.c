#include "crawl/run/finishing.h"

#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/host/host_visits.h"
#include "crawl/progress/progress.h"
#include "crawl/run/halt.h"
#include "crawl/update/gone_pages.h"
#include "store/tables/note.h"

/* Refusals that are written at a time: each batch waits for a commit. */
#define BATCH 2000
#define BATCH_BYTES ((size_t)4 << 20)

/* Up to which address refusals have got their line. */
#define NOTE PV_STR("refusals-told")

/* Refused addresses on their way into the journal. */
struct refusals {
	struct pv_crawl *crawl;
	struct pv_refused_request request;
	struct pv_job job;
	uint64_t last;
	int64_t finished_at;
};

static void ask(struct refusals *refusals);

static struct refusals *of_job(struct pv_job *job)
{
	return (
	    struct refusals *)((char *)job - offsetof(struct refusals, job));
}

/* The end of it */

static void write_finish(struct pv_job *job, struct pv_database *database)
{
	struct refusals *refusals = of_job(job);
	pv_note_set(database, PV_NOTE_FINISHED, refusals->finished_at);
	pv_frontier_end_round(refusals->crawl->frontier, refusals->finished_at);
}

static void end(struct pv_crawl *crawl)
{
	bool has_failed = crawl->finishing.request.failed_seeds > 0;
	crawl->finishing.is_counting = false;
	pv_halt_begin(crawl, has_failed ? PAVANE_NOT_BEGUN : PAVANE_FINISHED,
	    has_failed ? "a seed could not be fetched"
		       : "the crawl is complete");
}

static void on_finish(struct pv_job *job, enum pv_store_status status)
{
	struct refusals *refusals = of_job(job);
	struct pv_crawl *crawl = refusals->crawl;
	pv_outbox_came_back(&crawl->outbox);
	free(refusals);
	pv_halt_note_status(crawl, status);
	pv_gone_pages_begin(crawl, end);
}

/* Now, unless it was complete before, and nothing has been asked since. */
static int64_t finished_at(const struct pv_crawl *crawl)
{
	bool was_complete =
	    crawl->finishing.finished_at && !crawl->counters.requests;
	return was_complete ? crawl->finishing.finished_at : crawl->now.wall_ms;
}

static void on_seeds(
    struct pv_count_request *request, enum pv_store_status status)
{
	struct refusals *refusals = request->ctx;
	struct pv_crawl *crawl = refusals->crawl;
	pv_outbox_came_back(&crawl->outbox);
	pv_progress_hear_counts(crawl, request, status);
	pv_halt_note_status(crawl, status);
	refusals->finished_at = finished_at(crawl);
	refusals->job =
	    (struct pv_job){.run = write_finish, .done = on_finish, .rows = 1};
	pv_outbox_give(
	    &crawl->outbox, PV_PAPER_JOBS, &refusals->job, pv_crawl_now(crawl));
}

static void count_seeds(struct refusals *refusals)
{
	struct pv_crawl *crawl = refusals->crawl;
	crawl->finishing.request = (struct pv_count_request){
	    .wants_seeds = true, .done = on_seeds, .ctx = refusals};
	pv_outbox_give(&crawl->outbox, PV_PAPER_COUNT_REQUEST,
	    &crawl->finishing.request, pv_crawl_now(crawl));
}

/* Lines */

static void append(struct pv_job *job, struct pv_database *database)
{
	struct refusals *refusals = of_job(job);
	const struct pv_visit_list *visits = &refusals->request.visits;
	for (size_t i = 0; i < visits->count; i++) {
		struct pv_visit visit = pv_visit_list_get(visits, i);
		pv_refusals_append(
		    refusals->crawl->refusals, &visit, true, database);
		refusals->last = visit.id;
	}
	pv_note_set(database, NOTE, (int64_t)refusals->last);
}

static void on_appended(struct pv_job *job, enum pv_store_status status)
{
	struct refusals *refusals = of_job(job);
	struct pv_crawl *crawl = refusals->crawl;
	pv_outbox_came_back(&crawl->outbox);
	pv_visit_list_finish(&refusals->request.visits);
	pv_halt_note_status(crawl, status);
	if (status == PV_STORE_OK && !crawl->halt.is_ending) {
		ask(refusals);
		return;
	}
	crawl->finishing.is_counting = false;
	free(refusals);
}

static void on_refused(
    struct pv_refused_request *request, enum pv_store_status status)
{
	struct refusals *refusals = request->ctx;
	struct pv_crawl *crawl = refusals->crawl;
	pv_outbox_came_back(&crawl->outbox);
	pv_halt_note_status(crawl, status);
	size_t count = request->visits.count;
	if (status != PV_STORE_OK || crawl->halt.is_ending) {
		crawl->finishing.is_counting = false;
		pv_visit_list_finish(&request->visits);
		free(refusals);
		return;
	}
	if (!count) {
		pv_visit_list_finish(&request->visits);
		count_seeds(refusals);
		return;
	}
	refusals->job =
	    (struct pv_job){.run = append, .done = on_appended, .rows = count};
	pv_outbox_give(
	    &crawl->outbox, PV_PAPER_JOBS, &refusals->job, pv_crawl_now(crawl));
}

static void ask(struct refusals *refusals)
{
	struct pv_crawl *crawl = refusals->crawl;
	refusals->request = (struct pv_refused_request){
	    .after = refusals->last,
	    .max = BATCH,
	    .done = on_refused,
	    .ctx = refusals,
	};
	pv_visit_list_init(&refusals->request.visits,
	    BATCH_BYTES + 3 * (size_t)PV_SEED_ADDRESS_MAX);
	pv_outbox_give(&crawl->outbox, PV_PAPER_REFUSED_REQUEST,
	    &refusals->request, pv_crawl_now(crawl));
}

/* Whether it is the end */

static void tell_if_finished_before(struct pv_crawl *crawl)
{
	time_t at = (time_t)(crawl->finishing.finished_at / 1000);
	struct tm broken;
	char date[32];
	if (!crawl->finishing.finished_at || crawl->counters.requests ||
	    crawl->update.state != PV_UPDATE_NONE)
		return;
	localtime_r(&at, &broken);
	strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &broken);
	pv_log(&crawl->log, PV_LOG_INFO,
	    "%s: nothing to do: this crawl has been complete since %s (to "
	    "fetch what has changed: pavane update%s)",
	    crawl->directory, date,
	    crawl->fleet
		? " --fleet; to start again: give the crawl another name"
		: "; to start again: --fresh");
}

static void on_count(
    struct pv_count_request *request, enum pv_store_status status)
{
	struct pv_crawl *crawl = request->ctx;
	pv_outbox_came_back(&crawl->outbox);
	crawl->finishing.is_counting = false;
	pv_progress_hear_counts(crawl, request, status);
	pv_halt_note_status(crawl, status);
	if (crawl->halt.is_ending)
		return;
	if (request->counts.states[PV_STATE_PENDING] ||
	    request->counts.states[PV_STATE_IN_FLIGHT]) {
		crawl->hosts.slots.has_waiting = true;
		pv_host_visits_ask_all(crawl);
		return;
	}
	crawl->finishing.has_nothing = true;
	if (crawl->commands.stays_open)
		return;
	if (request->has_left_known) {
		pv_halt_begin(crawl, PAVANE_LIMITED,
		    "limits.known is reached and links were left out; to "
		    "follow them: --set limits.known=none");
		return;
	}
	if (request->has_left_traps)
		pv_log(&crawl->log, PV_LOG_INFO,
		    "%s: more links were refused as traps than "
		    "limits.host_traps records for a host: the rest are not "
		    "counted",
		    crawl->directory);
	tell_if_finished_before(crawl);
	struct refusals *refusals = pv_alloc(sizeof(*refusals));
	refusals->crawl = crawl;
	refusals->last = (uint64_t)crawl->finishing.refusals_told;
	crawl->finishing.is_counting = true;
	ask(refusals);
}

void pv_finishing_begin(struct pv_crawl *crawl)
{
	crawl->finishing.is_counting = true;
	crawl->finishing.request = (struct pv_count_request){
	    .is_last = true, .done = on_count, .ctx = crawl};
	pv_outbox_give(&crawl->outbox, PV_PAPER_COUNT_REQUEST,
	    &crawl->finishing.request, pv_crawl_now(crawl));
}

void pv_finishing_open(struct pv_crawl *crawl)
{
	struct pv_database *database = crawl->store->database;
	crawl->finishing.refusals_told = pv_note_get(database, NOTE, 0);
	crawl->finishing.finished_at =
	    pv_note_get(database, PV_NOTE_FINISHED, 0);
}

void pv_finishing_reopen(struct pv_crawl *crawl)
{
	pv_note_set(crawl->store->database, PV_NOTE_FINISHED, 0);
	crawl->finishing.finished_at = 0;
}
