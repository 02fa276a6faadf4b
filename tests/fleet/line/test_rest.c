#include "fleet/line/rest.h"

#include "tap.h"

/* The shortest and the longest of many draws that follow so many failures. */
static void bounds_after(
    unsigned tries, int64_t *shortest_ms, int64_t *longest_ms)
{
	*shortest_ms = INT64_MAX;
	*longest_ms = 0;
	for (uint64_t seed = 0; seed < 2000; seed++) {
		struct pv_fleet_rest rest = {seed, 100, 5000, tries};
		int64_t drawn_ms = pv_fleet_rest_draw(&rest);
		if (drawn_ms < *shortest_ms)
			*shortest_ms = drawn_ms;
		if (drawn_ms > *longest_ms)
			*longest_ms = drawn_ms;
	}
}

static const struct {
	unsigned tries;
	int64_t shortest_ms;
	int64_t longest_ms;
} cases[] = {
    {0, 50, 100},
    {1, 100, 200},
    {4, 800, 1600},
    {5, 1600, 3200},
    {6, 2500, 5000},
    {1000000, 2500, 5000},
};

static void is_between_bounds(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int64_t shortest_ms, longest_ms;
		bounds_after(cases[i].tries, &shortest_ms, &longest_ms);
		ok(shortest_ms >= cases[i].shortest_ms &&
			shortest_ms <
			    cases[i].shortest_ms + cases[i].longest_ms / 50 + 2,
		    "after %u failures no rest is shorter than %lld ms",
		    cases[i].tries, (long long)cases[i].shortest_ms);
		ok(longest_ms <= cases[i].longest_ms &&
			longest_ms >
			    cases[i].longest_ms - cases[i].longest_ms / 50 - 2,
		    "nor longer than %lld ms", (long long)cases[i].longest_ms);
	}
}

static void grows(void)
{
	struct pv_fleet_rest rest = {1, 100, 5000, 0};
	for (int i = 0; i < 100; i++)
		pv_fleet_rest_draw(&rest);
	ok(pv_fleet_rest_draw(&rest) >= 2500, "each failure makes it longer");
	pv_fleet_rest_reset(&rest);
	ok(pv_fleet_rest_draw(&rest) <= 100, "a success makes it short again");
}

int main(void)
{
	is_between_bounds();
	grows();
	return tap_done();
}
