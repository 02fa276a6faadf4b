#ifndef PAVANE_URL_REFERENCE_H
#define PAVANE_URL_REFERENCE_H

#include "base/buf.h"

/* The text of a link, cut into its pieces before anybody knows what they
 * mean. */
struct pv_reference {
	enum pv_scheme {
		PV_SCHEME_NONE,
		PV_SCHEME_HTTP,
		PV_SCHEME_HTTPS,
		PV_SCHEME_FOREIGN,
	} scheme;
	struct pv_str front;    /* what lies between scheme and query */
	struct pv_str query;    /* after its mark; ptr NULL if it has none */
	struct pv_str fragment; /* after its mark; ptr NULL if it has none */
};

/* The text as a link means it: without spaces and controls around it, and
 * without tabs and line ends in it. Where there are such, what is left is in
 * `scratch`, as far as that may grow. */
struct pv_str pv_reference_clean(struct pv_str text, struct pv_buf *scratch);

/* Cuts a clean text. */
struct pv_reference pv_reference_cut(struct pv_str text);

#endif
