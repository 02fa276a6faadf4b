#ifndef PAVANE_TRAPS_RECURRENCE_H
#define PAVANE_TRAPS_RECURRENCE_H

#include "base/reader.h"

/* Which of a text's parts stands in it most often.
 *
 * This costs time in proportion to the text, but for texts in which a part
 * stands too often, or very nearly so.
 */

/* Takes the next part of what is left. False at the end. */
typedef bool (*pv_part_fn)(struct pv_reader *rest, struct pv_str *part);

/* How often the part stands that stands most often; 0 if that is at most
 * `limit` times. */
size_t pv_recurrence_find(struct pv_str text, pv_part_fn take, size_t limit);

#endif
