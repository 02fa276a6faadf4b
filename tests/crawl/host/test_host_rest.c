#include "crawl/host/host_rest.h"

#include "tap.h"

int main(void)
{
	struct pv_manners manners = {
	    .backoff = {.failure_ms = 5000, .factor = 2, .max_ms = 60000}};
	ok(pv_host_rest_ms(&manners, 0) == 5000,
	    "the first wait is the policy's");
	ok(pv_host_rest_ms(&manners, 1) == 10000, "the next is longer (P2)");
	ok(pv_host_rest_ms(&manners, 3) == 40000, "and longer");
	ok(pv_host_rest_ms(&manners, 4) == 60000, "up to the longest");
	ok(pv_host_rest_ms(&manners, UINT32_MAX) == 60000,
	    "however often it has failed");
	manners.backoff.factor = 1;
	ok(pv_host_rest_ms(&manners, 1000) == 5000,
	    "or always the same, where the policy says so");
	return tap_done();
}
