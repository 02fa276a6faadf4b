#include "robots/access.h"

#include "http/status.h"

enum pv_robots_access pv_robots_access(int status, unsigned redirects)
{
	/* 429 asks for less, not for everything. */
	if (pv_http_is_overload(status))
		return PV_ROBOTS_ALL_FORBIDDEN;
	if (pv_http_is_redirect(status))
		return redirects < PV_ROBOTS_REDIRECTS_MAX
			   ? PV_ROBOTS_ELSEWHERE
			   : PV_ROBOTS_ALL_ALLOWED;
	switch (pv_http_class(status)) {
	case PV_HTTP_SUCCESS:
		return PV_ROBOTS_READ_IT;
	case PV_HTTP_CLIENT_ERROR:
		return PV_ROBOTS_ALL_ALLOWED;
	default:
		return PV_ROBOTS_ALL_FORBIDDEN;
	}
}

int64_t pv_robots_refresh_ms(int64_t ttl_ms)
{
	int64_t most_ms =
	    ttl_ms < PV_ROBOTS_GOOD_MS ? ttl_ms : PV_ROBOTS_GOOD_MS;
	return most_ms / 4 * 3;
}
