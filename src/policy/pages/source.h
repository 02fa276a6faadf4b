#ifndef PAVANE_POLICY_PAGES_SOURCE_H
#define PAVANE_POLICY_PAGES_SOURCE_H

#include "policy/document/members.h"
#include "policy/pages.h"

/* Where a value, a record or a link is to be found, as a policy says it: css,
 * xpath, json (with in, of and after), regex, meta, header or url; regex also
 * behind any of the others. All is compiled here. */

/* For tables of keys: what pv_source_read reads where elements are wanted. */
#define PV_ELEMENT_KEYS                                               \
	{"css", NULL}, {"xpath", NULL}, {"json", NULL}, {"in", NULL}, \
	    {"of", NULL},                                             \
	{                                                             \
		"after", NULL                                         \
	}

/* And where values are. */
#define PV_SOURCE_KEYS                                                      \
	PV_ELEMENT_KEYS, {"regex", NULL}, {"meta", NULL}, {"header", NULL}, \
	{                                                                   \
		"url", NULL                                                 \
	}

/* How many keys of the mapping say where it is to be found. */
size_t pv_source_count(const struct pv_node *map);

/* Tells that it has not one of the keys, "css, xpath or json", but none or
 * several. Returns false. */
bool pv_source_fail_count(
    struct pv_reading *reading, const struct pv_node *map, const char *keys);

/* Reads the source among the members of a mapping, of which one says it; false
 * where a problem was told. Release it in any case. */
bool pv_source_read(struct pv_reading *reading, const struct pv_node *map,
    struct pv_source *source);

/* Reads a CSS selector that stands alone. */
bool pv_source_read_css(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *source);

/* Tells a problem that stands so many bytes into the node's text. Returns
 * false. */
bool pv_source_fail_at(struct pv_reading *reading, const struct pv_node *node,
    size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void pv_source_finish(struct pv_source *source);

#endif
