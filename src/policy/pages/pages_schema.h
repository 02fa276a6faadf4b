#ifndef PAVANE_POLICY_PAGES_PAGES_SCHEMA_H
#define PAVANE_POLICY_PAGES_PAGES_SCHEMA_H

#include "base/json/json.h"

struct pv_option;

/* What may stand below `pages`, as JSON Schema. */
struct pv_json *pv_pages_schema(const struct pv_option *option);

#endif
