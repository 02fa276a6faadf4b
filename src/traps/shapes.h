#ifndef PAVANE_TRAPS_SHAPES_H
#define PAVANE_TRAPS_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/reader.h"
#include "base/str.h"

/* Addresses without end, by their shape: paths and queries that grow from link
 * to link. Each question costs time in proportion to the text, but for texts
 * that are traps or very nearly so.
 */

/* A segment of a path is what stands between two slashes, and may be empty; a
 * slash at the end begins none. */

/* How many segments a path has; it begins with a slash. */
size_t pv_path_traps_segments(struct pv_str path);

/* How often the segment stands that stands most often; 0 if that is at most
 * `limit` times. */
size_t pv_path_traps_repeats(struct pv_str path, size_t limit);

/* A parameter of a query is what stands between two ampersands, its bytes as
 * they stand. No answer depends on the order of the parameters. */

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

/* Takes the next part of what is left. False at the end. */
typedef bool (*pv_part_fn)(struct pv_reader *rest, struct pv_str *part);

/* How often the part stands that stands most often; 0 if that is at most
 * `limit` times. */
size_t pv_recurrence_find(struct pv_str text, pv_part_fn take, size_t limit);

/* One look at a path with its query, which tells of nearly every address that
 * there is no use in asking whether it is a trap of a query or of a calendar.
 */
struct pv_signs {
	uint32_t ampersands;
	uint32_t marks; /* '%', ';', and each '=' but a parameter's first:
			      nothing is escaped or nested more often */
	bool has_percent;
	bool has_year;   /* four digits in a row */
	bool has_number; /* two digits, or a minus, that begin a segment or a
			      value */
};

struct pv_signs pv_signs_of(struct pv_str target);

#endif
