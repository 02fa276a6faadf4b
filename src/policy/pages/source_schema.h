#ifndef PAVANE_POLICY_PAGES_SOURCE_SCHEMA_H
#define PAVANE_POLICY_PAGES_SOURCE_SCHEMA_H

#include "base/json/json.h"

/* The JSON Schema of sources (source.h). */

/* What a source is to find. */
enum pv_source_use {
	PV_SOURCE_OF_ELEMENTS, /* css, xpath or json */
	PV_SOURCE_OF_LINKS,    /* regex too */
	PV_SOURCE_OF_VALUES,   /* and meta, header and url */
};

/* Adds the keys to the members of a mapping, and to its terms what they have to
 * do with each other. */
void pv_source_schema(
    enum pv_source_use use, struct pv_json *members, struct pv_json *terms);

#endif
