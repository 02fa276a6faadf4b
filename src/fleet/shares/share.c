#include "fleet/shares/share.h"

#include "policy/policy.h"

/* Where others leave too little for its share, a worker tries a half, a quarter
 * and so on of it, so often. */
#define HALVES_MAX 6

/* Fractions */

/* Not negative, and in lowest terms; den is 0 for one that cannot be written,
 * which is larger than any other. */
struct fraction {
	int64_t num;
	int64_t den;
};

static int64_t common_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static struct fraction fraction_of(int64_t num, int64_t den)
{
	int64_t divisor = common_divisor(num, den);
	return divisor ? (struct fraction){num / divisor, den / divisor}
		       : (struct fraction){0, 1};
}

static struct fraction sum_of(struct fraction a, struct fraction b)
{
	const struct fraction too_large = {0, 0};
	int64_t left, right, num, den;
	if (!a.den || !b.den)
		return too_large;
	int64_t divisor = common_divisor(a.den, b.den);
	if (__builtin_mul_overflow(a.num, b.den / divisor, &left) ||
	    __builtin_mul_overflow(b.num, a.den / divisor, &right) ||
	    __builtin_add_overflow(left, right, &num) ||
	    __builtin_mul_overflow(a.den, b.den / divisor, &den))
		return too_large;
	return fraction_of(num, den);
}

/* a <= b; where it cannot be reckoned it is not said to be so. */
static bool is_at_most(struct fraction a, struct fraction b)
{
	int64_t left, right;
	if (!a.den || !b.den || __builtin_mul_overflow(a.num, b.den, &left) ||
	    __builtin_mul_overflow(b.num, a.den, &right))
		return false;
	return left <= right;
}

/* Parts */

int64_t pv_fleet_share_part(struct pv_fleet_share share, int64_t whole)
{
	if (!share.of)
		return 0;
	return whole / share.of + (share.rank < whole % share.of);
}

/* Bytes that do not divide are nobody's. */
static int64_t bytes_of(
    struct pv_fleet_share share, const struct pv_rate *whole)
{
	return share.of && whole->bandwidth > 0 ? whole->bandwidth / share.of
						: 0;
}

/* A body that has begun comes to its end, however slowly. */
static int64_t bandwidth_of(
    struct pv_fleet_share share, const struct pv_rate *whole)
{
	int64_t bytes = bytes_of(share, whole);
	if (whole->bandwidth == PV_NONE)
		return PV_NONE;
	return bytes ? bytes : 1;
}

static bool takes_turns(
    struct pv_fleet_share share, const struct pv_rate *whole)
{
	return share.of > whole->max_rate;
}

/* In so many intervals it has one token. */
static int64_t turns_of(
    struct pv_fleet_share share, const struct pv_rate *whole)
{
	return (share.of + whole->max_rate - 1) / whole->max_rate;
}

/* Tokens in an interval. */
static struct fraction pace_of(
    struct pv_fleet_share share, const struct pv_rate *whole)
{
	if (share.of && takes_turns(share, whole))
		return (struct fraction){1, turns_of(share, whole)};
	return (struct fraction){
	    pv_fleet_share_part(share, whole->max_rate), 1};
}

bool pv_fleet_share_is_within(struct pv_fleet_share share,
    struct pv_fleet_share other, const struct pv_rate *whole)
{
	return is_at_most(pace_of(share, whole), pace_of(other, whole)) &&
	       bytes_of(share, whole) <= bytes_of(other, whole) &&
	       pv_fleet_share_part(share, whole->burst) <=
		   pv_fleet_share_part(other, whole->burst) &&
	       pv_fleet_share_part(share, whole->concurrency) <=
		   pv_fleet_share_part(other, whole->concurrency);
}

bool pv_fleet_share_fits(struct pv_fleet_share share,
    const struct pv_fleet_share *others, size_t count,
    const struct pv_rate *whole)
{
	struct fraction pace = pace_of(share, whole);
	int64_t burst = pv_fleet_share_part(share, whole->burst);
	int64_t places = pv_fleet_share_part(share, whole->concurrency);
	int64_t bytes = bytes_of(share, whole);
	for (size_t i = 0; i < count; i++) {
		pace = sum_of(pace, pace_of(others[i], whole));
		burst += pv_fleet_share_part(others[i], whole->burst);
		places += pv_fleet_share_part(others[i], whole->concurrency);
		bytes += bytes_of(others[i], whole);
	}
	return is_at_most(pace, (struct fraction){whole->max_rate, 1}) &&
	       burst <= whole->burst && places <= whole->concurrency &&
	       (whole->bandwidth <= 0 || bytes <= whole->bandwidth);
}

struct pv_fleet_share pv_fleet_share_choose(size_t rank,
    const struct pv_fleet_share *others, size_t count,
    const struct pv_rate *whole)
{
	int64_t all = (int64_t)count + 1;
	struct pv_fleet_share share = {all, (int64_t)rank};
	if (pv_fleet_share_fits(share, others, count, whole))
		return share;
	for (int i = 0; i < HALVES_MAX; i++, all *= 2) {
		share = (struct pv_fleet_share){all, all};
		if (pv_fleet_share_fits(share, others, count, whole))
			return share;
	}
	return PV_FLEET_NO_SHARE;
}

/* Until the turn of this rank, where all have one in the same time. */
static int64_t until_turn(
    struct pv_fleet_share share, int64_t period_ms, int64_t server_ms)
{
	int64_t turn_ms = period_ms / share.of * (share.rank % share.of);
	int64_t now_ms = server_ms % period_ms;
	return (turn_ms - now_ms + period_ms) % period_ms;
}

struct pv_fleet_part pv_fleet_share_rate(
    struct pv_fleet_share share, const struct pv_rate *whole, int64_t server_ms)
{
	struct pv_fleet_part part = {
	    .max_rate = pv_fleet_share_part(share, whole->max_rate),
	    .interval_ms = whole->interval_ms,
	    .burst = pv_fleet_share_part(share, whole->burst),
	    .concurrency = pv_fleet_share_part(share, whole->concurrency),
	    .first_ms = -1,
	    .bandwidth = bandwidth_of(share, whole),
	};
	if (share.of && takes_turns(share, whole)) {
		part.max_rate = 1;
		part.interval_ms *= turns_of(share, whole);
		part.burst = 1;
		part.first_ms = until_turn(share, part.interval_ms, server_ms);
	}
	return part;
}
