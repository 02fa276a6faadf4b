#ifndef PAVANE_CRAWL_VISIT_FAILURE_H
#define PAVANE_CRAWL_VISIT_FAILURE_H

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
 * first times (crawl/visit/outcome.h).
 */
enum pv_visit_failure {
	PV_FAILURE_NONE,      /* it was answered, and would be so again */
	PV_FAILURE_OWN,       /* this machine was out of something */
	PV_FAILURE_BYSTANDER, /* another answer on its connection was to
				blame */
	PV_FAILURE_NO_NAME,
	PV_FAILURE_NO_CONNECTION, /* refused, no way there, closed within the
				    TLS handshake */
	PV_FAILURE_SLOW_CONNECTION,
	PV_FAILURE_TLS,
	PV_FAILURE_SLOW_TLS,
	PV_FAILURE_NO_ANSWER, /* closed or reset before the body */
	PV_FAILURE_SILENCE,   /* nothing came in time */
	PV_FAILURE_CUT_BODY,  /* broken off in the body */
	PV_FAILURE_SLOW_BODY, /* it stood still, or took longer than may be */
	PV_FAILURE_MISFIT,    /* the rest of a body does not fit: it is asked
				for whole */
	PV_FAILURE_NOT_HTTP,
	PV_FAILURE_TOO_LARGE,
	PV_FAILURE_NOT_ACCEPTED,
	PV_FAILURE_TRANSIENT, /* 408, 421, 425 */
	PV_FAILURE_BUSY,      /* 429, 503 without a word of when */
	PV_FAILURE_PUT_OFF,   /* 429, 503 with Retry-After */
	PV_FAILURE_SERVER,    /* 500, 502, 504 and any other 5xx */
	PV_FAILURE_NEVER,     /* 501, 505, 506, 508, 510, 511 */
	PV_FAILURE_COUNT,
};

enum pv_visit_failure pv_visit_failure_of(const struct pv_response *response);

/* What is to become of the visit, if it may cost that. */
enum pv_report_kind pv_visit_failure_next(enum pv_visit_failure failure);

#endif
