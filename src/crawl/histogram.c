#include "crawl/histogram.h"

#define STEPS_A_POWER 8

/* Times under 8 us have steps of their own; then come eight a power. */
static unsigned step_of(uint64_t time_us)
{
	if (time_us < STEPS_A_POWER)
		return (unsigned)time_us;
	unsigned power = 63 - (unsigned)__builtin_clzll(time_us);
	unsigned part = (unsigned)(time_us >> (power - 3)) & 7;
	unsigned step = (power - 2) * STEPS_A_POWER + part;
	return step < PV_HISTOGRAM_STEPS ? step : PV_HISTOGRAM_STEPS - 1;
}

/* Where the next step begins. */
static double end_of(unsigned step)
{
	if (step < STEPS_A_POWER)
		return step + 1;
	unsigned power = step / STEPS_A_POWER + 2;
	return (double)(UINT64_C(1) << (power - 3)) *
	       (STEPS_A_POWER + step % STEPS_A_POWER + 1);
}

void pv_histogram_add(struct pv_histogram *histogram, int64_t time_us)
{
	if (time_us < 0)
		return;
	histogram->counts[step_of((uint64_t)time_us)]++;
	histogram->count++;
}

double pv_histogram_percentile(
    const struct pv_histogram *histogram, double percent)
{
	double wanted = (double)histogram->count * percent / 100;
	uint64_t sum = 0;
	if (!histogram->count)
		return -1;
	for (unsigned step = 0; step < PV_HISTOGRAM_STEPS; step++) {
		sum += histogram->counts[step];
		if ((double)sum >= wanted && sum)
			return end_of(step) / 1000;
	}
	return end_of(PV_HISTOGRAM_STEPS - 1) / 1000;
}
