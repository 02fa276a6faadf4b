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
	const char *proxy;  /* that leads there, without credentials; NULL
			       or "" for none */
	bool has_head;      /* the headers came whole */
};

/* Makes an outcome of it, if none is set yet. */
void pv_ending_set_curl(
    struct pv_response *response, const struct pv_curl_ending *ending);

/* Whether a system call failed for lack of something on this machine. */
bool pv_ending_is_own_error(int error);

#endif
