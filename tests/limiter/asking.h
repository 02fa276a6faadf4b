#ifndef PAVANE_TESTS_LIMITER_ASKING_H
#define PAVANE_TESTS_LIMITER_ASKING_H

#include <stdio.h>

#include "base/why.h"
#include "limiter/limiter.h"

/* A crawl that claims its requests at a limiter, as tests of limiters play it:
 * times are milliseconds, and the host is "a.test" where none is named. */

#define ASKING_WALL INT64_C(1700000000000)

/* What a crawl asks for. */
struct manner {
	int64_t rest_ms;
	bool is_from_end;
	uint32_t open_max;
};

static const struct manner usual = {1000, true, 1};

/* A request of a crawl, and what it was told. */
struct asking {
	struct pv_limiter *limiter;
	struct manner manner;
	const char *name; /* NULL: "a.test" */
	struct pv_limiter_claim claim;
	int64_t until;
	int64_t since; /* it has been refused; 0: it has not */
};

static inline struct pv_time at(int64_t ms)
{
	return (struct pv_time){
	    .monotonic_ms = ms, .wall_ms = ASKING_WALL + ms};
}

static inline struct pv_limiter *limiter_open(
    const struct pv_limiter_kind *kind, const char *place, const char *boot_id)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_limiter *limiter = kind->open(place, boot_id, &why);
	if (!limiter)
		printf("# %s\n", why.problems.kept[0].text);
	pv_why_finish(&why);
	return limiter;
}

static inline enum pv_limiter_answer claim_at(
    struct asking *asking, struct pv_time now)
{
	struct pv_limiter_ask ask = {
	    .clock = PV_LIMITER_HOST,
	    .name = pv_str_of(asking->name ? asking->name : "a.test"),
	    .rest_ms = asking->manner.rest_ms,
	    .is_from_end = asking->manner.is_from_end,
	    .open_max = asking->manner.open_max,
	    .since = asking->since ? asking->since : now.monotonic_ms,
	};
	enum pv_limiter_answer answer = pv_limiter_claim(
	    asking->limiter, &ask, now, &asking->claim, &asking->until);
	asking->since = answer == PV_LIMITER_GRANTED ? 0 : ask.since;
	return answer;
}

static inline enum pv_limiter_answer claim(struct asking *asking, int64_t ms)
{
	return claim_at(asking, at(ms));
}

static inline void sent(struct asking *asking, int64_t ms)
{
	pv_limiter_sent(
	    asking->limiter, &asking->claim, ms, ms + asking->manner.rest_ms);
}

/* It ends, and its server asks to be left alone until `next`; 0: for no longer
 * than the crawl has it. */
static inline void end_until(struct asking *asking, int64_t ms, int64_t next)
{
	pv_limiter_end(asking->limiter, &asking->claim, ms, next);
}

static inline void end(struct asking *asking, int64_t ms)
{
	end_until(asking, ms,
	    asking->manner.is_from_end ? ms + asking->manner.rest_ms : 0);
}

static inline void drop(struct asking *asking)
{
	pv_limiter_drop(asking->limiter, &asking->claim);
}

#endif
