#ifndef PAVANE_FETCH_BANDWIDTH_BYTE_BUCKET_H
#define PAVANE_FETCH_BANDWIDTH_BYTE_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

/* How many bytes may come, of so many a second.
 *
 * The bucket fills evenly and holds a credit at most: an eighth of a second's
 * worth, but always what libcurl gives at once. It begins full. So in any span
 * W no more than credit + limit * W bytes are taken from it, however long it
 * lay idle; and who takes whenever there is enough takes all that the limit
 * gives. What has come without being asked for, such as headers, is charged: it
 * may leave a debt, which is paid off before anything else is taken.
 *
 * Time is the caller's, in milliseconds, and does not go back.
 */
#define PV_BYTE_BUCKET_LEAST_CREDIT INT64_C(16384) /* libcurl's buffer */

struct pv_byte_bucket {
	int64_t limit;       /* bytes a second */
	int64_t thousandths; /* of bytes that may be taken; negative: a debt */
	int64_t filled_at;
};

void pv_byte_bucket_init(
    struct pv_byte_bucket *bucket, int64_t limit, int64_t now);

/* From now on it fills at another pace. */
void pv_byte_bucket_set_limit(
    struct pv_byte_bucket *bucket, int64_t limit, int64_t now);

/* The bytes that it holds when it is full. */
int64_t pv_byte_bucket_credit(const struct pv_byte_bucket *bucket);

/* Takes so many bytes if it holds them; of more than it ever holds, the rest
 * becomes a debt. */
bool pv_byte_bucket_take(
    struct pv_byte_bucket *bucket, int64_t bytes, int64_t now);

/* In how many milliseconds so many bytes can be taken, if nobody else does; 0
 * if they can be now. */
int64_t pv_byte_bucket_wait(
    struct pv_byte_bucket *bucket, int64_t bytes, int64_t now);

/* So many bytes have come. */
void pv_byte_bucket_charge(
    struct pv_byte_bucket *bucket, int64_t bytes, int64_t now);

/* So many bytes that were taken did not come. */
void pv_byte_bucket_give_back(struct pv_byte_bucket *bucket, int64_t bytes);

/* Whether it is as a new one would be. */
bool pv_byte_bucket_is_full(struct pv_byte_bucket *bucket, int64_t now);

#endif
