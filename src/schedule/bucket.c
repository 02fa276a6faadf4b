#include "schedule/bucket.h"

#include "policy/policy.h"

/* Who looks so long after a tick has been away: stopped, asleep, kept from the
 * processor, or without anything to do. */
#define LATE_MS 50

void pv_bucket_init(
    struct pv_bucket *bucket, const struct pv_rate *rate, int64_t now)
{
	*bucket = (struct pv_bucket){
	    .last_tick = now,
	    .interval_ms = rate->interval_ms,
	    .max_rate = rate->max_rate,
	    .burst = rate->burst,
	    .tokens = rate->max_rate,
	    .startable = rate->max_rate,
	};
}

/* How many too many have started before the last of so many ticks, each of
 * which would have allowed for max_rate. */
static int64_t overdraft(const struct pv_bucket *bucket, int64_t ticks)
{
	int64_t over = -bucket->startable;
	if (over <= 0 || ticks - 1 > over / bucket->max_rate)
		return 0;
	return over - (ticks - 1) * bucket->max_rate;
}

/* How many may start from a tick on, the last being so many ticks ago. */
static int64_t allowance(const struct pv_bucket *bucket, int64_t ticks)
{
	int64_t room = bucket->burst - bucket->tokens;
	int64_t full = ticks > room / bucket->max_rate
			   ? bucket->burst
			   : bucket->tokens + ticks * bucket->max_rate;
	return full - overdraft(bucket, ticks);
}

void pv_bucket_fill(struct pv_bucket *bucket, int64_t now)
{
	int64_t due = pv_bucket_next_tick(bucket);
	if (now < due)
		return;
	int64_t ticks = (now - bucket->last_tick) / bucket->interval_ms;
	bucket->startable = allowance(bucket, ticks);
	bucket->tokens = bucket->startable;
	if (now - due > LATE_MS &&
	    bucket->tokens > bucket->burst - bucket->unstarted)
		bucket->tokens = bucket->burst - bucket->unstarted;
	if (bucket->tokens < 0)
		bucket->tokens = 0;
	bucket->last_tick += ticks * bucket->interval_ms;
}

void pv_bucket_take(struct pv_bucket *bucket)
{
	bucket->tokens--;
	bucket->unstarted++;
}

void pv_bucket_start(struct pv_bucket *bucket, int64_t now)
{
	pv_bucket_fill(bucket, now);
	bucket->unstarted--;
	bucket->startable--;
}

void pv_bucket_miss(struct pv_bucket *bucket)
{
	bucket->unstarted--;
}

void pv_bucket_give_back(struct pv_bucket *bucket, int64_t taken_at)
{
	if (taken_at >= bucket->last_tick && bucket->tokens < bucket->burst)
		bucket->tokens++;
}
