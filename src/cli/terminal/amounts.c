#include "cli/terminal/amounts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

struct pv_amount pv_amount_of_count(uint64_t count)
{
	struct pv_amount amount = {{0}};
	char digits[24];
	size_t len =
	    (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *end = amount.text;
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*end++ = ',';
		*end++ = digits[i];
	}
	return amount;
}

struct pv_amount pv_amount_of_things(uint64_t count, const char *noun)
{
	struct pv_amount amount = pv_amount_of_count(count);
	size_t len = strlen(amount.text);
	snprintf(amount.text + len, sizeof(amount.text) - len, " %s%s", noun,
	    count == 1 ? "" : "s");
	return amount;
}

struct pv_amount pv_amount_of_size(uint64_t bytes)
{
	static const char *const units[] = {
	    "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	struct pv_amount amount;
	double size = (double)bytes / 1024;
	size_t unit = 0;
	if (bytes < 1024) {
		snprintf(
		    amount.text, sizeof(amount.text), "%" PRIu64 " B", bytes);
		return amount;
	}
	/* What would be rounded to 1024.0 belongs to the next unit. */
	while (size >= 1023.95 && unit < 5) {
		size /= 1024;
		unit++;
	}
	snprintf(
	    amount.text, sizeof(amount.text), "%.1f %s", size, units[unit]);
	return amount;
}

/* "1h 12m", or "1h" where the rest is nothing. */
static struct pv_amount two_units(
    int64_t large, char large_unit, int64_t small, char small_unit)
{
	struct pv_amount amount;
	int len = snprintf(amount.text, sizeof(amount.text), "%" PRId64 "%c",
	    large, large_unit);
	if (small)
		snprintf(amount.text + len, sizeof(amount.text) - (size_t)len,
		    " %" PRId64 "%c", small, small_unit);
	return amount;
}

struct pv_amount pv_amount_of_time(int64_t ms)
{
	struct pv_amount amount;
	if (ms >= DAY)
		return two_units(ms / DAY, 'd', ms % DAY / HOUR, 'h');
	if (ms >= HOUR)
		return two_units(ms / HOUR, 'h', ms % HOUR / MINUTE, 'm');
	if (ms >= MINUTE)
		return two_units(ms / MINUTE, 'm', ms % MINUTE / SECOND, 's');
	if (ms >= 10 * SECOND)
		return two_units(ms / SECOND, 's', 0, 's');
	if (ms >= SECOND)
		snprintf(amount.text, sizeof(amount.text),
		    "%" PRId64 ".%" PRId64 "s", ms / SECOND, ms % SECOND / 100);
	else if (ms > 0)
		snprintf(amount.text, sizeof(amount.text), "%" PRId64 "ms", ms);
	else
		snprintf(amount.text, sizeof(amount.text), "0s");
	return amount;
}

struct pv_amount pv_amount_of_rate(double per_second, const char *noun)
{
	struct pv_amount amount;
	/* Written so that what is no number counts as nothing. */
	double rate = per_second > 0 ? per_second : 0;
	const char *unit = "s";
	if (rate > 1e15)
		rate = 1e15;
	if (rate > 0 && rate < 0.1) {
		rate *= 60;
		unit = "min";
	}
	if (rate > 0 && rate < 0.1) {
		rate *= 60;
		unit = "h";
	}
	if (rate >= 100)
		amount = pv_amount_of_count((uint64_t)(rate + 0.5));
	else
		snprintf(amount.text, sizeof(amount.text), "%.1f", rate);
	size_t len = strlen(amount.text);
	snprintf(
	    amount.text + len, sizeof(amount.text) - len, " %s/%s", noun, unit);
	return amount;
}

struct pv_amount pv_amount_of_ms(double ms)
{
	struct pv_amount amount;
	if (!(ms >= 0))
		snprintf(amount.text, sizeof(amount.text), "-");
	else if (ms < 10)
		snprintf(amount.text, sizeof(amount.text), "%.1fms", ms);
	else if (ms < 10000)
		snprintf(amount.text, sizeof(amount.text), "%.0fms", ms);
	else if (ms < 1e15)
		return pv_amount_of_time((int64_t)ms);
	else
		snprintf(amount.text, sizeof(amount.text), "-");
	return amount;
}
