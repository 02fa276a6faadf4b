#ifndef PAVANE_PARSE_REFRESH_H
#define PAVANE_PARSE_REFRESH_H

#include "parse/value.h"

/* Where `<meta http-equiv=refresh content="5; url=...">` or a header of that
 * name leads (https://html.spec.whatwg.org/#shared-declarative-refresh-steps).
 */

/* The address, a piece of the value; false if it is wrong or only asks for
 * the same page again. */
bool pv_refresh_read(struct pv_str value, struct pv_str *address);

#endif
