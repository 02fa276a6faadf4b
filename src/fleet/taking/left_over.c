#include "fleet/taking/left_over.h"

#include "fleet/worker/worker.h"

#define SENT_MAX 1000

void pv_left_over_init(struct pv_left_over *left)
{
	*left = (struct pv_left_over){.redirects = 0};
	pv_buf_init(&left->workers, SIZE_MAX);
}

void pv_left_over_finish(struct pv_left_over *left)
{
	pv_buf_finish(&left->workers);
}

void pv_left_over_note(
    struct pv_fleet *fleet, const struct pv_fleet_results *results, size_t step)
{
	struct pv_left_over *left = &fleet->left_over;
	if (left->workers.len)
		return;
	pv_buf_append(
	    &left->workers, pv_fleet_results_text(results, step, 0, 0));
	left->redirects = fleet->widening.heeded;
	left->fingerprint = INT64_MIN;
	left->worker = 0;
}

bool pv_left_over_is_done(const struct pv_left_over *left)
{
	return !left->workers.len;
}

static bool hear(struct pv_fleet *fleet, const struct pv_fleet_answer *answer)
{
	fleet->left_over.is_sending = false;
	if (answer->status == PV_FLEET_REFUSED)
		pv_fleet_hear_refusal(fleet, answer);
	if (answer->status == PV_FLEET_OK)
		pv_fleet_wake(fleet);
	return answer->status == PV_FLEET_OK;
}

/* Once nothing is left to be sent */

static void on_heeded(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	(void)request;
	if (hear(fleet, answer))
		pv_buf_clear(&fleet->left_over.workers);
}

static void heed(struct pv_fleet *fleet)
{
	struct pv_left_over *left = &fleet->left_over;
	struct pv_fleet_value values[] = {
	    pv_fleet_text(pv_buf_str(&left->workers)),
	    pv_fleet_number(PV_FLEET_INT8, left->redirects)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_FENCE, fleet->fence, 2}, {PV_SAY_HEED_LEFT, values, 2}};
	left->is_sending = true;
	pv_fleet_line_send(
	    fleet->line, pv_fleet_request_create(steps, 2, on_heeded, fleet));
}

/* Sending */

enum { FENCE, TAKE_TIME, CLOCKS, LINKS, STEPS };

static void on_sent(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	struct pv_left_over *left = &fleet->left_over;
	(void)request;
	if (!hear(fleet, answer))
		return;
	if (!pv_fleet_results_rows(answer->results, LINKS)) {
		heed(fleet);
		return;
	}
	left->fingerprint =
	    pv_fleet_results_number(answer->results, LINKS, 0, 0);
	left->worker = pv_fleet_results_number(answer->results, LINKS, 0, 1);
}

/* For which reasons a wider scope may admit what was refused. */
static size_t find_reasons(
    const struct pv_fleet *fleet, int64_t reasons[PV_REASON_COUNT])
{
	const struct pv_rejudging *rejudging = fleet->options.rejudging;
	size_t count = 0;
	for (int64_t i = 0; rejudging && i < PV_REASON_COUNT; i++)
		if (rejudging->is_open[i])
			reasons[count++] = i;
	return count;
}

static void send_some(struct pv_fleet *fleet)
{
	struct pv_left_over *left = &fleet->left_over;
	int64_t reasons[PV_REASON_COUNT];
	size_t count = find_reasons(fleet, reasons);
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    pv_fleet_text(pv_buf_str(&left->workers)),
	    pv_fleet_number(PV_FLEET_INT8, left->fingerprint),
	    pv_fleet_number(PV_FLEET_INT8, left->worker),
	    pv_fleet_number(PV_FLEET_INT8, SENT_MAX),
	    pv_fleet_numbers(PV_FLEET_INT8S, reasons, count)};
	const struct pv_fleet_step steps[STEPS] = {
	    [FENCE] = {PV_SAY_FENCE, fleet->fence, 2},
	    [TAKE_TIME] = {PV_SAY_TAKE_TIME, NULL, 0},
	    [CLOCKS] = {PV_SAY_LEFT_CLOCKS, values, 6},
	    [LINKS] = {PV_SAY_LEFT_LINKS, values, 6},
	};
	left->is_sending = true;
	pv_fleet_line_send(
	    fleet->line, pv_fleet_request_create(steps, STEPS, on_sent, fleet));
}

void pv_left_over_step(struct pv_fleet *fleet)
{
	const struct pv_left_over *left = &fleet->left_over;
	if (left->workers.len && !left->is_sending && pv_fleet_is_up(fleet) &&
	    !fleet->is_hurried)
		send_some(fleet);
}
