#include "names/limits.h"

#include "tap.h"

#define MINUTE 60000
#define HOUR (60 * MINUTE)

static const struct {
	enum pv_name_result result;
	int64_t ttl_s;
	int64_t kept_ms;
	const char *claim;
} cases[] = {
    {PV_NAME_FOUND, 300, 300000, "as long as the name server says"},
    {PV_NAME_FOUND, 60, MINUTE, "a minute, as it says"},
    {PV_NAME_FOUND, 59, MINUTE, "at least a minute"},
    {PV_NAME_FOUND, 0, MINUTE, "at least a minute"},
    {PV_NAME_FOUND, -1, MINUTE, "at least a minute, whatever it says"},
    {PV_NAME_FOUND, INT64_MIN, MINUTE, "at least a minute, whatever it says"},
    {PV_NAME_FOUND, 3600, HOUR, "an hour, as it says"},
    {PV_NAME_FOUND, 3601, HOUR, "at most an hour"},
    {PV_NAME_FOUND, INT32_MAX, HOUR, "at most an hour"},
    {PV_NAME_FOUND, PV_NAME_TTL_NONE, HOUR, "an hour, if nobody says"},
    {PV_NAME_FORBIDDEN, 300, 300000, "what is forbidden, alike"},
    {PV_NAME_FORBIDDEN, 0, MINUTE, "what is forbidden, alike"},
    {PV_NAME_ASKED_AWAY, 300, 300000, "what never.txt names, alike"},
    {PV_NAME_UNKNOWN, 0, HOUR, "an hour, that it is unknown"},
    {PV_NAME_NO_ANSWER, 3600, 30000, "half a minute, that nobody answers"},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(pv_names_limits_kept_ms(&pv_names_limits_usual,
		       cases[i].result, cases[i].ttl_s) == cases[i].kept_ms,
		    "%s is kept (%lld s)", cases[i].claim,
		    (long long)cases[i].ttl_s);
	return tap_done();
}
