#ifndef PAVANE_SERVE_OPENAPI_SCHEMAS_H
#define PAVANE_SERVE_OPENAPI_SCHEMAS_H

#include <stddef.h>

/* What requests and replies are made of: JSON Schemas, a file each, built into the
 * program under the names that the table of routes has. Further members of an answer
 * are no change for those who read it, so that only requests say that there are no
 * others. */
struct pv_openapi_schema {
	const char *name; /* "JobOrder" */
	const char *first;
	const char *text;
};

extern const struct pv_openapi_schema pv_openapi_schemas[];
extern const size_t pv_openapi_schema_count;

#endif
