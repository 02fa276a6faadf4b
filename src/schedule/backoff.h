#ifndef PAVANE_SCHEDULE_BACKOFF_H
#define PAVANE_SCHEDULE_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

/* Back-off: how long to rest after failures.
 *
 * The first failure begins small; each further one in a row makes the rest
 * `factor` times as long, up to `max`. What counts in a row are failures at
 * different addresses of the web: one that has failed before may be broken for
 * good, so that it costs the first rest again and nothing more. Requests that
 * were under way when a failure became known are part of it: they neither
 * lengthen the rest nor show that it is over.
 *
 * A good answer ends the row, but is no reason to begin small again: that
 * needs `forgive` without a failure, counted from the end of the rest. After
 * so many in a row (PV_PROBE_AFTER) one request is sent ahead of all others, a
 * probe. Where it is answered well, the failures were those pages' own, and
 * all is forgotten; where it fails, the rest grows, whatever was asked for.
 *
 * A rest is drawn between its length and a little more (`jitter`), never less,
 * so that hosts that failed together are not all asked again together.
 */
#define PV_PROBE_AFTER 5

struct pv_backoff_plan {
	int64_t first_ms;
	double factor;
	int64_t max_ms;
	int64_t forgive_ms;
	double jitter; /* 0.1: up to a tenth more, within `max` */
};

struct pv_backoff {
	int64_t rest_ms; /* the longest that was earned; 0 if none is left */
	int64_t row_ms;  /* that of the failures in a row now; 0 for none */
	int64_t failed_at;
	int64_t until;
	uint32_t failures; /* in a row */
};

struct pv_failure {
	int64_t began_at; /* the request */
	int64_t failed_at;
	uint32_t draw; /* for jitter: a fraction of 2^32 */
	bool is_repeat;
	bool is_probe;
};

/* A request has failed; true if that counts in a row. */
bool pv_backoff_fail(struct pv_backoff *backoff,
    const struct pv_backoff_plan *plan, const struct pv_failure *failure);

/* A request that began then was answered well. */
void pv_backoff_succeed(struct pv_backoff *backoff, int64_t began_at);

/* A probe that began then was. Nothing may start sooner for that. */
void pv_backoff_forget(struct pv_backoff *backoff, int64_t began_at);

static inline bool pv_backoff_wants_probe(const struct pv_backoff *backoff)
{
	return backoff->failures >= PV_PROBE_AFTER;
}

#endif
