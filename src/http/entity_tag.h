#ifndef PAVANE_HTTP_ENTITY_TAG_H
#define PAVANE_HTTP_ENTITY_TAG_H

#include "base/str.h"

/* An entity-tag (RFC 9110, 8.8.3): what a server calls this very version of
 * what it sent, and may be asked about. Nothing is made of it; it is given back
 * as it came, so it must be one. */
bool pv_entity_tag_is_right(struct pv_str text);

/* Whether it is one, and stands for these very bytes (8.8.1): a weak one says
 * only that what it is about means the same. */
bool pv_entity_tag_is_strong(struct pv_str text);

#endif
