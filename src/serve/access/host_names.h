#ifndef PAVANE_SERVE_ACCESS_HOST_NAMES_H
#define PAVANE_SERVE_ACCESS_HOST_NAMES_H

#include <stddef.h>

#include "base/str.h"

/* The names that the service is called by.
 *
 * A page of a stranger may give its own name our address (DNS rebinding); its
 * browser then asks us with that name in Host. So a name has to be one of ours:
 * the address that we listen on; where that is loopback, or a socket in the
 * file system, what this machine calls itself; where it is every address, any
 * address, which is no name; and those that the plan has.
 */
struct pv_host_names {
	const char *listen; /* as in struct pv_http_plan; NULL: unknown, which
			       is taken as every address */
	const char *const *others;
	size_t other_count;
};

/* Whether the host (with the brackets of IPv6, without a port) is one. */
bool pv_host_names_has(const struct pv_host_names *names, struct pv_str host);

/* Whether it is among those of the plan. */
bool pv_host_names_has_other(
    const struct pv_host_names *names, struct pv_str host);

#endif
