#ifndef PAVANE_TRAPS_QUERY_TRAPS_H
#define PAVANE_TRAPS_QUERY_TRAPS_H

#include "base/str.h"

/* Queries that grow from link to link, by their shape.
 *
 * A parameter is what stands between two ampersands, its bytes as they stand.
 * Each question costs time in proportion to the query, but for those that are
 * traps or very nearly so, and none depends on the order of the parameters.
 */

/* How many parameters there are, empty ones included. */
size_t pv_query_traps_parameters(struct pv_str query);

/* How often the parameter stands that stands most often, empty ones left
 * aside; 0 if that is at most `limit` times. */
size_t pv_query_traps_repeats(struct pv_str query, size_t limit);

/* How many times over what is escaped most deeply is: "%2525" or
 * "&amp;amp;name"; of a path with its query, and of the parameters of a
 * query. */
size_t pv_query_traps_escapes(struct pv_str target, struct pv_str query);

/* How often a query stands within itself, as in
 * "next=/login?next=/login%3Fnext%3D", known by the same name in front of it
 * within one value; 0 if that is at most `limit` times. */
size_t pv_query_traps_nesting(struct pv_str query, size_t limit);

#endif
