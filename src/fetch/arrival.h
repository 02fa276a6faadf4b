#ifndef PAVANE_FETCH_ARRIVAL_H
#define PAVANE_FETCH_ARRIVAL_H

#include "fetch/framing.h"
#include "policy/values/texts.h"

/* What comes in for one request, line by line and piece by piece, into its
 * response: with a ceiling for all that a server can make long, and an eye on
 * whether to read on at all.
 *
 * Interim responses (1xx) are passed over, and trailers too, but what they
 * weigh counts. A line that is no well-formed header is left out, unless the
 * framing of the body hangs on it.
 */
#define PV_ARRIVAL_HEAD_MAX ((uint64_t)256 * 1024)
#define PV_ARRIVAL_STATUS_LINE_MAX ((size_t)8192)
#define PV_ARRIVAL_INTERIM_MAX 8

struct pv_part;

struct pv_arrival {
	struct pv_response *response;
	const struct pv_texts *accept; /* NULL: a body of any type is read */
	bool is_beginning_enough;      /* a longer body is read up to its
					  ceiling, instead of not at all */
	bool is_conditional;           /* nothing was asked for, should it be
					  as it was */
	const struct pv_part *wanted;  /* whose rest was asked for; NULL: all
					  of it was */
	enum { PV_ARRIVAL_STATUS, PV_ARRIVAL_HEADERS, PV_ARRIVAL_BODY } part;
	unsigned interim;
	size_t trailers;
	struct pv_framing_plan plan; /* once the headers are there */
};

/* What the status line of the response under way says. */
struct pv_status_line {
	uint16_t status;
	uint8_t version; /* 10, 11 or 20 */
};

/* Takes a line of the head, or of the trailers, with its end. False if nothing
 * more is to be read: then the response says why. */
bool pv_arrival_add_line(struct pv_arrival *arrival, struct pv_str line,
    struct pv_status_line status);

/* Takes bytes of the body; false as above. */
bool pv_arrival_add_body(struct pv_arrival *arrival, struct pv_str bytes);

/* All of it has come; false as above. */
bool pv_arrival_end_body(struct pv_arrival *arrival);

#endif
