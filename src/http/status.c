#include "http/status.h"

enum pv_http_class pv_http_class(int status)
{
	switch (status / 100) {
	case 1:
		return PV_HTTP_INFORMATION;
	case 2:
		return PV_HTTP_SUCCESS;
	case 3:
		return PV_HTTP_REDIRECTION;
	case 4:
		return PV_HTTP_CLIENT_ERROR;
	default:
		return PV_HTTP_SERVER_ERROR;
	}
}

/* RFC 9110, 15.4: 300 leaves the choice to a person, 304 is about a copy that
 * we have, 305 and 306 are not used any more. */
bool pv_http_is_redirect(int status)
{
	return (status >= 301 && status <= 303) || status == 307 ||
	       status == 308;
}

bool pv_http_is_overload(int status)
{
	return status == 429 || status == 503;
}

bool pv_http_is_blocked(int status)
{
	return status == 401 || status == 403 || status == 451;
}
