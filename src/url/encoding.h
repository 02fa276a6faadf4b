#ifndef PAVANE_URL_ENCODING_H
#define PAVANE_URL_ENCODING_H

#include "base/str.h"

/* The encodings of the web and the labels under which pages name them
 * (https://encoding.spec.whatwg.org/#names-and-labels). */
struct pv_encoding {
	const char *name;   /* as the standard writes it, in small letters */
	const char *iconv;  /* as iconv calls it; NULL if it has none */
	const char *labels; /* all of them, between spaces */
};

/* The encoding that a label means, ignoring case and the white space around it;
 * NULL if the standard knows none. */
const struct pv_encoding *pv_encoding_find(struct pv_str label);

#endif
