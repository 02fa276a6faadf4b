#ifndef PAVANE_POLICY_PAGES_FIELD_SCHEMA_H
#define PAVANE_POLICY_PAGES_FIELD_SCHEMA_H

#include "base/json/json.h"

/* The JSON Schema of fields (field.h). */
struct pv_json *pv_fields_schema(void);
struct pv_json *pv_each_schema(void);

/* Names of kinds or fields, at least one, with what stands behind each. */
struct pv_json *pv_names_schema(struct pv_json *value, int64_t most);

#endif
