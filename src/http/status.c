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

bool pv_http_is_retried(int status)
{
	switch (status) {
	case 408: /* it waited too long for us: RFC 9110, 15.5.9 */
	case 421: /* on another connection: RFC 9110, 15.5.20 */
	case 425: /* too early: RFC 8470, 5.2 */
	case 429: /* too many requests: RFC 6585, 4 */
		return true;
	default:
		return pv_http_class(status) == PV_HTTP_SERVER_ERROR;
	}
}

bool pv_http_is_overload(int status)
{
	return status == 429 || status == 503;
}

bool pv_http_is_blocked(int status)
{
	return status == 401 || status == 403 || status == 451;
}
