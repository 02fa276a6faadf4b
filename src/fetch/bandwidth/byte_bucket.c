#include "fetch/bandwidth/byte_bucket.h"

/* At a limit of bytes a second, a millisecond brings as many thousandths. */
#define THOUSANDTHS 1000

#define CREDITS_A_SECOND 8

int64_t pv_byte_bucket_credit(const struct pv_byte_bucket *bucket)
{
	int64_t credit = bucket->limit / CREDITS_A_SECOND;
	return credit > PV_BYTE_BUCKET_LEAST_CREDIT
		   ? credit
		   : PV_BYTE_BUCKET_LEAST_CREDIT;
}

static int64_t full(const struct pv_byte_bucket *bucket)
{
	return pv_byte_bucket_credit(bucket) * THOUSANDTHS;
}

void pv_byte_bucket_init(
    struct pv_byte_bucket *bucket, int64_t limit, int64_t now)
{
	*bucket = (struct pv_byte_bucket){.limit = limit, .filled_at = now};
	bucket->thousandths = full(bucket);
}

static void fill(struct pv_byte_bucket *bucket, int64_t now)
{
	int64_t passed_ms = now - bucket->filled_at;
	int64_t room = full(bucket) - bucket->thousandths;
	if (passed_ms <= 0)
		return;
	bucket->thousandths +=
	    passed_ms > room / bucket->limit ? room : passed_ms * bucket->limit;
	bucket->filled_at = now;
}

void pv_byte_bucket_set_limit(
    struct pv_byte_bucket *bucket, int64_t limit, int64_t now)
{
	fill(bucket, now);
	bucket->limit = limit;
	if (bucket->thousandths > full(bucket))
		bucket->thousandths = full(bucket);
}

/* What must be there for so many bytes to be taken. */
static int64_t price(const struct pv_byte_bucket *bucket, int64_t bytes)
{
	int64_t credit = pv_byte_bucket_credit(bucket);
	return (bytes < credit ? bytes : credit) * THOUSANDTHS;
}

bool pv_byte_bucket_take(
    struct pv_byte_bucket *bucket, int64_t bytes, int64_t now)
{
	fill(bucket, now);
	if (bucket->thousandths < price(bucket, bytes))
		return false;
	bucket->thousandths -= bytes * THOUSANDTHS;
	return true;
}

int64_t pv_byte_bucket_wait(
    struct pv_byte_bucket *bucket, int64_t bytes, int64_t now)
{
	fill(bucket, now);
	int64_t missing = price(bucket, bytes) - bucket->thousandths;
	if (missing <= 0)
		return 0;
	return (missing + bucket->limit - 1) / bucket->limit;
}

void pv_byte_bucket_charge(
    struct pv_byte_bucket *bucket, int64_t bytes, int64_t now)
{
	fill(bucket, now);
	bucket->thousandths -= bytes * THOUSANDTHS;
}

void pv_byte_bucket_give_back(struct pv_byte_bucket *bucket, int64_t bytes)
{
	bucket->thousandths += bytes * THOUSANDTHS;
	if (bucket->thousandths > full(bucket))
		bucket->thousandths = full(bucket);
}

bool pv_byte_bucket_is_full(struct pv_byte_bucket *bucket, int64_t now)
{
	fill(bucket, now);
	return bucket->thousandths == full(bucket);
}
