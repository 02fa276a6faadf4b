#ifndef PAVANE_POLICY_VALUES_MANNERS_H
#define PAVANE_POLICY_VALUES_MANNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/values/texts.h"

/* How a host is treated: all that may stand both under `politeness` (or
 * `fetch.tls`, or as `fetch.host_retries` or `scope.strip_query`) and in the
 * domain table. */

enum pv_delay_from { PV_DELAY_FROM_END, PV_DELAY_FROM_START };

struct pv_manners {
	int64_t delay_ms;
	int delay_from; /* enum pv_delay_from */
	double delay_factor;
	int64_t max_delay_ms;
	double jitter;
	int64_t connections;
	int64_t max_rate;
	int64_t interval_ms;
	int64_t bandwidth; /* bytes a second */
	int64_t ip_delay_ms;
	int64_t crawl_delay_give_up_ms;
	int64_t retry_after_give_up_ms;
	struct {
		int64_t failure_ms;
		int64_t overload_ms;
		double factor;
		int64_t max_ms;
		int64_t forgive_ms;
	} backoff;
	int64_t blocked_after;
	struct pv_texts allowed_hours; /* "22:00-06:00" */
	const char *timezone;
	bool tls_verify;
	const char *tls_ca; /* NULL for the system's own */
	int64_t host_retries;
	struct pv_texts strip_query;
	struct pv_texts proxies; /* policy/values/proxy_form.h */

	/* in the domain table only */
	int robots; /* enum pv_robots_choice */
	bool share;
	struct pv_pairs headers;
	const char *user; /* policy/values/user_form.h; NULL for none */
};

enum pv_robots_choice { PV_ROBOTS_OBEY, PV_ROBOTS_IGNORE };

#endif
