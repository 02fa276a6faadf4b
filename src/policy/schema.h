#ifndef PAVANE_POLICY_SCHEMA_H
#define PAVANE_POLICY_SCHEMA_H

#include "base/json/json.h"

struct pv_names;

/* The JSON Schema (draft 7) of a policy, for editors and validators. It
 * accepts every policy that the loader accepts, and refuses most mistakes; what
 * needs two values to see, or the parts of a text, only the loader refuses. */
struct pv_json *pv_schema(void);

/* The same of what another table of options describes. */
struct pv_json *pv_schema_of_names(
    const struct pv_names *names, const char *title);

/* The same as a part of a schema. */
struct pv_json *pv_schema_of_fields(const struct pv_names *names);

/* The part of it for the domain table. */
struct pv_json *pv_schema_of_domains(void);

#endif
