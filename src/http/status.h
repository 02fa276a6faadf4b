#ifndef PAVANE_HTTP_STATUS_H
#define PAVANE_HTTP_STATUS_H

#include <stdbool.h>

/* What the number in a response means to a crawler: its class, and what it says
 * about the host rather than the page. It is a fact about the web and never an
 * error of ours. */
enum pv_http_class {
	PV_HTTP_INFORMATION,  /* 1xx */
	PV_HTTP_SUCCESS,      /* 2xx */
	PV_HTTP_REDIRECTION,  /* 3xx */
	PV_HTTP_CLIENT_ERROR, /* 4xx */
	PV_HTTP_SERVER_ERROR, /* 5xx, and what is no status at all */
};

/* A number that no class has counts as 5xx (RFC 9110, 15). */
enum pv_http_class pv_http_class(int status);

/* Whether the answer lies where its Location says. */
bool pv_http_is_redirect(int status);

/* Whether the host says that it has too much to do. */
bool pv_http_is_overload(int status);

/* Whether the host does not want us there; many in a row mean that it does
 * not want us at all. */
bool pv_http_is_blocked(int status);

#endif
