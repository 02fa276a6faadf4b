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
 * After a failure, one request shows whether it is over (a trial), and no other
 * begins beside it. A good answer ends the row, but is no reason to begin small
 * again: that needs `forgive` without a failure, counted from the end of the
 * rest. Where hosts share it, the longest `forgive` of those that have failed
 * counts. After so many in a row (PV_PROBE_AFTER) the trial is a probe, which
 * begins when nothing else is open. Where it is answered well, the failures
 * were those pages' own, and all is forgotten; where it fails, the rest grows,
 * whatever was asked for. What a probe asks for is the conductor's to choose
 * (crawl/host/probe.h): where all that is left is broken, a page that was
 * answered well before ends the row.
 *
 * A good answer forgives only what its own kind has earned, or a lesser one: a
 * server that has too much to do often answers well for what costs it nothing,
 * such as a robots.txt, and so shows that it lives and no more.
 *
 * A rest is drawn between its length and a little more (`jitter`), never less,
 * so that hosts that failed together are not all asked again together.
 */
#define PV_PROBE_AFTER 5

/* What a request is to show about the host. */
enum pv_trial {
	PV_TRIAL_NOT, /* it is well */
	PV_TRIAL_ONE, /* whether it is well again, after a failure */
	PV_TRIAL_PROBE,
};

/* What was asked for, from what weighs most. */
enum pv_asked {
	PV_ASKED_PAGE,
	PV_ASKED_RESOURCE,
	PV_ASKED_ROBOTS, /* a robots.txt or a sitemap */
};

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
	int64_t forgive_ms; /* the longest of those by whose plan it failed */
	uint32_t failures;  /* in a row */
	bool is_in_doubt;   /* nothing was answered well since it failed ... */
	enum pv_asked earned_by; /* ... what weighs most of that */
};

struct pv_failure {
	int64_t began_at; /* the request */
	int64_t failed_at;
	uint32_t draw; /* for jitter: a fraction of 2^32 */
	enum pv_asked asked;
	bool is_repeat;
	bool is_probe;
};

/* A request was answered well. */
struct pv_success {
	int64_t began_at;
	enum pv_asked asked;
	bool is_probe;
};

/* A request has failed; true if that counts in a row. */
bool pv_backoff_fail(struct pv_backoff *backoff,
    const struct pv_backoff_plan *plan, const struct pv_failure *failure);

/* A request was answered well. Nothing may start sooner for that. */
void pv_backoff_succeed(struct pv_backoff *backoff,
    const struct pv_backoff_plan *plan, const struct pv_success *success);

/* When all of it will be forgiven, for who goes by that plan. */
int64_t pv_backoff_forgiven_at(
    const struct pv_backoff *backoff, const struct pv_backoff_plan *plan);

static inline bool pv_backoff_wants_probe(const struct pv_backoff *backoff)
{
	return backoff->failures >= PV_PROBE_AFTER;
}

static inline enum pv_trial pv_backoff_trial(const struct pv_backoff *backoff)
{
	if (pv_backoff_wants_probe(backoff))
		return PV_TRIAL_PROBE;
	return backoff->is_in_doubt ? PV_TRIAL_ONE : PV_TRIAL_NOT;
}

#endif
