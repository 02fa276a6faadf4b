#ifndef PAVANE_HTTP_CONTENT_RANGE_H
#define PAVANE_HTTP_CONTENT_RANGE_H

#include <stdint.h>

#include "base/str.h"

/* Which bytes of the whole an answer has, as its Content-Range says (RFC 9110,
 * 14.4). Of these hangs that nothing is put together that does not belong
 * together, so only what can be read in one way is read. */
#define PV_CONTENT_RANGE_UNKNOWN UINT64_MAX

struct pv_content_range {
	uint64_t first;
	uint64_t last;     /* not before the first */
	uint64_t complete; /* bytes of the whole, more than `last`; or
			      PV_CONTENT_RANGE_UNKNOWN */
};

/* False, with nothing changed, if it is none; if its unit is not bytes; or if
 * it says that the range that was asked for does not exist. */
bool pv_content_range_read(struct pv_str text, struct pv_content_range *range);

#endif
