#ifndef PAVANE_POLICY_PAGES_PRESET_H
#define PAVANE_POLICY_PAGES_PRESET_H

#include "policy/document/reading.h"
#include "policy/pages.h"

/* What the default of a date is, as a regular expression (PCRE2, ECMA 262). */
#define PV_PRESET_DATE                             \
	"^[0-9]{4}-[0-9]{2}-[0-9]{2}"              \
	"(T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?" \
	"(Z|[+-][0-9]{2}:[0-9]{2}))?$"

/* The default of a field, as JSON of the field's type. NULL as node: there is
 * none. False where a problem was told. */
bool pv_preset_read(struct pv_reading *reading, const struct pv_node *node,
    struct pv_field *field);

#endif
