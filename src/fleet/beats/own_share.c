#include "fleet/beats/own_share.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/system.h"
#include "fleet/tables/statements.h"
#include "policy/policy.h"

/* The steps of growing. */
enum { PATIENCE, LOCK, GROW, GROW_STEPS };

static struct pv_fleet_value int4(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT4, number);
}

static struct pv_fleet_value int8(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT8, number);
}

static bool is_same(struct pv_fleet_share a, struct pv_fleet_share b)
{
	return a.of == b.of && a.rank == b.rank;
}

static bool is_within(const struct pv_fleet_beats *beats,
    struct pv_fleet_share share, struct pv_fleet_share other)
{
	return pv_fleet_share_is_within(share, other, beats->options.whole);
}

bool pv_own_share_use(struct pv_fleet_beats *beats)
{
	struct pv_fleet_part part =
	    pv_fleet_share_rate(beats->used, beats->options.whole);
	return beats->options.use(beats->options.ctx, &part);
}

/* What is under way by more than that still counts; and so does what was spent of
 * this interval. */
static void use_less(struct pv_fleet_beats *beats, struct pv_fleet_share share)
{
	beats->used = share;
	beats->changed_ms = pv_boot_now_ms();
	pv_own_share_use(beats);
}

/* Others may have what it does not use any more. */
void pv_own_share_agree(struct pv_fleet_beats *beats)
{
	int64_t since_ms = pv_boot_now_ms() - beats->changed_ms;
	if (is_same(beats->used, beats->written) ||
	    since_ms < beats->options.whole->interval_ms)
		return;
	if (pv_own_share_use(beats))
		beats->written = beats->used;
}

static void on_grown(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet_beats *beats = ctx;
	(void)request;
	beats->is_growing = false;
	if (beats->is_over)
		return;
	if (answer->status == PV_FLEET_REFUSED)
		beats->options.on_refusal(beats->options.ctx, answer);
	if (answer->status != PV_FLEET_OK || beats->has_beaten ||
	    !pv_fleet_results_affected(answer->results, GROW)) {
		pv_fleet_beats_sooner(beats);
		return;
	}
	beats->written = beats->wanted;
	beats->used = beats->wanted;
	pv_own_share_use(beats);
	if (beats->is_hurried)
		pv_fleet_beats_hurry(beats);
}

/* Two that grow at a time must not take the same: so they do it one after the
 * other, and each only if all others are still as it has seen them. */
static void grow(struct pv_fleet_beats *beats, struct pv_fleet_share share)
{
	const struct pv_fleet_members *members = &beats->members;
	int64_t *numbers = pv_alloc_array(
	    members->count ? 3 * members->count : 1, sizeof(*numbers));
	int64_t *ids = numbers, *shares = numbers + members->count;
	int64_t *ranks = shares + members->count;
	for (size_t i = 0; i < members->count; i++) {
		ids[i] = members->items[i].id;
		shares[i] = members->items[i].share.of;
		ranks[i] = members->items[i].share.rank;
	}
	const struct pv_fleet_value lock[] = {int4(beats->options.crawl)};
	const struct pv_fleet_value values[] = {int8(beats->options.worker),
	    int4(beats->options.crawl), int4(share.of), int4(share.rank),
	    pv_fleet_numbers(PV_FLEET_INT8S, ids, members->count),
	    pv_fleet_numbers(PV_FLEET_INT4S, shares, members->count),
	    pv_fleet_numbers(PV_FLEET_INT4S, ranks, members->count)};
	struct pv_buf text;
	const struct pv_fleet_value most =
	    pv_fleet_beats_patience(beats, &text);
	const struct pv_fleet_step steps[GROW_STEPS] = {
	    [PATIENCE] = {PV_SAY_PATIENCE, &most, 1},
	    [LOCK] = {PV_SAY_LOCK_CRAWL, lock, 1},
	    [GROW] = {PV_SAY_GROW, values, 7},
	};
	beats->is_growing = true;
	beats->has_beaten = false;
	beats->wanted = share;
	pv_fleet_line_send(beats->options.line,
	    pv_fleet_request_create(steps, GROW_STEPS, on_grown, beats));
	pv_buf_finish(&text);
	free(numbers);
}

/* The larger part of two that differ in both directions is nobody's until the
 * smaller one is agreed to. */
static struct pv_fleet_share common_part(
    struct pv_fleet_share a, struct pv_fleet_share b)
{
	int64_t of = a.of > b.of ? a.of : b.of;
	return a.of && b.of ? (struct pv_fleet_share){of, of}
			    : PV_FLEET_NO_SHARE;
}

static void on_called(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet_beats *beats = ctx;
	(void)request;
	if (!beats->is_over && answer->status == PV_FLEET_REFUSED)
		beats->options.on_refusal(beats->options.ctx, answer);
}

/* Others hear with their next beat, which may be long, that it needs its share: so they
 * are called, once. */
static void call_others(struct pv_fleet_beats *beats)
{
	const struct pv_fleet_value crawl = int4(beats->options.crawl);
	const struct pv_fleet_step step = {PV_SAY_CALL, &crawl, 1};
	pv_fleet_line_send(beats->options.line,
	    pv_fleet_request_create(&step, 1, on_called, beats));
}

void pv_own_share_look(struct pv_fleet_beats *beats)
{
	struct pv_fleet_share share =
	    pv_fleet_members_share(&beats->members, beats->options.whole);
	bool is_resting =
	    beats->is_short ||
	    pv_fleet_members_is_resting(&beats->members, beats->options.whole);
	if (is_resting)
		share = PV_FLEET_NO_SHARE;
	if (beats->has_rested && !is_resting)
		call_others(beats);
	beats->has_rested = is_resting;
	if (beats->is_growing)
		return;
	if (!is_within(beats, share, beats->written)) {
		if (is_within(beats, beats->written, share) &&
		    is_same(beats->used, beats->written)) {
			grow(beats, share);
			return;
		}
		share = common_part(share, beats->written);
	}
	if (!is_same(share, beats->used))
		use_less(beats, share);
	bool has_place =
	    pv_fleet_members_has_place(&beats->members, beats->options.whole);
	bool waits = !beats->used.of && !is_resting && has_place;
	bool calls = waits && !pv_fleet_members_is_idle(&beats->members);
	if (calls && !beats->has_called)
		call_others(beats);
	beats->has_called = calls;
	bool is_news = !has_place && !beats->was_halted;
	if (!is_same(beats->used, beats->written) || waits || is_news)
		pv_fleet_beats_sooner(beats);
}
