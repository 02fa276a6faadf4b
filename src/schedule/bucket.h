#ifndef PAVANE_SCHEDULE_BUCKET_H
#define PAVANE_SCHEDULE_BUCKET_H

#include <stdint.h>

struct pv_rate;

/* The bucket of the whole crawl: how many requests may still be released.
 *
 * At start + n times the interval it is set to min(burst, tokens + max_rate),
 * and it begins with max_rate; so in any span W no more than
 * burst + max_rate * ceil(W / interval) requests are released. Nobody has to
 * be awake at a tick: ticks that have passed are caught up with when somebody
 * looks.
 *
 * A server sees a request when it starts, which is some time after its release.
 * Who looks at the bucket every now and then hardly notices; but who was away,
 * stopped or asleep, comes back to requests that start only now and to ticks
 * that have gone by, and the two would make a burst. So the bucket also knows
 * what had been released and had not started when it was last looked at, and
 * leaves room for it.
 */
struct pv_bucket {
	int64_t last_tick;
	int64_t interval_ms;
	int64_t max_rate;
	int64_t burst;
	int64_t tokens;
	int64_t unstarted; /* released, and not started before the last look */
	int64_t started;   /* of these, since then */
};

void pv_bucket_init(
    struct pv_bucket *bucket, const struct pv_rate *rate, int64_t now);

/* Puts in what the ticks until now have brought. */
void pv_bucket_fill(struct pv_bucket *bucket, int64_t now);

/* Who was away keeps only what makes a burst with all that is to start now. */
void pv_bucket_spare_unstarted(struct pv_bucket *bucket);

/* A look is over: what has started until now is no longer on its way. */
void pv_bucket_settle(struct pv_bucket *bucket);

/* A request is released; there is a token for it. */
void pv_bucket_take(struct pv_bucket *bucket);

/* It has started, or has ended and never will. */
void pv_bucket_start(struct pv_bucket *bucket);

/* A token that was taken then and has served no request. A full bucket has no
 * room for it, and one of an earlier tick is lost: it would come on top of what
 * the later one brought. */
void pv_bucket_give_back(struct pv_bucket *bucket, int64_t taken_at);

/* When the next tick is, as of the last filling. */
static inline int64_t pv_bucket_next_tick(const struct pv_bucket *bucket)
{
	return bucket->last_tick + bucket->interval_ms;
}

#endif
