#include "fleet/taking/left_over.h"

#include "fleet/worker/worker.h"

#define SENT_MAX 2000

void pv_left_over_note(
    struct pv_fleet *fleet, const struct pv_fleet_results *results, size_t step)
{
	int64_t worker = 0;
	pv_fleet_field_number(
	    pv_fleet_results_field(results, step, 0, 0), &worker);
	if (!fleet->left_over.worker)
		fleet->left_over = (struct pv_left_over){.worker = worker,
		    .redirects = fleet->widening.heeded,
		    .fingerprint = INT64_MIN};
}

bool pv_left_over_is_done(const struct pv_fleet *fleet)
{
	return !fleet->left_over.worker;
}

/* The steps of sending some, of which the last is for when none were left. */
enum { FENCE, TAKE_TIME, CLOCKS, LINKS, STEPS };

static void on_heeded(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	(void)request;
	fleet->left_over.is_sending = false;
	if (answer->status == PV_FLEET_REFUSED)
		pv_fleet_hear_refusal(fleet, answer);
	if (answer->status == PV_FLEET_OK)
		fleet->left_over.worker = 0;
	pv_fleet_wake(fleet);
}

static void heed(struct pv_fleet *fleet)
{
	struct pv_left_over *left = &fleet->left_over;
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT8, left->worker),
	    pv_fleet_number(PV_FLEET_INT8, left->redirects)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_FENCE, fleet->fence, 2}, {PV_SAY_HEED_LEFT, values, 2}};
	left->is_sending = true;
	pv_fleet_line_send(
	    fleet->line, pv_fleet_request_create(steps, 2, on_heeded, fleet));
}

static void on_sent(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	struct pv_left_over *left = &fleet->left_over;
	(void)request;
	left->is_sending = false;
	if (answer->status == PV_FLEET_REFUSED)
		pv_fleet_hear_refusal(fleet, answer);
	if (answer->status == PV_FLEET_OK &&
	    !pv_fleet_field_number(
		pv_fleet_results_field(answer->results, LINKS, 0, 0),
		&left->fingerprint))
		heed(fleet);
	pv_fleet_wake(fleet);
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
	    pv_fleet_number(PV_FLEET_INT8, left->worker),
	    pv_fleet_number(PV_FLEET_INT8, left->fingerprint),
	    pv_fleet_number(PV_FLEET_INT8, SENT_MAX),
	    pv_fleet_numbers(PV_FLEET_INT8S, reasons, count)};
	const struct pv_fleet_step steps[STEPS] = {
	    [FENCE] = {PV_SAY_FENCE, fleet->fence, 2},
	    [TAKE_TIME] = {PV_SAY_TAKE_TIME, NULL, 0},
	    [CLOCKS] = {PV_SAY_LEFT_CLOCKS, values, 5},
	    [LINKS] = {PV_SAY_LEFT_LINKS, values, 5},
	};
	left->is_sending = true;
	pv_fleet_line_send(
	    fleet->line, pv_fleet_request_create(steps, STEPS, on_sent, fleet));
}

void pv_left_over_step(struct pv_fleet *fleet)
{
	const struct pv_left_over *left = &fleet->left_over;
	if (left->worker && !left->is_sending && pv_fleet_is_up(fleet) &&
	    !fleet->is_hurried)
		send_some(fleet);
}
