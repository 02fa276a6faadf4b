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
 * A host sees a request when it starts, which may be some ticks after its
 * release. Where more have started between two ticks than there were tokens
 * then, the later tick brings so many fewer; and who comes late to a tick,
 * having been away, finds room only for what makes burst with the requests that
 * are still to start. So what is said of releases holds of starts as well,
 * as long as connecting is quick beside an interval.
 */
struct pv_bucket {
	int64_t last_tick;
	int64_t interval_ms;
	int64_t max_rate;
	int64_t burst;
	int64_t tokens;
	int64_t unstarted; /* released, and still to start */
	int64_t startable; /* how many more may start until the next tick */
};

void pv_bucket_init(
    struct pv_bucket *bucket, const struct pv_rate *rate, int64_t now);

/* Puts in what the ticks until now have brought. */
void pv_bucket_fill(struct pv_bucket *bucket, int64_t now);

/* A request is released; there is a token for it. */
void pv_bucket_take(struct pv_bucket *bucket);

/* It starts. */
void pv_bucket_start(struct pv_bucket *bucket, int64_t now);

/* It has ended and never started. */
void pv_bucket_miss(struct pv_bucket *bucket);

/* Nor has it, which was taken then, cost anybody anything: the token comes back. A full bucket has no
 * room for it, and one of an earlier tick is lost: it would come on top of what
 * the later one brought. */
void pv_bucket_give_back(struct pv_bucket *bucket, int64_t taken_at);

/* When the next tick is, as of the last filling. */
static inline int64_t pv_bucket_next_tick(const struct pv_bucket *bucket)
{
	return bucket->last_tick + bucket->interval_ms;
}

#endif
