#include "audit/walks.h"

#include <stdlib.h>

#include "audit/evidence.h"
#include "base/array.h"
#include "policy/values/value.h"
#include "schedule/hours.h"
#include "schedule/wait.h"

/* The clocks of hosts, reckoned anew from when requests started and ended.
 *
 * Of what was under way when a request was released nobody could know how it
 * would end: it is kept aside until it has. All times are those of the run;
 * where a crawl was gone on with, those of the previous run are taken from the
 * wall clock, and counted a little less. */
#define NEVER_YET INT64_MIN
#define SLACK_MS 20
#define SLACK_PARTS 1000

struct under_way {
	int64_t start_ms;
	int64_t end_ms;
	struct pv_audit_request request; /* its texts are not used */
};

/* Until when something is to be waited for, and since when. */
struct due {
	int64_t until_ms;
	int64_t since_ms;
	enum pv_audit_rule rule;
};

struct host_pace_walk {
	struct pv_audit *audit;
	bool has_begun;
	uint32_t clock;
	int64_t run;
	int64_t place;       /* of the directory of the last request */
	int64_t wall_offset; /* of the run, as of the last request */
	bool is_carried;     /* what is known comes from a run before */

	const struct pv_audit_promise *last; /* who was asked last ... */
	int64_t last_run;                    /* ... and in which run */
	int64_t last_start;
	int64_t last_end;
	int64_t took_ms;
	struct due retry;
	struct due overload;
	struct due failure;
	int64_t window_start;
	int64_t window_count;
	struct under_way *under_way;
	size_t count;
	size_t size;
};

static void begin(struct host_pace_walk *walk, uint32_t clock, int64_t run)
{
	walk->clock = clock;
	walk->run = run;
	walk->has_begun = true;
	walk->is_carried = false;
	walk->last = NULL;
	walk->last_start = walk->last_end = NEVER_YET;
	walk->took_ms = 0;
	walk->retry = (struct due){NEVER_YET, 0, PV_AUDIT_RETRY_AFTER};
	walk->overload = (struct due){NEVER_YET, 0, PV_AUDIT_OVERLOAD};
	walk->failure = (struct due){NEVER_YET, 0, PV_AUDIT_FAILURE};
	walk->window_start = NEVER_YET;
	walk->window_count = 0;
	walk->count = 0;
}

/* What is over */

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

/* A failure that came fast says nothing of how fast the host is. */
static void learn(struct host_pace_walk *walk, const struct under_way *over)
{
	const struct pv_audit_request *request = &over->request;
	const struct pv_pace *pace =
	    pv_audit_promise_of(walk->audit, request)->pace;
	bool is_overload = pv_ledger_is_overload(request->facts.http_status) &&
			   !request->facts.pacing.is_own_fault;
	int64_t took_ms =
	    later(over->end_ms - over->start_ms - request->held_ms, 0);
	bool is_bad = is_overload || request->is_failure;
	if (request->facts.pacing.is_own_fault)
		return;
	walk->took_ms =
	    is_bad && walk->took_ms > took_ms ? walk->took_ms : took_ms;
	if (is_overload)
		wait_until(
		    &walk->overload, over->end_ms, pace->overload.first_ms);
	else if (is_bad)
		wait_until(
		    &walk->failure, over->end_ms, pace->failure.first_ms);
	if (request->facts.pacing.retry_after_ms > 0)
		wait_until(&walk->retry, over->end_ms,
		    request->facts.pacing.retry_after_ms);
}

static void settle(struct host_pace_walk *walk, size_t place)
{
	struct under_way over = walk->under_way[place];
	walk->under_way[place] = walk->under_way[--walk->count];
	walk->last_start = later(walk->last_start, over.start_ms);
	walk->last_end = later(walk->last_end, over.end_ms);
	learn(walk, &over);
}

/* Whatever was over by then, in the order in which it was. Of two things in one
 * millisecond the end came first where the next had to wait for it. */
static void settle_all(
    struct host_pace_walk *walk, int64_t by_ms, bool is_alone)
{
	int64_t before_ms = is_alone && by_ms < INT64_MAX ? by_ms + 1 : by_ms;
	for (;;) {
		size_t first = walk->count;
		for (size_t i = 0; i < walk->count; i++) {
			int64_t end_ms = walk->under_way[i].end_ms;
			if (end_ms < before_ms &&
			    (first == walk->count ||
				end_ms < walk->under_way[first].end_ms))
				first = i;
		}
		if (first == walk->count)
			return;
		settle(walk, first);
	}
}

/* From run to run */

static int64_t shifted(int64_t at_ms, int64_t by_ms)
{
	return at_ms == NEVER_YET ? NEVER_YET : at_ms + by_ms;
}

static void shift(struct due *due, int64_t by_ms)
{
	due->until_ms = shifted(due->until_ms, by_ms);
	due->since_ms += by_ms;
}

static int64_t offset_of(const struct pv_audit_request *request)
{
	return request->facts.wall_ms - pv_audit_counted_start(request);
}

/* Where the last run's times would lie in this one's, they cannot be
 * distinguished. A window of the host's own rate is judged within a run. */
static void go_on(
    struct host_pace_walk *walk, const struct pv_audit_request *request)
{
	int64_t by_ms = walk->wall_offset - offset_of(request);
	settle_all(walk, INT64_MAX, true);
	/* What another worker's run has left behind, handover_walk judges. */
	if (walk->place != request->place) {
		begin(walk, walk->clock, request->facts.pacing.run);
		return;
	}
	if (later(walk->last_start, walk->last_end) + by_ms > 0) {
		begin(walk, walk->clock, request->facts.pacing.run);
		return;
	}
	walk->run = request->facts.pacing.run;
	walk->is_carried = true;
	walk->last_start = shifted(walk->last_start, by_ms);
	walk->last_end = shifted(walk->last_end, by_ms);
	shift(&walk->retry, by_ms);
	shift(&walk->overload, by_ms);
	shift(&walk->failure, by_ms);
	walk->window_start = NEVER_YET;
	walk->window_count = 0;
}

/* What is due */

static int64_t slow_ms(
    const struct host_pace_walk *walk, const struct pv_pace *pace)
{
	double times = (double)walk->took_ms * pace->delay_factor;
	return times < (double)pace->max_delay_ms ? (int64_t)times
						  : pace->max_delay_ms;
}

/* Where two hosts share a clock, the stricter of them counts. */
static int64_t delay_between(const struct host_pace_walk *walk,
    const struct pv_audit_promise *promise, const struct pv_pace *pace)
{
	return walk->last && walk->last->host != promise->host
		   ? later(pace->delay_ms, walk->last->pace->delay_ms)
		   : pace->delay_ms;
}

static void longest(struct due *most, const struct due *due)
{
	if (due->until_ms > most->until_ms)
		*most = *due;
}

/* A rest that a run has left behind is as long as its own policy said. */
static const struct pv_pace *pace_of(
    const struct host_pace_walk *walk, const struct pv_audit_promise *promise)
{
	return walk->last && walk->last_run != walk->run ? walk->last->pace
							 : promise->pace;
}

static struct due due_of(const struct host_pace_walk *walk,
    const struct pv_audit_request *request,
    const struct pv_audit_promise *promise)
{
	const struct pv_pace *pace = pace_of(walk, promise);
	struct due most = {NEVER_YET, 0, PV_AUDIT_DELAY};
	int64_t base = pace->is_from_end
			   ? later(walk->last_start, walk->last_end)
			   : walk->last_start;
	const int64_t rests[][2] = {
	    {PV_AUDIT_DELAY, delay_between(walk, promise, pace)},
	    {PV_AUDIT_CRAWL_DELAY, request->asked_ms},
	    {PV_AUDIT_SLOW, slow_ms(walk, pace)},
	};
	for (size_t i = 0; i < 3 && base != NEVER_YET; i++) {
		struct due due = {
		    NEVER_YET, 0, (enum pv_audit_rule)rests[i][0]};
		wait_until(&due, base, rests[i][1]);
		longest(&most, &due);
	}
	longest(&most, &walk->retry);
	longest(&most, &walk->overload);
	longest(&most, &walk->failure);
	return most;
}

static void judge_rest(struct host_pace_walk *walk,
    const struct pv_audit_request *request,
    const struct pv_audit_promise *promise)
{
	int64_t start_ms = pv_audit_start(request);
	struct due due = due_of(walk, request, promise);
	if (due.until_ms == NEVER_YET)
		return;
	int64_t was_ms = start_ms - due.since_ms;
	int64_t should_ms = due.until_ms - due.since_ms;
	int64_t slack_ms =
	    walk->is_carried ? SLACK_MS + was_ms / SLACK_PARTS : 0;
	if (was_ms + slack_ms < should_ms)
		pv_audit_find(
		    walk->audit, request, due.rule, was_ms, should_ms);
}

static void judge_hours(struct host_pace_walk *walk,
    const struct pv_audit_request *request, const struct pv_pace *pace)
{
	int64_t wall_ms = pv_audit_release_wall(request);
	int64_t least_ms = INT64_MAX;
	if (!pace->hours)
		return;
	int64_t unsure_ms = pv_audit_wall_slack(request);
	for (int64_t off = -unsure_ms; off <= unsure_ms; off += unsure_ms) {
		int64_t at = wall_ms + off;
		int64_t wait_ms = pv_hours_next(pace->hours, at) - at;
		if (wait_ms < least_ms)
			least_ms = wait_ms;
	}
	if (least_ms > 0)
		pv_audit_find(
		    walk->audit, request, PV_AUDIT_HOURS, least_ms, 0);
}

/* An interval begins with a request, so that idle time earns nothing. */
static void judge_window(struct host_pace_walk *walk,
    const struct pv_audit_request *request, const struct pv_pace *pace)
{
	int64_t start_ms = pv_audit_counted_start(request);
	if (pace->max_rate == PV_NONE)
		return;
	if (walk->window_start == NEVER_YET ||
	    start_ms - walk->window_start >= pace->interval_ms) {
		walk->window_start = start_ms;
		walk->window_count = 0;
	}
	if (++walk->window_count > pace->max_rate)
		pv_audit_find(walk->audit, request, PV_AUDIT_HOST_RATE,
		    start_ms - walk->window_start, pace->interval_ms);
}

static void judge_connections(struct host_pace_walk *walk,
    const struct pv_audit_request *request, const struct pv_pace *pace)
{
	int64_t released_ms = request->facts.pacing.released_ms;
	int64_t at_once = 1;
	for (size_t i = 0; i < walk->count; i++)
		at_once += walk->under_way[i].end_ms > released_ms;
	if (at_once > pace->connections)
		pv_audit_find(walk->audit, request, PV_AUDIT_CONNECTIONS,
		    at_once, pace->connections);
}

/* Walking */

static void note(
    struct host_pace_walk *walk, const struct pv_audit_request *request)
{
	const struct pv_pacing *pacing = &request->facts.pacing;
	int64_t start_ms = pv_audit_counted_start(request);
	*PV_ARRAY_PUSH(walk->under_way, walk->count, walk->size) =
	    (struct under_way){start_ms, pacing->end_ms, *request};
	if (pacing->sent_ms >= 0)
		walk->last_start = later(walk->last_start, start_ms);
	walk->wall_offset = offset_of(request);
	walk->place = request->place;
}

static void on_request(void *ctx, const struct pv_audit_request *request)
{
	struct host_pace_walk *walk = ctx;
	const struct pv_pacing *pacing = &request->facts.pacing;
	const struct pv_audit_promise *promise =
	    pv_audit_promise_of(walk->audit, request);
	int64_t start_ms = pv_audit_start(request);
	if (!walk->has_begun || walk->clock != promise->clock)
		begin(walk, promise->clock, pacing->run);
	else if (walk->run != pacing->run)
		go_on(walk, request);
	settle_all(walk,
	    start_ms < pacing->released_ms ? start_ms : pacing->released_ms,
	    promise->pace->connections == 1);
	judge_connections(walk, request, promise->pace);
	judge_rest(walk, request, promise);
	judge_hours(walk, request, promise->pace);
	judge_window(walk, request, promise->pace);
	note(walk, request);
	walk->last = promise;
	walk->last_run = pacing->run;
}

void pv_audit_walk_clocks(struct pv_audit *audit)
{
	struct host_pace_walk walk = {.audit = audit};
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_CLOCK, on_request, &walk);
	free(walk.under_way);
}
