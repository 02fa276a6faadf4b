#ifndef PAVANE_POLICY_SECRET_H
#define PAVANE_POLICY_SECRET_H

#include "base/str.h"
#include "policy/texts.h"

/* Headers that say something in confidence: they go to the origins that the
 * person named and to nobody else, and are written down nowhere. */
bool pv_header_is_secret(struct pv_str name);

/* Whether there is any among these. */
bool pv_headers_have_secret(const struct pv_pairs *headers);

#endif
