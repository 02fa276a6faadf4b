#ifndef PAVANE_FETCH_ENDING_H
#define PAVANE_FETCH_ENDING_H

#include "record/response.h"

/* What came of a request, in a response: the outcome and a sentence for a
 * person, safe to print whatever it quotes.
 *
 * The first ending that is set counts: a body that was too large is why the
 * connection was broken off, and not the other way round.
 */
void pv_ending_set(struct pv_response *response, enum pv_outcome outcome,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same, where it is not the host's doing. */
void pv_ending_set_own(struct pv_response *response, enum pv_outcome outcome,
    const char *what, int error);

static inline bool pv_ending_is_set(const struct pv_response *response)
{
	return response->outcome != PV_OUTCOME_NONE;
}

/* How libcurl says that a transfer ended. */
struct pv_curl_ending {
	int code;           /* CURLcode */
	int error;          /* errno of the system call that failed, or 0 */
	long verify_result; /* of the certificate: X509_V_OK, or why not */
	const char *text;   /* libcurl's own words, maybe "" */
	bool has_head;      /* the headers came whole */

	/* By a proxy. */
	const char *proxy;   /* without a login; NULL for none */
	bool is_connected;   /* to the proxy, at least */
	bool is_proxy_tls;   /* it had to do with the proxy's certificate */
	long connect_status; /* what it answered to CONNECT, or 0 */
	long proxy_error;    /* CURLproxycode */
};

/* That the proxy could not be reached, or does not let us in, says nothing of
 * the host: it is our own fault, and noted as the proxy's. */
void pv_ending_set_proxy(struct pv_response *response, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Makes an outcome of it, if none is set yet. */
void pv_ending_set_curl(
    struct pv_response *response, const struct pv_curl_ending *ending);

/* Whether a system call failed for lack of something on this machine. */
bool pv_ending_is_own_error(int error);

#endif
