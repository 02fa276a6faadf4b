#include "crawl/host/host_rest.h"

int64_t pv_host_rest_ms(const struct pv_manners *manners, uint32_t failures)
{
	double wait_ms = (double)manners->backoff.failure_ms;
	double max_ms = (double)manners->backoff.max_ms;
	for (uint32_t i = 0;
	     i < failures && wait_ms < max_ms && manners->backoff.factor > 1;
	     i++)
		wait_ms *= manners->backoff.factor;
	return (int64_t)(wait_ms < max_ms ? wait_ms : max_ms);
}
