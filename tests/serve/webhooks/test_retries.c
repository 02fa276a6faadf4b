#include "serve/webhooks/retries.h"

#include "tap.h"

int main(void)
{
	static const int64_t seconds[] = {
	    5, 300, 1800, 7200, 18000, 36000, 36000, 36000};
	for (uint32_t i = 0; i < sizeof(seconds) / sizeof(*seconds); i++)
		ok(pv_webhook_retry_wait_ms(i + 1) == seconds[i] * 1000,
		    "after %u tries the next one is %lld s away", i + 1,
		    (long long)seconds[i]);
	ok(pv_webhook_retry_wait_ms(UINT32_MAX) == 36000000,
	    "and never more than ten hours");
	return tap_done();
}
