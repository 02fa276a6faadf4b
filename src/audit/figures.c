#include "audit/figures.h"

#include <stdio.h>
#include <stdlib.h>

#include "audit/walks.h"
#include "base/alloc.h"
#include "http/status.h"
#include "store/tables/ledger_table.h"

/* Going from host to host */

struct host_walk {
	struct pv_audit *audit;
	struct pv_audit_figures *figures; /* of the one in hand */
	bool has_begun;
	pv_audit_figures_fn on_host;
	void *ctx;
};

static void begin(struct host_walk *walk, uint32_t host)
{
	struct pv_audit_figures *figures = walk->figures;
	*figures = (struct pv_audit_figures){
	    .host = walk->audit->terms.hosts.items[host],
	    .number = host,
	};
	pv_ledger_init(&figures->ledger);
	walk->has_begun = true;
}

static void add(
    struct pv_audit_figures *figures, const struct pv_audit_request *request)
{
	const struct pv_ledger_entry *facts = &request->facts;
	bool is_success = request->is_answered &&
			  pv_http_class(facts->http_status) == PV_HTTP_SUCCESS;
	pv_ledger_add(&figures->ledger, facts);
	figures->pages += is_success && !facts->is_robots;
	figures->unsent += facts->pacing.sent_ms < 0;
	if (!figures->first_wall_ms || facts->wall_ms < figures->first_wall_ms)
		figures->first_wall_ms = facts->wall_ms;
	if (facts->wall_ms > figures->last_wall_ms)
		figures->last_wall_ms = facts->wall_ms;
	if (facts->is_robots && is_success)
		snprintf(figures->robots_digest, sizeof(figures->robots_digest),
		    "%.*s", PV_STR_ARG(request->text));
}

static void on_request(void *ctx, const struct pv_audit_request *request)
{
	struct host_walk *walk = ctx;
	uint32_t host = pv_audit_promise_of(walk->audit, request)->host;
	if (!walk->has_begun) {
		begin(walk, host);
	} else if (walk->figures->number != host) {
		walk->on_host(walk->ctx, walk->figures);
		begin(walk, host);
	}
	add(walk->figures, request);
}

void pv_audit_each_host(
    struct pv_audit *audit, pv_audit_figures_fn on_host, void *ctx)
{
	struct host_walk walk = {
	    .audit = audit,
	    .figures = pv_alloc(sizeof(*walk.figures)),
	    .on_host = on_host,
	    .ctx = ctx,
	};
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_HOST, on_request, &walk);
	if (walk.has_begun)
		on_host(ctx, walk.figures);
	free(walk.figures);
}

/* The ledger against the journal */

struct ledger_walk {
	struct pv_audit *audit;
	struct pv_ledger_table table;
	struct pv_ledger *kept;
	int64_t known; /* hosts that both know */
};

static void differ(struct pv_audit *audit, uint32_t host, const char *figure,
    int64_t ledger, int64_t journal)
{
	if (ledger == journal)
		return;
	pv_audit_findings_add(&audit->findings, &(struct pv_audit_finding){
						    .rule = PV_AUDIT_LEDGER,
						    .host = host,
						    .was = ledger,
						    .should = journal,
						    .figure = figure,
						});
}

static void compare(void *ctx, const struct pv_audit_figures *figures)
{
	struct ledger_walk *walk = ctx;
	struct pv_audit *audit = walk->audit;
	const struct pv_ledger *ours = &figures->ledger;
	struct pv_ledger *kept = walk->kept;
	walk->known += pv_ledger_table_find(&walk->table, figures->host, kept);
	const struct {
		const char *figure;
		int64_t ledger;
		int64_t journal;
	} pairs[] = {
	    {"requests", kept->requests, ours->requests},
	    {"bytes", kept->bytes, ours->bytes},
	    {"answers of 429", kept->too_many, ours->too_many},
	    {"answers of 503", kept->unavailable, ours->unavailable},
	    {"requests at once", kept->most_at_once, ours->most_at_once},
	    {"smallest gap in ms", kept->least_gap_ms, ours->least_gap_ms},
	    {"quickest reaction in ms", kept->least_reaction_ms,
		ours->least_reaction_ms},
	    {"requests for robots.txt", kept->robots_count, ours->robots_count},
	    {"gaps", (int64_t)kept->gaps.count, (int64_t)ours->gaps.count},
	    {"median gap in ms", (int64_t)pv_ledger_median_gap_ms(kept),
		(int64_t)pv_ledger_median_gap_ms(ours)},
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		differ(audit, figures->number, pairs[i].figure, pairs[i].ledger,
		    pairs[i].journal);
}

/* A reported gap is the one to the previous request, which may never have been
 * committed; but never longer than that to one that was. Which of those that
 * started in the same millisecond was the first nobody can say. */
struct gap_walk {
	struct pv_audit *audit;
	const struct pv_audit_promise *last;
	int64_t run;
	int64_t sent_ms;
	int64_t before_ms; /* the last that started sooner; negative: none */
};

static void judge_gap(void *ctx, const struct pv_audit_request *request)
{
	struct gap_walk *walk = ctx;
	const struct pv_pacing *pacing = &request->facts.pacing;
	const struct pv_audit_promise *promise =
	    pv_audit_promise_of(walk->audit, request);
	if (pacing->sent_ms < 0)
		return;
	bool is_further = walk->last && walk->last->host == promise->host &&
			  walk->run == pacing->run;
	if (!is_further)
		walk->before_ms = -1;
	else if (pacing->sent_ms != walk->sent_ms)
		walk->before_ms = walk->sent_ms;
	int64_t most_ms = pacing->sent_ms - walk->before_ms;
	if (walk->before_ms >= 0 && pacing->gap_ms > most_ms)
		pv_audit_find(walk->audit, request, PV_AUDIT_JOURNAL, most_ms,
		    pacing->gap_ms);
	walk->last = promise;
	walk->run = pacing->run;
	walk->sent_ms = pacing->sent_ms;
}

void pv_audit_walk_ledger(struct pv_audit *audit)
{
	struct gap_walk gaps = {.audit = audit};
	struct ledger_walk walk = {.audit = audit};
	uint64_t bytes = 0;
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_HOST, judge_gap, &gaps);
	/* It counts from the beginning. */
	if (pv_audit_parts_are_cut(&audit->parts))
		return;
	walk.kept = pv_alloc(sizeof(*walk.kept));
	pv_ledger_table_init(&walk.table, audit->state);
	pv_audit_each_host(audit, compare, &walk);
	differ(audit, PV_AUDIT_NO_HOST, "hosts",
	    (int64_t)pv_ledger_table_count(audit->state, INT64_MAX, &bytes),
	    walk.known);
	pv_ledger_table_finish(&walk.table);
	free(walk.kept);
}
