#ifndef PAVANE_SERVE_ROUTES_OPENAPI_SCHEMAS_H
#define PAVANE_SERVE_ROUTES_OPENAPI_SCHEMAS_H

/* What requests and replies are made of: an object of JSON Schemas by the names that
 * the table of routes has. Further members of an answer are no change for those who
 * read it, so that only requests say that there are no others. */
extern const char pv_openapi_schemas[];

#endif
