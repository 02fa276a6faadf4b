#include "serve/webhooks/retries.h"

#include "tap.h"

int main(void)
{
	static const int64_t seconds[] = {
	    5, 300, 1800, 7200, 18000, 36000, 36000, 36000};
	for (uint32_t i = 0; i < sizeof(seconds) / sizeof(*seconds); i++)
		ok(pv_webhook_retry_wait_ms(i + 1, 0) == seconds[i] * 1000,
		    "after %u tries the next one is %lld s away", i + 1,
		    (long long)seconds[i]);
	ok(pv_webhook_retry_wait_ms(1, 60000) == 60000,
	    "later where the receiver asks for it");
	ok(pv_webhook_retry_wait_ms(3, 60000) == 1800000 &&
		pv_webhook_retry_wait_ms(1, 1) == 5000,
	    "but never earlier than without");
	ok(pv_webhook_retry_wait_ms(1, INT64_MAX) ==
		PV_WEBHOOK_RETRY_WAIT_MAX_MS,
	    "and within a day");
	ok(pv_webhook_retry_wait_ms(UINT32_MAX, 0) == 36000000,
	    "and never more than ten hours");
	return tap_done();
}
