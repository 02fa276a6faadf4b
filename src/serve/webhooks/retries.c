#include "serve/webhooks/retries.h"

#include <stddef.h>

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)

int64_t pv_webhook_retry_wait_ms(uint32_t tries, int64_t retry_after_ms)
{
	static const int64_t waits[] = {
	    5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR};
	const size_t count = sizeof(waits) / sizeof(*waits);
	size_t i = tries ? tries - 1 : 0;
	int64_t own = waits[i < count ? i : count - 1];
	if (retry_after_ms > PV_WEBHOOK_RETRY_WAIT_MAX_MS)
		retry_after_ms = PV_WEBHOOK_RETRY_WAIT_MAX_MS;
	return retry_after_ms > own ? retry_after_ms : own;
}
