#ifndef PAVANE_FLEET_LINE_REST_H
#define PAVANE_FLEET_LINE_REST_H

#include <stdint.h>

/* How long to wait before something is tried again: each time twice as long, up
 * to a limit, and by chance down to half of that, so that the workers of a fleet
 * that lost their server together do not come back together. */
struct pv_fleet_rest {
	uint64_t random; /* any number to begin with */
	int64_t first_ms;
	int64_t max_ms;
	unsigned tries; /* since the last success */
};

/* Between half of first_ms * 2^tries and all of it; counts a try. */
int64_t pv_fleet_rest_draw(struct pv_fleet_rest *rest);

/* It has worked: the next one is short again. */
static inline void pv_fleet_rest_reset(struct pv_fleet_rest *rest)
{
	rest->tries = 0;
}

#endif
