#ifndef PAVANE_SCHEDULE_HOST_CLOCK_H
#define PAVANE_SCHEDULE_HOST_CLOCK_H

#include "schedule/pace.h"
#include "schedule/saved_clock.h"
#include "schedule/slowness.h"
#include "schedule/wait.h"

struct pv_time;

/* A host's clock: when may we knock on this door again?
 *
 * The next start is the last start, or with delay_from: end the last end on any
 * connection if that is later, plus the strictest of the delay (with its
 * jitter), the Crawl-delay, what the last answer took, and what is left of
 * being slowed; and not before Retry-After, what RateLimit headers suggest,
 * back-off and the host's own bucket allow it. A start is when the request's
 * bytes went out: between its release and that moment nothing else of the host
 * is released, so that the server sees no shorter gap than we do. A new host
 * may start at once; idle time earns nothing.
 *
 * A host that has too much to do (429, 503) is slowed beyond its rest: each
 * time doubles what it gets between requests, from the delay up to max_delay,
 * and each `forgive` without one halves it again.
 *
 * After a failure one request shows whether the host is well again, a trial,
 * and nothing else begins as long as it is open. Where it has failed too often
 * in a row, that is a probe (schedule/backoff.h), which begins when nothing of
 * the host is open. Of hosts that share a clock, the one whose turn it is sends
 * it: they are asked as one server, and if that one is well, the failures were
 * the others' own.
 *
 * Times are those of the crawl's monotonic clock, and not negative.
 */
struct pv_host_clock {
	int64_t last_start; /* negative: none yet */
	int64_t last_end;
	int64_t asked_before; /* the last request before it was restored; or
				 PV_LONG_AGO */
	int64_t crawl_delay_ms;
	int64_t took_ms; /* the last answer, or longer if failures came since */
	int64_t retry_until;
	int64_t hint_until;
	struct pv_slowness slowness;
	int64_t others_until; /* what other crawls on this machine ask for */
	int64_t others_since; /* they have refused; 0: they have not */
	struct pv_backoff backoff;
	struct pv_wait restored;
	int64_t window_start; /* of the bucket: the request that opened it */
	uint32_t window_count;
	uint32_t open;       /* requests released and not ended */
	uint32_t connecting; /* of them: not gone out */
	uint32_t draw;       /* for jitter: a fraction of 2^32 */
	bool is_trying;      /* whether the host is well again */
	bool is_overload;    /* the last failure */
};

/* How a request ended, as far as politeness is concerned. */
struct pv_visit_end {
	int status;             /* of the answer; 0: there was none */
	bool is_unreachable;    /* no connection to the address could be made */
	bool is_broken;         /* the server stopped in the midst of it */
	bool is_given_up;       /* by us: it says nothing about the server */
	bool is_repeat;         /* the address has failed before */
	enum pv_asked asked;    /* for what */
	int64_t held_ms;        /* so long of what it took was our own doing */
	int64_t retry_after_ms; /* PV_NONE if it did not say */
	int64_t hint_ms; /* what its RateLimit headers suggest; 0 if nothing */
};

/* Whether the server failed us or has too much to do. */
bool pv_visit_end_is_overload(const struct pv_visit_end *end);
bool pv_visit_end_is_failure(const struct pv_visit_end *end);

/* When a request was released, when its bytes went out (negative: never), and
 * when it ended. */
struct pv_flight_times {
	int64_t released_at;
	int64_t started_at;
	int64_t ended_at;
	uint32_t draw; /* for the jitter of back-off: a fraction of 2^32 */
	enum pv_trial trial; /* as pv_host_clock_release said */
};

void pv_host_clock_init(struct pv_host_clock *clock);

/* What robots.txt asks for; `is_shared`: by other hosts, too, whose longest
 * counts. */
void pv_host_clock_ask_delay(
    struct pv_host_clock *clock, int64_t delay_ms, bool is_shared);

/* The earliest next start and what asks for it; while a request is about to
 * go out, or no more may overlap, PV_NEVER. */
struct pv_wait pv_host_clock_next(
    const struct pv_host_clock *clock, const struct pv_pace *pace);

/* The same as far as times go, whatever is in flight; and how long a request
 * makes the next one wait if nothing goes wrong. */
struct pv_wait pv_host_clock_due(
    const struct pv_host_clock *clock, const struct pv_pace *pace);
int64_t pv_host_clock_rest_ms(
    const struct pv_host_clock *clock, const struct pv_pace *pace);

/* A request is released; what it is to show. */
enum pv_trial pv_host_clock_release(struct pv_host_clock *clock);

/* The request's bytes have gone out. */
void pv_host_clock_start(struct pv_host_clock *clock,
    const struct pv_pace *pace, uint32_t draw, int64_t now);

/* A released request has ended. One that never started counts as started at
 * its end, unless we gave it up: then nothing has been asked. */
void pv_host_clock_end(struct pv_host_clock *clock, const struct pv_pace *pace,
    const struct pv_visit_end *end, struct pv_flight_times times);

/* As if it had been asked just now: the full rest. */
void pv_host_clock_rest(struct pv_host_clock *clock, int64_t now);

/* From when on a clock tells nothing more than a new one. */
int64_t pv_host_clock_forget_at(
    const struct pv_host_clock *clock, const struct pv_pace *pace);

struct pv_saved_clock pv_host_clock_save(const struct pv_host_clock *clock,
    const struct pv_pace *pace, struct pv_time now);

/* The later of both readings, and never more than the wait itself; whatever the
 * clock knows already stays, if that is stricter. Where the policy asks for a
 * longer rest than it did, that counts from the last request on. Its back-off says that it was
 * slowed, and is forgotten with it. */
void pv_host_clock_restore(struct pv_host_clock *clock,
    const struct pv_pace *pace, const struct pv_saved_clock *saved,
    struct pv_time now);

#endif
