#include "record/histogram.h"

#include <inttypes.h>

#include "base/reader.h"

#define STEPS_A_POWER 32
#define POWER 5 /* STEPS_A_POWER is two to this */

/* Times under 32 us have steps of their own; then come 32 a power. */
static unsigned step_of(uint64_t time_us)
{
	if (time_us < STEPS_A_POWER)
		return (unsigned)time_us;
	unsigned power = 63 - (unsigned)__builtin_clzll(time_us);
	unsigned part =
	    (unsigned)(time_us >> (power - POWER)) & (STEPS_A_POWER - 1);
	unsigned step = (power - POWER + 1) * STEPS_A_POWER + part;
	return step < PV_HISTOGRAM_STEPS ? step : PV_HISTOGRAM_STEPS - 1;
}

/* Where the next step begins. */
static double end_of(unsigned step)
{
	if (step < STEPS_A_POWER)
		return step + 1;
	unsigned shift = step / STEPS_A_POWER - 1;
	return (double)(UINT64_C(1) << shift) *
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

void pv_histogram_write(
    const struct pv_histogram *histogram, struct pv_buf *buf)
{
	const char *space = "";
	for (unsigned step = 0; step < PV_HISTOGRAM_STEPS; step++) {
		if (!histogram->counts[step])
			continue;
		pv_buf_append_format(
		    buf, "%s%u:%" PRIu64, space, step, histogram->counts[step]);
		space = " ";
	}
}

bool pv_histogram_read(struct pv_histogram *histogram, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader)) {
		uint64_t step, count;
		if (!pv_reader_take_number(
			&reader, PV_HISTOGRAM_STEPS - 1, &step) ||
		    !pv_reader_accept(&reader, ':') ||
		    !pv_reader_take_number(&reader, INT64_MAX, &count))
			return false;
		histogram->counts[step] += count;
		histogram->count += count;
		if (!pv_reader_accept(&reader, ' '))
			return pv_reader_is_end(&reader);
	}
	return true;
}
