#include "audit/walks.h"

#include "audit/evidence.h"

/* What the crawl as a whole promised: its bucket, which is set to
 * min(burst, tokens + max_rate) at each interval since the run began, and as
 * many places as concurrency says. */
struct crawl_walk {
	struct pv_audit *audit;
	const struct pv_rate *rate; /* NULL: not to be judged */
	int64_t run;
	int64_t tick;
	int64_t tokens;
	int64_t in_flight;
	struct pv_audit_ends *ends; /* of those that were released before */
	int64_t end_ms;             /* the next of them */
	bool has_end;
};

static void begin(struct crawl_walk *walk, int64_t run)
{
	const struct pv_policy *policy =
	    pv_audit_terms_policy(&walk->audit->terms, run, walk->audit->why);
	walk->rate = policy ? &policy->rate : NULL;
	walk->run = run;
	walk->tick = 0;
	walk->tokens = policy ? policy->rate.max_rate : 0;
	walk->in_flight = 0;
	pv_audit_ends_close(walk->ends);
	walk->ends = pv_audit_memory_ends(&walk->audit->memory, run);
	walk->has_end = pv_audit_ends_next(walk->ends, &walk->end_ms);
}

static void fill(struct crawl_walk *walk, int64_t now_ms)
{
	const struct pv_rate *rate = walk->rate;
	int64_t tick = now_ms / rate->interval_ms;
	int64_t room = rate->burst - walk->tokens;
	int64_t ticks = tick - walk->tick;
	walk->tick = tick;
	if (ticks >= (room + rate->max_rate - 1) / rate->max_rate)
		walk->tokens = rate->burst;
	else
		walk->tokens += ticks * rate->max_rate;
}

static void judge_bucket(
    struct crawl_walk *walk, const struct pv_audit_request *request)
{
	fill(walk, request->facts.pacing.released_ms);
	if (walk->tokens)
		walk->tokens--;
	else
		pv_audit_find(walk->audit, request, PV_AUDIT_RATE, 0, 1);
}

static void judge_places(
    struct crawl_walk *walk, const struct pv_audit_request *request)
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
	struct crawl_walk *walk = ctx;
	if (walk->run != request->facts.pacing.run)
		begin(walk, request->facts.pacing.run);
	if (!walk->rate)
		return;
	judge_bucket(walk, request);
	judge_places(walk, request);
}

void pv_audit_walk_crawl(struct pv_audit *audit)
{
	struct crawl_walk walk = {.audit = audit};
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_TIME, on_request, &walk);
	pv_audit_ends_close(walk.ends);
}
