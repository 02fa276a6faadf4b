#ifndef PAVANE_FLEET_LINE_FIELD_H
#define PAVANE_FLEET_LINE_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/reader.h"

/* One field of a row that the server sent, in the binary form of its type.
 *
 * It comes from the net, so that what is asked for is only given if type and
 * length agree with it. The bytes are borrowed from the results.
 */
struct pv_fleet_field {
	uint32_t oid; /* of its type, as the server says */
	bool is_null;
	struct pv_str bytes;
};

/* Each is false, with nothing written, if the field is NULL, or is not what is
 * asked for. */
bool pv_fleet_field_bool(struct pv_fleet_field field, bool *flag);

/* Of int2, int4 or int8. */
bool pv_fleet_field_number(struct pv_fleet_field field, int64_t *number);

/* Of text, varchar, name or bytea: as many bytes as there are, borrowed. */
bool pv_fleet_field_text(struct pv_fleet_field field, struct pv_str *text);

/* The items of an array with one dimension, one after another. */
struct pv_fleet_array {
	struct pv_reader reader;
	uint32_t oid;   /* of its items */
	uint32_t count; /* of those that are left */
};

/* False if it is no array of these types, or has more dimensions than one. What
 * is empty has no items. */
bool pv_fleet_field_array(
    struct pv_fleet_field field, struct pv_fleet_array *array);

/* False at the end, and where the bytes are not what the array promised: then
 * `count` is not 0. */
bool pv_fleet_array_next(
    struct pv_fleet_array *array, struct pv_fleet_field *item);

#endif
