#ifndef PAVANE_PARSE_ENTITY_H
#define PAVANE_PARSE_ENTITY_H

#include <stdint.h>

#include "base/reader.h"

/* Character references as they are read in the value of an attribute: named
 * ("&amp;"), decimal ("&#38;") and hexadecimal ("&#x26;")
 * (https://html.spec.whatwg.org/#character-reference-state).
 */
struct pv_entity {
	int32_t first;
	int32_t second; /* a few names stand for two characters; else -1 */
};

/* Takes the reference that begins at the reader's "&". Where none begins, the
 * "&" itself is taken and given. */
struct pv_entity pv_entity_take(struct pv_reader *reader);

#endif
