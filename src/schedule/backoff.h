#ifndef PAVANE_SCHEDULE_BACKOFF_H
#define PAVANE_SCHEDULE_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

/* Back-off: how long to rest after failures.
 *
 * The first failure begins small; each further one in a row makes the rest
 * `factor` times as long, up to `max`. A good answer in between stops the
 * growth, but is no reason to begin small again: that needs `forgive` without
 * a failure, counted from the end of the rest. Requests that were under way
 * when a failure became known are part of it: they neither lengthen the rest
 * nor show that it is over.
 */
struct pv_backoff_plan {
	int64_t first_ms;
	double factor;
	int64_t max_ms;
	int64_t forgive_ms;
};

struct pv_backoff {
	int64_t rest_ms; /* after the last failure; 0 if there was none */
	int64_t failed_at;
	int64_t until;
	bool is_answering; /* well, since the last failure */
};

/* A request that began then has failed now. */
void pv_backoff_fail(struct pv_backoff *backoff,
    const struct pv_backoff_plan *plan, int64_t began_at, int64_t now);

/* A request that began then was answered well. */
void pv_backoff_succeed(struct pv_backoff *backoff, int64_t began_at);

#endif
