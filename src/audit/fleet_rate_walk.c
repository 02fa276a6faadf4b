#include <stdlib.h>

#include "audit/evidence.h"
#include "audit/walks.h"
#include "base/alloc.h"

/* What all workers of a fleet promised together: that their shares of the rate are no
 * more than the whole (fleet/shares/share.h).
 *
 * The ticks of each fall where its share has begun, so that two may fill their buckets
 * one after the other within an interval. Seen from outside all of them are a bucket of
 * a burst and two intervals, which is filled steadily. As in a crawl by itself, a run
 * begins with a bucket of its own, which it may use in its first interval. */
struct fleet_rate_walk {
	struct pv_audit *audit;
	struct pv_rate *rates; /* of all runs, by their numbers; max_rate is 0
				  where one has not begun */
	struct pv_rate rate;   /* of the last request */
	double tokens;
	int64_t at_ms;
	int64_t own; /* tokens of runs that have begun ... */
	int64_t own_until_ms;
};

static double grown(const struct fleet_rate_walk *walk, int64_t ms)
{
	return (double)ms * (double)walk->rate.max_rate /
	       (double)walk->rate.interval_ms;
}

/* However uncertain the times of two workers are, one of whose clocks may have been
 * set. */
static double most_tokens(const struct fleet_rate_walk *walk)
{
	int64_t unsure_ms = walk->audit->clocks.most_uncertain_ms +
			    walk->audit->clocks.longest_step_ms +
			    PV_AUDIT_WALL_MS;
	return (double)walk->rate.burst + 2 * (double)walk->rate.max_rate +
	       grown(walk, 2 * unsure_ms);
}

static void fill(struct fleet_rate_walk *walk, int64_t at_ms)
{
	double most = most_tokens(walk);
	if (at_ms <= walk->at_ms)
		return;
	if (walk->tokens < most)
		walk->tokens += grown(walk, at_ms - walk->at_ms);
	if (walk->tokens > most)
		walk->tokens = most;
	walk->at_ms = at_ms;
	if (at_ms > walk->own_until_ms)
		walk->own = 0;
}

/* Workers hear of another rate one after the other. */
static void change(struct fleet_rate_walk *walk, const struct pv_rate *rate)
{
	bool is_same = walk->rate.max_rate == rate->max_rate &&
		       walk->rate.interval_ms == rate->interval_ms &&
		       walk->rate.burst == rate->burst;
	walk->rate = *rate;
	if (!is_same)
		walk->tokens = most_tokens(walk);
}

/* By its policy; whether it has only begun. */
static bool begin_run(struct fleet_rate_walk *walk, int64_t run)
{
	struct pv_rate *rate = &walk->rates[run];
	if (rate->max_rate)
		return false;
	const struct pv_policy *policy =
	    pv_audit_terms_policy(&walk->audit->terms, run, walk->audit->why);
	if (policy)
		*rate = policy->rate;
	return true;
}

static void on_request(void *ctx, const struct pv_audit_request *request)
{
	struct fleet_rate_walk *walk = ctx;
	int64_t run = request->facts.pacing.run;
	if (run > walk->audit->run_count || request->uncertainty_ms < 0 ||
	    request->facts.pacing.sent_ms < 0)
		return;
	bool has_begun = begin_run(walk, run);
	if (!walk->rates[run].max_rate)
		return;
	change(walk, &walk->rates[run]);
	fill(walk, pv_audit_release_wall(request));
	if (has_begun) {
		walk->own += walk->rate.burst;
		walk->own_until_ms = walk->at_ms + walk->rate.interval_ms;
	}
	if (walk->own)
		walk->own--;
	else if (walk->tokens >= 1)
		walk->tokens--;
	else
		pv_audit_find(walk->audit, request, PV_AUDIT_RATE, 0, 1);
}

void pv_audit_walk_fleet(struct pv_audit *audit)
{
	struct fleet_rate_walk walk = {.audit = audit};
	walk.rates =
	    pv_alloc_array((size_t)audit->run_count + 1, sizeof(*walk.rates));
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_TIME_OF_ALL, on_request, &walk);
	free(walk.rates);
}
