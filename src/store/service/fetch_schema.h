#ifndef PAVANE_STORE_SERVICE_FETCH_SCHEMA_H
#define PAVANE_STORE_SERVICE_FETCH_SCHEMA_H

#include "store/schema.h"

/* The tables of fetches.db. A step that was released is never changed: what is new
 * is a further one. */
extern const struct pv_schema pv_fetch_schema;

#endif
