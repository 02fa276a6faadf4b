#ifndef PAVANE_HTTP_ENTITY_TAG_H
#define PAVANE_HTTP_ENTITY_TAG_H

#include "base/str.h"

/* An entity-tag (RFC 9110, 8.8.3): what a server calls this very version of
 * what it sent, and may be asked about. Nothing is made of it; it is given back
 * as it came, so it must be one. */
bool pv_entity_tag_is_right(struct pv_str text);

#endif
