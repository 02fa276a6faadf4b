#ifndef PAVANE_SCHEDULE_WAIT_H
#define PAVANE_SCHEDULE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#define PV_NEVER INT64_MAX

/* Why somebody has to wait, and until when: for `status`, and because every
 * "no" has a reason that a person can read (P4). They are kept by number in
 * the files of crawls, so what is new comes last. */
enum pv_wait_reason {
	PV_WAIT_NOT,
	PV_WAIT_DELAY,
	PV_WAIT_CRAWL_DELAY,
	PV_WAIT_SLOW,
	PV_WAIT_HOST_RATE,
	PV_WAIT_RETRY_AFTER,
	PV_WAIT_FAILURE,
	PV_WAIT_OVERLOAD,
	PV_WAIT_CONNECTING,
	PV_WAIT_CONNECTIONS,
	PV_WAIT_ADDRESS,
	PV_WAIT_ADDRESS_FAILURE,
	PV_WAIT_HOURS,
	PV_WAIT_VISIT_TIME,
	PV_WAIT_PARKED,
	PV_WAIT_NO_VISITS,
	PV_WAIT_RATE,
	PV_WAIT_CONCURRENCY,
	PV_WAIT_HELD,
	PV_WAIT_SLOWED,
	PV_WAIT_HINT,
	PV_WAIT_PROBE,
	PV_WAIT_OTHERS,
	PV_WAIT_NAME, /* these three are none of the schedule's own */
	PV_WAIT_ROBOTS,
	PV_WAIT_TRY_AGAIN,
	PV_WAIT_FORGOTTEN,
	PV_WAIT_PAUSED,
	PV_WAIT_PROXY,
	PV_WAIT_ALL_CRAWLS,
	PV_WAIT_FLEET,
	PV_WAIT_COUNT,
};

struct pv_wait {
	int64_t until; /* PV_NEVER: until something else happens */
	enum pv_wait_reason reason;
};

/* Whether that is a rest after a failure or an overload of the host's. */
bool pv_wait_is_after_failure(enum pv_wait_reason reason);

/* For machines: one word, such as "retry-after". */
const char *pv_wait_word(enum pv_wait_reason reason);

/* The end of a sentence that begins "it waits ...". */
const char *pv_wait_text(enum pv_wait_reason reason);

/* What asks for it, in a few words: "Retry-After". */
const char *pv_wait_name(enum pv_wait_reason reason);

/* Keeps the longer of two waits; of equal ones the one that it is. */
static inline void pv_wait_for(
    struct pv_wait *wait, int64_t until, enum pv_wait_reason reason)
{
	if (until > wait->until)
		*wait = (struct pv_wait){until, reason};
}

/* When a rest ends that begins then. What begins one has just happened, and by
 * the end of its millisecond at the latest: that is the time that clocks get,
 * so that no rest is short by a part of one. Where there is none, it is taken
 * back. */
static inline int64_t pv_rest_end(int64_t began_at, int64_t rest_ms)
{
	return rest_ms > 0 ? began_at + rest_ms : began_at - 1;
}

#endif
