#include "audit/walks.h"

#include <stdlib.h>

#include "audit/evidence.h"
#include "base/array.h"

/* Rests across handovers: a clock, or a network address, that several workers
 * asked one after the other owes each of them what is left of the rest that an
 * earlier one has caused.
 *
 * What a worker owes to its own requests the other walks judge, by its own clock.
 * Here all times are the server's, which are as uncertain as both workers'
 * measurements of it together. Where nobody has measured, two clocks on the wall
 * are compared as those of two runs are. */
#define NEVER_YET INT64_MIN
#define SLACK_MS 20
#define SLACK_PARTS 1000

/* Until when something is to be waited for, and since when. */
struct due {
	int64_t until_ms;
	int64_t since_ms;
	enum pv_audit_rule rule;
};

/* What the requests of one directory have left behind at the clock in hand. */
struct rest {
	int64_t place; /* of the directory */
	int64_t worker;
	int64_t uncertainty_ms;
	const struct pv_audit_promise *promise; /* of the last request */
	int64_t start_ms;
	int64_t end_ms;
	int64_t took_ms;
	struct due retry;
	struct due overload;
	struct due failure;
};

struct handover_walk {
	struct pv_audit *audit;
	bool is_of_addresses;
	bool has_begun;
	uint32_t number; /* of the clock, or the address */
	struct rest *rests;
	size_t count;
	size_t size;
	const struct pv_audit_promise *last; /* who was asked last ... */
	int64_t last_place;                  /* ... from where, and when */
	int64_t last_start_ms;
};

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void wait_until(struct due *due, int64_t since_ms, int64_t wait_ms)
{
	int64_t until_ms =
	    since_ms < INT64_MAX - wait_ms ? since_ms + wait_ms : INT64_MAX;
	if (until_ms <= due->until_ms)
		return;
	due->until_ms = until_ms;
	due->since_ms = since_ms;
}

/* Of how something ends nobody knows before it has. */
static void longest(struct due *most, const struct due *due, int64_t now_ms)
{
	if (due->until_ms > most->until_ms && due->since_ms <= now_ms)
		*most = *due;
}

static void add_rest(struct due *most, enum pv_audit_rule rule,
    int64_t since_ms, int64_t rest_ms)
{
	struct due due = {NEVER_YET, 0, rule};
	wait_until(&due, since_ms, rest_ms);
	longest(most, &due, INT64_MAX);
}

/* Judging */

static int64_t slow_ms(const struct rest *rest, const struct pv_pace *pace)
{
	double times = (double)rest->took_ms * pace->delay_factor;
	return times < (double)pace->max_delay_ms ? (int64_t)times
						  : pace->max_delay_ms;
}

/* Workers may have had different policies, one after the other. When a rest
 * begins is up to the one by which the request was made; how long it is, to the
 * stricter of both, as schedule/host_clock.h has it. */
static struct due due_of_clock(const struct rest *rest,
    const struct pv_audit_request *request,
    const struct pv_audit_promise *promise)
{
	const struct pv_pace *then = rest->promise->pace;
	const struct pv_pace *now = promise->pace;
	int64_t now_ms = pv_audit_start_wall(request);
	bool is_over = rest->end_ms <= now_ms;
	int64_t since_ms =
	    then->is_from_end && is_over ? rest->end_ms : rest->start_ms;
	struct due most = {NEVER_YET, 0, PV_AUDIT_DELAY};
	add_rest(&most, PV_AUDIT_DELAY, since_ms,
	    later(now->delay_ms, then->delay_ms));
	add_rest(&most, PV_AUDIT_CRAWL_DELAY, since_ms, request->asked_ms);
	if (is_over)
		add_rest(&most, PV_AUDIT_SLOW, since_ms,
		    later(slow_ms(rest, now), slow_ms(rest, then)));
	longest(&most, &rest->retry, now_ms);
	longest(&most, &rest->overload, now_ms);
	longest(&most, &rest->failure, now_ms);
	return most;
}

static struct due due_of_address(const struct rest *rest,
    const struct pv_audit_request *request,
    const struct pv_audit_promise *promise)
{
	struct due most = {NEVER_YET, 0, PV_AUDIT_ADDRESS};
	add_rest(&most, PV_AUDIT_ADDRESS, rest->start_ms,
	    later(
		promise->pace->ip_delay_ms, rest->promise->pace->ip_delay_ms));
	longest(&most, &rest->failure, pv_audit_start_wall(request));
	return most;
}

static struct pv_str name_of(const struct handover_walk *walk)
{
	const struct pv_audit_terms *terms = &walk->audit->terms;
	return walk->is_of_addresses ? terms->addresses.items[walk->number]
				     : terms->clocks.items[walk->number];
}

static void find(const struct handover_walk *walk, const struct rest *rest,
    const struct pv_audit_request *request,
    const struct pv_audit_finding *found)
{
	struct pv_audit_finding finding = *found;
	finding.host = pv_audit_promise_of(walk->audit, request)->host;
	finding.line = request->line;
	finding.wall_ms = request->facts.wall_ms;
	finding.handover = (struct pv_audit_between){
	    .name = name_of(walk),
	    .worker = request->worker,
	    .other = rest->worker,
	};
	pv_audit_findings_add(&walk->audit->findings, &finding);
}

static int64_t slack_ms(const struct rest *rest,
    const struct pv_audit_request *request, int64_t was_ms)
{
	if (rest->uncertainty_ms < 0 || request->uncertainty_ms < 0)
		return SLACK_MS + later(was_ms, 0) / SLACK_PARTS;
	return rest->uncertainty_ms + request->uncertainty_ms;
}

static void judge(const struct handover_walk *walk, const struct rest *rest,
    const struct pv_audit_request *request)
{
	const struct pv_audit_promise *promise =
	    pv_audit_promise_of(walk->audit, request);
	int64_t now_ms = pv_audit_start_wall(request);
	struct due due = walk->is_of_addresses
			     ? due_of_address(rest, request, promise)
			     : due_of_clock(rest, request, promise);
	int64_t was_ms = now_ms - due.since_ms;
	int64_t should_ms = due.until_ms - due.since_ms;
	if (should_ms && was_ms + slack_ms(rest, request, was_ms) < should_ms)
		find(walk, rest, request,
		    &(struct pv_audit_finding){
			.rule = due.rule, .was = was_ms, .should = should_ms});
	bool is_one_at_a_time = promise->pace->connections == 1 ||
				rest->promise->pace->connections == 1;
	bool is_at_once = !walk->is_of_addresses && is_one_at_a_time &&
			  now_ms + slack_ms(rest, request, 0) < rest->end_ms;
	if (is_at_once)
		find(walk, rest, request,
		    &(struct pv_audit_finding){
			.rule = PV_AUDIT_CONNECTIONS, .was = 2, .should = 1});
}

/* Learning */

static struct rest *rest_of(
    struct handover_walk *walk, const struct pv_audit_request *request)
{
	for (size_t i = 0; i < walk->count; i++) {
		if (walk->rests[i].place == request->place)
			return &walk->rests[i];
	}
	struct rest *rest = PV_ARRAY_PUSH(walk->rests, walk->count, walk->size);
	*rest = (struct rest){
	    .place = request->place,
	    .start_ms = NEVER_YET,
	    .end_ms = NEVER_YET,
	    .retry = {NEVER_YET, 0, PV_AUDIT_RETRY_AFTER},
	    .overload = {NEVER_YET, 0, PV_AUDIT_OVERLOAD},
	    .failure = {NEVER_YET, 0,
		walk->is_of_addresses ? PV_AUDIT_ADDRESS_FAILURE
				      : PV_AUDIT_FAILURE},
	};
	return rest;
}

static void learn_end(const struct handover_walk *walk, struct rest *rest,
    const struct pv_audit_request *request, int64_t end_ms)
{
	const struct pv_pacing *pacing = &request->facts.pacing;
	const struct pv_pace *pace = rest->promise->pace;
	bool is_overload = pv_ledger_is_overload(request->facts.http_status);
	if (pacing->is_own_fault)
		return;
	if (walk->is_of_addresses) {
		if (request->is_unreachable)
			wait_until(
			    &rest->failure, end_ms, pace->failure.first_ms);
		return;
	}
	int64_t took_ms =
	    pacing->end_ms - pv_audit_counted_start(request) - request->held_ms;
	bool is_bad = is_overload || request->is_failure;
	if (!is_bad || took_ms > rest->took_ms)
		rest->took_ms = later(took_ms, 0);
	if (is_overload)
		wait_until(&rest->overload, end_ms, pace->overload.first_ms);
	else if (is_bad)
		wait_until(&rest->failure, end_ms, pace->failure.first_ms);
	if (pacing->retry_after_ms > 0)
		wait_until(&rest->retry, end_ms, pacing->retry_after_ms);
}

static void learn(
    struct handover_walk *walk, const struct pv_audit_request *request)
{
	struct rest *rest = rest_of(walk, request);
	int64_t counted_ms = pv_audit_counted_start(request);
	int64_t took_ms = request->facts.pacing.end_ms - counted_ms;
	/* A worker that was stopped itself has not seen when a request ended. */
	int64_t end_ms = request->facts.wall_ms +
			 (request->facts.pacing.is_own_fault ? 0 : took_ms);
	rest->worker = request->worker;
	rest->uncertainty_ms = request->uncertainty_ms;
	rest->promise = pv_audit_promise_of(walk->audit, request);
	rest->start_ms = later(rest->start_ms, request->facts.wall_ms);
	rest->end_ms = later(rest->end_ms, end_ms);
	learn_end(walk, rest, request, end_ms);
}

/* Walking */

static void count(
    struct handover_walk *walk, const struct pv_audit_request *request)
{
	const struct pv_audit_promise *promise =
	    pv_audit_promise_of(walk->audit, request);
	int64_t start_ms = pv_audit_start_wall(request);
	bool is_handover = walk->last && !walk->is_of_addresses &&
			   walk->last->host == promise->host &&
			   walk->last_place != request->place;
	if (is_handover)
		pv_audit_handovers_add(&walk->audit->handovers, promise->host,
		    start_ms - walk->last_start_ms);
	walk->last = promise;
	walk->last_place = request->place;
	walk->last_start_ms = start_ms;
}

static void on_request(void *ctx, const struct pv_audit_request *request)
{
	struct handover_walk *walk = ctx;
	const struct pv_audit_promise *promise =
	    pv_audit_promise_of(walk->audit, request);
	uint32_t number =
	    walk->is_of_addresses ? promise->address : promise->clock;
	if (!walk->has_begun || walk->number != number) {
		walk->count = 0;
		walk->last = NULL;
	}
	walk->has_begun = true;
	walk->number = number;
	for (size_t i = 0; i < walk->count; i++) {
		if (walk->rests[i].place != request->place)
			judge(walk, &walk->rests[i], request);
	}
	count(walk, request);
	learn(walk, request);
}

void pv_audit_walk_handovers(struct pv_audit *audit)
{
	struct handover_walk clocks = {.audit = audit};
	struct handover_walk addresses = {
	    .audit = audit, .is_of_addresses = true};
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_CLOCK_OF_ALL, on_request, &clocks);
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_ADDRESS_OF_ALL, on_request, &addresses);
	free(clocks.rests);
	free(addresses.rests);
}
