#ifndef PAVANE_POLICY_VALUES_ZONE_H
#define PAVANE_POLICY_VALUES_ZONE_H

#include "base/str.h"

/* Time zones as a policy names them: local, UTC, +02:00, or a zone of the
 * system's zone files.
 *
 * NULL if there is such a zone; else a sentence, or "" if it is not even
 * written like one. */
const char *pv_zone_fault(struct pv_str text);

#endif
