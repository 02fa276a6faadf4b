#include "crawl/progress/spread.h"

static const int64_t up_to_ms[PAVANE_SPREAD_STEPS] = {
    1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000};

void pv_spread_init(struct pavane_spread *spread)
{
	*spread = (struct pavane_spread){.up_to_ms = up_to_ms};
}

void pv_spread_add(struct pavane_spread *spread, int64_t time_us)
{
	size_t step = 0;
	if (time_us < 0)
		return;
	while (step < PAVANE_SPREAD_STEPS && time_us > 1000 * up_to_ms[step])
		step++;
	spread->counts[step]++;
	spread->count++;
	spread->sum_us += (uint64_t)time_us;
}
