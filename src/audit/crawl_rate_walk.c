#include "audit/evidence.h"
#include "audit/walks.h"

/* What the crawl as a whole promised: its bucket, which is set to
 * min(burst, tokens + max_rate) at each interval since the run began, and as
 * many places as concurrency says. The ticks of a fleet's worker move when its share
 * changes, to times that nobody has written down: so it may be ahead by one. */
struct crawl_rate_walk {
	struct pv_audit *audit;
	const struct pv_rate *rate; /* NULL: not to be judged */
	int64_t run;
	int64_t tick;
	int64_t tokens;
	int64_t most_tokens;
	int64_t in_flight;
	struct pv_audit_ends *ends; /* of those that were released before */
	int64_t end_ms;             /* the next of them */
	bool has_end;
};

static void begin(
    struct crawl_rate_walk *walk, const struct pv_audit_request *request)
{
	int64_t run = request->facts.pacing.run;
	bool has_shares =
	    request->worker >= 0 &&
	    pv_clock_memory_knows(&walk->audit->clocks, request->worker);
	const struct pv_policy *policy =
	    pv_audit_terms_policy(&walk->audit->terms, run, walk->audit->why);
	walk->rate = policy ? &policy->rate : NULL;
	walk->run = run;
	walk->tick = 0;
	walk->tokens = policy ? policy->rate.max_rate * (1 + has_shares) : 0;
	walk->most_tokens =
	    policy ? policy->rate.burst + has_shares * policy->rate.max_rate
		   : 0;
	walk->in_flight = 0;
	pv_audit_ends_close(walk->ends);
	walk->ends = pv_audit_memory_ends(&walk->audit->memory, run);
	walk->has_end = pv_audit_ends_next(walk->ends, &walk->end_ms);
}

static void fill(struct crawl_rate_walk *walk, int64_t now_ms)
{
	const struct pv_rate *rate = walk->rate;
	int64_t tick = now_ms / rate->interval_ms;
	int64_t room = walk->most_tokens - walk->tokens;
	int64_t ticks = tick - walk->tick;
	walk->tick = tick;
	if (ticks >= (room + rate->max_rate - 1) / rate->max_rate)
		walk->tokens = walk->most_tokens;
	else
		walk->tokens += ticks * rate->max_rate;
}

static void judge_bucket(
    struct crawl_rate_walk *walk, const struct pv_audit_request *request)
{
	fill(walk, request->facts.pacing.released_ms);
	if (walk->tokens)
		walk->tokens--;
	else
		pv_audit_find(walk->audit, request, PV_AUDIT_RATE, 0, 1);
}

static void judge_places(
    struct crawl_rate_walk *walk, const struct pv_audit_request *request)
{
	int64_t now_ms = request->facts.pacing.released_ms;
	while (walk->has_end && walk->end_ms <= now_ms) {
		walk->in_flight--;
		walk->has_end = pv_audit_ends_next(walk->ends, &walk->end_ms);
	}
	walk->in_flight++;
	if (walk->in_flight > walk->rate->concurrency)
		pv_audit_find(walk->audit, request, PV_AUDIT_CONCURRENCY,
		    walk->in_flight, walk->rate->concurrency);
}

static void on_request(void *ctx, const struct pv_audit_request *request)
{
	struct crawl_rate_walk *walk = ctx;
	if (walk->run != request->facts.pacing.run)
		begin(walk, request);
	if (!walk->rate)
		return;
	judge_bucket(walk, request);
	judge_places(walk, request);
}

void pv_audit_walk_crawl(struct pv_audit *audit)
{
	struct crawl_rate_walk walk = {.audit = audit};
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_TIME, on_request, &walk);
	pv_audit_ends_close(walk.ends);
}

/* The clocks of addresses: starts at one, whatever the hosts. They are judged
 * within a run. */
struct address_walk {
	struct pv_audit *audit;
	const struct pv_audit_promise *last; /* who was asked there last */
	int64_t run;
	int64_t last_start;
	int64_t failed_at; /* the last that could not connect; -1 */
	int64_t failure_ms;
};

static void judge_address(struct address_walk *walk,
    const struct pv_audit_request *request,
    const struct pv_audit_promise *promise)
{
	int64_t start_ms = pv_audit_start(request);
	int64_t was_ms = start_ms - walk->last_start;
	int64_t should_ms = promise->pace->ip_delay_ms;
	if (walk->last->pace->ip_delay_ms > should_ms)
		should_ms = walk->last->pace->ip_delay_ms;
	if (should_ms && was_ms < should_ms)
		pv_audit_find(
		    walk->audit, request, PV_AUDIT_ADDRESS, was_ms, should_ms);
	int64_t since_ms = start_ms - walk->failed_at;
	bool has_heard = walk->failed_at >= 0 &&
			 request->facts.pacing.released_ms > walk->failed_at;
	if (has_heard && since_ms < walk->failure_ms)
		pv_audit_find(walk->audit, request, PV_AUDIT_ADDRESS_FAILURE,
		    since_ms, walk->failure_ms);
}

static void on_start(void *ctx, const struct pv_audit_request *request)
{
	struct address_walk *walk = ctx;
	const struct pv_pacing *pacing = &request->facts.pacing;
	const struct pv_audit_promise *promise =
	    pv_audit_promise_of(walk->audit, request);
	if (walk->last && walk->last->address == promise->address &&
	    walk->run == pacing->run)
		judge_address(walk, request, promise);
	else
		walk->failed_at = -1;
	walk->last = promise;
	walk->run = pacing->run;
	walk->last_start = pv_audit_counted_start(request);
	if (request->is_unreachable) {
		walk->failed_at = pacing->end_ms;
		walk->failure_ms = promise->pace->failure.first_ms;
	}
}

void pv_audit_walk_addresses(struct pv_audit *audit)
{
	struct address_walk walk = {.audit = audit};
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_ADDRESS, on_start, &walk);
}
