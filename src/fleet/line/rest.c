#include "fleet/line/rest.h"

/* SplitMix64 (Steele, Lea and Flood). */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

int64_t pv_fleet_rest_draw(struct pv_fleet_rest *rest)
{
	int64_t longest = rest->first_ms;
	for (unsigned i = 0; i < rest->tries && longest < rest->max_ms; i++)
		longest *= 2;
	if (longest > rest->max_ms)
		longest = rest->max_ms;
	if (longest < rest->max_ms)
		rest->tries++;
	int64_t half = longest / 2;
	uint64_t choices = (uint64_t)(longest - half) + 1;
	return half + (int64_t)(next_random(&rest->random) % choices);
}
