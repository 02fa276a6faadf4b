#include "fleet/taking/widening.h"

#include <stdio.h>

#include "base/reader.h"
#include "fleet/passing/passing.h"
#include "fleet/worker/worker.h"

/* So many redirects are asked for at a time. */
#define REDIRECTS_MAX 1000

/* A page that was being read when the scope became wider has been reported after
 * that time. */
#define SETTLE_MS 2000

/* Judging may take one part of the writer's time in so many. */
#define REST_FACTOR 10

void pv_widening_init(struct pv_widening *widening)
{
	*widening = (struct pv_widening){.last = 0};
	pv_buf_init(&widening->urls, SIZE_MAX);
	pv_buf_init(&widening->covered_urls, SIZE_MAX);
}

void pv_widening_finish(struct pv_widening *widening)
{
	pv_buf_finish(&widening->urls);
	pv_buf_finish(&widening->covered_urls);
}

bool pv_widening_is_done(const struct pv_widening *widening)
{
	return widening->heeded >= widening->last;
}

struct pv_rejudging *pv_widening_judge(const struct pv_fleet *fleet)
{
	return fleet->widening.heard ? fleet->options.rejudging : NULL;
}

void pv_widening_note(
    struct pv_fleet *fleet, const struct pv_fleet_results *results, size_t step)
{
	struct pv_widening *widening = &fleet->widening;
	int64_t number = 0;
	pv_fleet_field_number(
	    pv_fleet_results_field(results, step, 0, 3), &number);
	if (number > widening->last)
		widening->last = number;
}

/* Hearing */

static void hear_one(struct pv_fleet *fleet, struct pv_str url)
{
	struct pv_widening *widening = &fleet->widening;
	if (!fleet->options.on_redirect ||
	    !fleet->options.on_redirect(fleet->options.ctx, url))
		return;
	pv_buf_append(&widening->urls, url);
	pv_buf_append_char(&widening->urls, '\n');
	widening->is_due = fleet->options.rejudging != NULL;
	widening->settles_at = pv_fleet_now(fleet) + SETTLE_MS;
}

/* Numbers of which there is no redirect are those of one that two workers have
 * found. */
static void hear(struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	struct pv_widening *widening = &fleet->widening;
	size_t count = pv_fleet_results_rows(results, 1);
	for (size_t i = 0; i < count; i++) {
		widening->heard = pv_fleet_results_number(results, 1, i, 0);
		hear_one(fleet, pv_fleet_results_text(results, 1, i, 1));
	}
	if (count < REDIRECTS_MAX && widening->heard < widening->asked_for)
		widening->heard = widening->asked_for;
	if (!widening->is_due && !widening->is_judging)
		widening->heeded = widening->heard;
}

static void on_answer(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	(void)request;
	fleet->widening.is_asking = false;
	if (answer->status == PV_FLEET_REFUSED)
		pv_fleet_hear_refusal(fleet, answer);
	if (answer->status != PV_FLEET_OK)
		return;
	hear(fleet, answer->results);
	pv_fleet_wake(fleet);
}

static void ask(struct pv_fleet *fleet)
{
	struct pv_widening *widening = &fleet->widening;
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    pv_fleet_number(PV_FLEET_INT8, widening->heard),
	    pv_fleet_number(PV_FLEET_INT8, REDIRECTS_MAX)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_FENCE, fleet->fence, 2},
	    {PV_SAY_REDIRECTS, values, 3},
	};
	widening->is_asking = true;
	widening->asked_for = widening->last;
	pv_fleet_line_send(
	    fleet->line, pv_fleet_request_create(steps, 2, on_answer, fleet));
}

/* Judging again */

/* The last step keeps the redirects, in its own transaction: who is stopped before
 * hears of them again, and begins anew. */
static void keep(struct pv_fleet *fleet, struct pv_database *database)
{
	struct pv_reader reader =
	    pv_reader_of(pv_buf_str(&fleet->widening.covered_urls));
	while (!pv_reader_is_end(&reader))
		fleet->options.keep_redirect(
		    fleet->options.ctx, database, pv_reader_take_line(&reader));
}

static void run_judge(struct pv_tables_work *work, struct pv_tables *tables)
{
	struct pv_widening *widening = PV_WHOLE(struct pv_widening, work, work);
	struct pv_fleet *fleet = PV_WHOLE(struct pv_fleet, widening, widening);
	widening->has_more =
	    pv_readmission_step(&widening->readmission, tables);
	if (!widening->has_more && widening->is_settled)
		keep(fleet, tables->addresses.database);
}

static void tell(const struct pv_fleet *fleet)
{
	char line[200];
	uint64_t count = fleet->widening.readmission.rejudging.admitted;
	if (!count)
		return;
	snprintf(line, sizeof(line),
	    "seeds were redirected: %llu addresses that were "
	    "refused are in scope now",
	    (unsigned long long)count);
	fleet->options.on_line(fleet->options.ctx, false, line);
}

static void end_judging(struct pv_fleet *fleet)
{
	struct pv_widening *widening = &fleet->widening;
	tell(fleet);
	pv_buf_clear(&widening->covered_urls);
	widening->is_judging = false;
	widening->heeded =
	    widening->is_due ? widening->covered : widening->heard;
	widening->step_at =
	    pv_fleet_now(fleet) + widening->spent_ms * REST_FACTOR;
}

static void on_judged(struct pv_tables_work *work, enum pv_store_status status)
{
	struct pv_widening *widening = PV_WHOLE(struct pv_widening, work, work);
	struct pv_fleet *fleet = PV_WHOLE(struct pv_fleet, widening, widening);
	widening->is_working = false;
	if (status != PV_STORE_OK)
		return;
	widening->spent_ms += pv_fleet_now(fleet) - widening->step_began;
	pv_passing_note_change(fleet);
	if (!widening->has_more && widening->is_settled)
		end_judging(fleet);
	else if (!widening->has_more)
		widening->step_at = widening->settles_at;
	pv_fleet_wake(fleet);
}

static void judge(struct pv_fleet *fleet)
{
	struct pv_widening *widening = &fleet->widening;
	widening->work = (struct pv_tables_work){
	    .run = run_judge, .done = on_judged, .rows = 500};
	widening->step_began = pv_fleet_now(fleet);
	widening->is_settled = widening->step_began >= widening->settles_at;
	widening->is_working = pv_sqlite_frontier_work(fleet->frontier,
	    &widening->work, pv_fleet_time(fleet).monotonic_ms);
}

static void begin_judging(struct pv_fleet *fleet)
{
	struct pv_widening *widening = &fleet->widening;
	const struct pv_rejudging *rejudging = fleet->options.rejudging;
	struct pv_buf empty = widening->covered_urls;
	widening->covered_urls = widening->urls;
	widening->urls = empty;
	widening->covered = widening->heard;
	widening->readmission =
	    (struct pv_readmission){.rejudging = {
					.judge = rejudging->judge,
					.ctx = rejudging->ctx,
					.is_open = rejudging->is_open,
					.depth_before = rejudging->depth_before,
					.depth_now = rejudging->depth_now,
				    }};
	widening->spent_ms = 0;
	widening->is_due = false;
	widening->is_judging = true;
}

/* Who has nothing else to do need not rest. */
static bool is_resting(const struct pv_fleet *fleet)
{
	const struct pv_widening *widening = &fleet->widening;
	return pv_fleet_now(fleet) < widening->step_at &&
	       (widening->is_judging || !fleet->is_counted);
}

void pv_widening_step(struct pv_fleet *fleet)
{
	struct pv_widening *widening = &fleet->widening;
	if (!pv_fleet_is_up(fleet) || fleet->is_hurried)
		return;
	if (!widening->is_asking && widening->heard < widening->last)
		ask(fleet);
	if (widening->is_working || is_resting(fleet))
		return;
	if (!widening->is_judging && widening->is_due)
		begin_judging(fleet);
	if (widening->is_judging)
		judge(fleet);
}
