#ifndef PAVANE_SERVE_WEBHOOKS_RETRIES_H
#define PAVANE_SERVE_WEBHOOKS_RETRIES_H

#include <stdint.h>

/* When a delivery that failed is tried again: after 5 s, 5 min, 30 min, 2 h, 5 h,
 * 10 h, and then every 10 h, each from when the try before it failed; later where
 * the receiver has asked for that, but within a day. */
#define PV_WEBHOOK_RETRY_WAIT_MAX_MS (INT64_C(24) * 3600 * 1000)

/* How long to wait after so many tries, in milliseconds, where the receiver has
 * asked to be left alone for so long. */
int64_t pv_webhook_retry_wait_ms(uint32_t tries, int64_t retry_after_ms);

#endif
