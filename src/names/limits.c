#include "names/limits.h"

/* Servers may give names that change by the second, or never: what is asked for
 * less than a minute later has not moved for a polite visitor, and an hour is
 * how long an owner waits for us to follow. The loop is shared with all
 * requests in flight, so a turn's work stays below a millisecond or two. */
const struct pv_names_limits pv_names_limits_usual = {
    .deadline_ms = 10000,
    .patience_ms = 1000,
    .least_kept_ms = 60 * 1000,
    .most_kept_ms = 60 * 60 * 1000,
    .unknown_kept_ms = 60 * 60 * 1000,
    .no_answer_kept_ms = 30 * 1000,
    .asked_max = 100,
    .turn_max = 32,
    .failures_max = 100,
    .kept_max = 100000,
    .hosts_path = "/etc/hosts",
};

static int64_t within_bounds(
    const struct pv_names_limits *limits, int64_t ttl_s)
{
	if (ttl_s < limits->least_kept_ms / 1000)
		return limits->least_kept_ms;
	if (ttl_s > limits->most_kept_ms / 1000)
		return limits->most_kept_ms;
	return ttl_s * 1000;
}

int64_t pv_names_limits_kept_ms(const struct pv_names_limits *limits,
    enum pv_name_result result, int64_t ttl_s)
{
	switch (result) {
	case PV_NAME_FOUND:
	case PV_NAME_FORBIDDEN:
	case PV_NAME_ASKED_AWAY:
		return within_bounds(limits, ttl_s);
	case PV_NAME_UNKNOWN:
		return limits->unknown_kept_ms;
	case PV_NAME_NO_ANSWER:
		break;
	}
	return limits->no_answer_kept_ms;
}
