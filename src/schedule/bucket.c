#include "schedule/bucket.h"

#include "policy/policy.h"

void pv_bucket_init(
    struct pv_bucket *bucket, const struct pv_rate *rate, int64_t now)
{
	*bucket = (struct pv_bucket){
	    .last_tick = now,
	    .interval_ms = rate->interval_ms,
	    .max_rate = rate->max_rate,
	    .burst = rate->burst,
	    .tokens = rate->max_rate,
	};
}

void pv_bucket_fill(struct pv_bucket *bucket, int64_t now)
{
	if (now < pv_bucket_next_tick(bucket))
		return;
	int64_t ticks = (now - bucket->last_tick) / bucket->interval_ms;
	int64_t room = bucket->burst - bucket->tokens;
	bucket->last_tick += ticks * bucket->interval_ms;
	bucket->tokens = ticks > room / bucket->max_rate
			     ? bucket->burst
			     : bucket->tokens + ticks * bucket->max_rate;
}

void pv_bucket_spare_unstarted(struct pv_bucket *bucket)
{
	int64_t room = bucket->burst - bucket->unstarted;
	if (bucket->tokens > room)
		bucket->tokens = room > 0 ? room : 0;
}

void pv_bucket_settle(struct pv_bucket *bucket)
{
	bucket->unstarted -= bucket->started;
	bucket->started = 0;
}

void pv_bucket_take(struct pv_bucket *bucket)
{
	bucket->tokens--;
	bucket->unstarted++;
}

void pv_bucket_start(struct pv_bucket *bucket)
{
	bucket->started++;
}

void pv_bucket_give_back(struct pv_bucket *bucket, int64_t taken_at)
{
	if (taken_at >= bucket->last_tick && bucket->tokens < bucket->burst)
		bucket->tokens++;
}
