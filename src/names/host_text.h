#ifndef PAVANE_NAMES_HOST_TEXT_H
#define PAVANE_NAMES_HOST_TEXT_H

#include "base/address.h"

/* A host as addresses of pages have it: what its text alone shows. */

/* Whether the host is an address itself: "192.0.2.1", "[2001:db8::1]". */
bool pv_host_text_as_address(struct pv_str host, struct pv_address *address);

/* What keeps a name from being asked for, in a sentence; NULL if nothing
 * does. */
const char *pv_host_text_fault(struct pv_str host);

#endif
