#ifndef PAVANE_FETCH_FRAMING_H
#define PAVANE_FETCH_FRAMING_H

#include <stdint.h>

#include "http/headers.h"
#include "record/response.h"

/* How the end of a body is found, read from the headers before it (RFC 9112,
 * 6.3).
 *
 * A receiver that reads a message as longer or shorter than its sender meant
 * takes part of it for something else, so what can be read in two ways is
 * refused. A Transfer-Encoding beside a Content-Length wins, but then the
 * connection is not to be trusted with another request.
 */
#define PV_LENGTH_UNKNOWN UINT64_MAX

struct pv_framing_plan {
	enum pv_framing framing;
	uint64_t length; /* of the body; or PV_LENGTH_UNKNOWN */
	bool is_last;    /* the connection is to be closed after it */
};

/* Reads the framing of a final response. Gives NULL, or what is wrong with
 * it. */
const char *pv_framing_read(
    const struct pv_response *response, struct pv_framing_plan *plan);

/* Whether the header decides about the framing, so that it may neither be
 * folded nor be left out for its form. */
bool pv_framing_is_header(struct pv_str name);

#endif
