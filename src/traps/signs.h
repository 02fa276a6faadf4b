#ifndef PAVANE_TRAPS_SIGNS_H
#define PAVANE_TRAPS_SIGNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

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
