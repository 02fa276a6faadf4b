#include "schedule/saved_clock.h"

#include <stdbool.h>

#include "base/least.h"

/* Ten years: longer than anybody is waited for. */
#define MOST_MS (INT64_C(3650) * 24 * 3600 * 1000)

#define FAR_MS (INT64_MAX / 4)

int64_t pv_saved_until_wall(int64_t until, struct pv_time now)
{
	bool is_ahead = until > now.monotonic_ms;
	return until + now.wall_ms - now.monotonic_ms + (is_ahead ? 1 : 0);
}

int64_t pv_saved_ms(int64_t ms)
{
	return pv_smaller(pv_larger(ms, 0), MOST_MS);
}

int64_t pv_saved_wall_left(
    int64_t until_wall_ms, int64_t most_ms, int64_t wall_ms)
{
	int64_t until = pv_smaller(pv_larger(until_wall_ms, -FAR_MS), FAR_MS);
	return pv_smaller(pv_saved_ms(most_ms), until - wall_ms);
}

int64_t pv_saved_due(int64_t asked_at, int64_t rest_ms, int64_t now)
{
	return pv_smaller(now, asked_at + pv_larger(1, rest_ms));
}

int64_t pv_saved_wait_left(struct pv_saved_wait saved, int64_t wall_ms)
{
	int64_t most_ms = pv_saved_ms(saved.wait_ms);
	int64_t left_ms =
	    pv_saved_wall_left(saved.until_wall_ms, most_ms, wall_ms);
	return pv_smaller(
	    most_ms, pv_larger(pv_saved_ms(saved.left_ms), left_ms));
}

int64_t pv_saved_began_at(struct pv_saved_wait saved, struct pv_time now)
{
	int64_t until =
	    pv_smaller(pv_larger(saved.until_wall_ms, -FAR_MS), FAR_MS);
	int64_t began_wall_ms = until - pv_saved_ms(saved.wait_ms);
	if (saved.wait_ms <= 0)
		return PV_LONG_AGO;
	return now.monotonic_ms - pv_larger(0, now.wall_ms - began_wall_ms);
}
