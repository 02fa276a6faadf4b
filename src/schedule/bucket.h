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
 */
struct pv_bucket {
	int64_t last_tick;
	int64_t interval_ms;
	int64_t max_rate;
	int64_t burst;
	int64_t tokens;
};

void pv_bucket_init(
    struct pv_bucket *bucket, const struct pv_rate *rate, int64_t now);

/* Puts in what the ticks until now have brought. */
void pv_bucket_fill(struct pv_bucket *bucket, int64_t now);

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
