#ifndef PAVANE_CRAWL_MISHAP_H
#define PAVANE_CRAWL_MISHAP_H

#include "frontier/frontier.h"
#include "record/response.h"

/* What went wrong with a request, and whether another try may help: one table
 * says for each cause which it is and what it costs.
 *
 * What would go wrong again in the same way is not asked again: a certificate
 * that is for another name, an answer that is too large, a method that a server
 * does not know. All else is, and costs one of the address's fetch.retries and
 * one of the host's fetch.host_retries; but for what was our own fault, which
 * costs nobody anything, and for what the host itself asked us to come back
 * for, or what was cut off because of another answer, which costs nothing the
 * first times (crawl/aftermath.h).
 */
enum pv_mishap {
	PV_MISHAP_NONE,      /* it was answered, and would be so again */
	PV_MISHAP_OWN,       /* this machine was out of something */
	PV_MISHAP_BYSTANDER, /* another answer on its connection was to
				blame */
	PV_MISHAP_NO_NAME,
	PV_MISHAP_NO_CONNECTION, /* refused, no way there, closed within the
				    TLS handshake */
	PV_MISHAP_SLOW_CONNECTION,
	PV_MISHAP_TLS,
	PV_MISHAP_SLOW_TLS,
	PV_MISHAP_NO_ANSWER, /* closed or reset before the body */
	PV_MISHAP_SILENCE,   /* nothing came in time */
	PV_MISHAP_CUT_BODY,  /* broken off in the body */
	PV_MISHAP_SLOW_BODY, /* it stood still, or took longer than may be */
	PV_MISHAP_MISFIT,    /* the rest of a body does not fit: it is asked
				for whole */
	PV_MISHAP_NOT_HTTP,
	PV_MISHAP_TOO_LARGE,
	PV_MISHAP_NOT_ACCEPTED,
	PV_MISHAP_TRANSIENT, /* 408, 421, 425 */
	PV_MISHAP_BUSY,      /* 429, 503 without a word of when */
	PV_MISHAP_PUT_OFF,   /* 429, 503 with Retry-After */
	PV_MISHAP_SERVER,    /* 500, 502, 504 and any other 5xx */
	PV_MISHAP_NEVER,     /* 501, 505, 506, 508, 510, 511 */
	PV_MISHAP_COUNT,
};

enum pv_mishap pv_mishap_of(const struct pv_response *response);

/* What is to become of the visit, if it may cost that. */
enum pv_report_kind pv_mishap_next(enum pv_mishap mishap);

#endif
