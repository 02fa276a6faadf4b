#ifndef PAVANE_SERVE_HTTP_ACCEPT_H
#define PAVANE_SERVE_HTTP_ACCEPT_H

#include <stddef.h>

#include "base/str.h"

/* Which of some forms of an answer a request wants most (RFC 9110, 12.5.1). */
struct pv_offer {
	const char *type;    /* "text/plain" */
	const char *version; /* of that form, as a request may say it; NULL */
};

/* The number of the offer that the Accept header ranks highest, the first of those
 * that are alike. What it says of a type counts for all its parameters but
 * `version`. 0 where there is no header (ptr is NULL), or none of the offers is
 * wanted: an answer in the wrong form says more than none. */
size_t pv_accept_choose(
    struct pv_str accept, const struct pv_offer *offers, size_t count);

#endif
