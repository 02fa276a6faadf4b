#include "fleet/shares/share.h"

#include "policy/policy.h"

/* Where others leave too little for its share, a worker tries a half, a quarter
 * and so on of it, so often. */
#define HALVES_MAX 6

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

bool pv_fleet_share_is_within(struct pv_fleet_share share,
    struct pv_fleet_share other, const struct pv_rate *whole)
{
	return pv_fleet_share_part(share, whole->max_rate) <=
		   pv_fleet_share_part(other, whole->max_rate) &&
	       bytes_of(share, whole) <= bytes_of(other, whole) &&
	       pv_fleet_share_part(share, whole->burst) <=
		   pv_fleet_share_part(other, whole->burst) &&
	       pv_fleet_share_part(share, whole->concurrency) <=
		   pv_fleet_share_part(other, whole->concurrency);
}

/* Beside all of them but that one. */
static bool fits_beside(struct pv_fleet_share share,
    const struct pv_fleet_share *all, size_t count, size_t own,
    const struct pv_rate *whole)
{
	int64_t pace = pv_fleet_share_part(share, whole->max_rate);
	int64_t burst = pv_fleet_share_part(share, whole->burst);
	int64_t places = pv_fleet_share_part(share, whole->concurrency);
	int64_t bytes = bytes_of(share, whole);
	for (size_t i = 0; i < count; i++) {
		if (i == own)
			continue;
		pace += pv_fleet_share_part(all[i], whole->max_rate);
		burst += pv_fleet_share_part(all[i], whole->burst);
		places += pv_fleet_share_part(all[i], whole->concurrency);
		bytes += bytes_of(all[i], whole);
	}
	return pace <= whole->max_rate && burst <= whole->burst &&
	       places <= whole->concurrency &&
	       (whole->bandwidth <= 0 || bytes <= whole->bandwidth);
}

bool pv_fleet_share_fits(struct pv_fleet_share share,
    const struct pv_fleet_share *others, size_t count,
    const struct pv_rate *whole)
{
	return fits_beside(share, others, count, count, whole);
}

/* Shares */

static size_t most_shares(const struct pv_rate *whole)
{
	return (size_t)(whole->max_rate < whole->concurrency
			    ? whole->max_rate
			    : whole->concurrency);
}

/* How many come before that one: those who have a share, and the lower numbers. */
static size_t place_of(
    const struct pv_fleet_share *all, size_t count, size_t own)
{
	size_t place = 0;
	for (size_t i = 0; i < count; i++)
		place += !all[i].of == !all[own].of
			     ? i < own
			     : all[i].of > 0 && !all[own].of;
	return place;
}

bool pv_fleet_share_is_free(const struct pv_fleet_share *all, size_t count,
    size_t own, const struct pv_rate *whole)
{
	return place_of(all, count, own) < most_shares(whole);
}

/* Whether a request can be made by it. */
static bool is_of_use(struct pv_fleet_share share, const struct pv_rate *whole)
{
	return pv_fleet_share_part(share, whole->max_rate) > 0 &&
	       pv_fleet_share_part(share, whole->concurrency) > 0;
}

struct pv_fleet_share pv_fleet_share_choose(const struct pv_fleet_share *all,
    size_t count, size_t own, const struct pv_rate *whole)
{
	size_t most = most_shares(whole);
	int64_t of = (int64_t)(count < most ? count : most), rank = 0;
	if (!pv_fleet_share_is_free(all, count, own, whole))
		return PV_FLEET_NO_SHARE;
	for (size_t i = 0; i < own; i++)
		rank += pv_fleet_share_is_free(all, count, i, whole);
	struct pv_fleet_share share = {of, rank};
	if (fits_beside(share, all, count, own, whole))
		return share;
	for (int i = 0; i < HALVES_MAX; i++, of *= 2) {
		share = (struct pv_fleet_share){of, of};
		if (is_of_use(share, whole) &&
		    fits_beside(share, all, count, own, whole))
			return share;
	}
	return PV_FLEET_NO_SHARE;
}

struct pv_fleet_part pv_fleet_share_rate(
    struct pv_fleet_share share, const struct pv_rate *whole)
{
	return (struct pv_fleet_part){
	    .max_rate = pv_fleet_share_part(share, whole->max_rate),
	    .interval_ms = whole->interval_ms,
	    .burst = pv_fleet_share_part(share, whole->burst),
	    .concurrency = pv_fleet_share_part(share, whole->concurrency),
	    .bandwidth = bandwidth_of(share, whole),
	};
}
