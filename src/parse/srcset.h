#ifndef PAVANE_PARSE_SRCSET_H
#define PAVANE_PARSE_SRCSET_H

#include "parse/value.h"

/* The images that a srcset attribute offers
 * (https://html.spec.whatwg.org/#parsing-a-srcset-attribute).
 *
 * It is read as it stands in the page, character references and all, so that
 * each address is known by its place. One whose descriptors are wrong is left
 * out, as browsers do.
 */
struct pv_srcset {
	struct pv_value_cursor cursor;
};

void pv_srcset_init(struct pv_srcset *srcset, struct pv_str value);

/* The next address, a piece of the value; false after the last. */
bool pv_srcset_next(struct pv_srcset *srcset, struct pv_str *address);

#endif
