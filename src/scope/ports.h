#ifndef PAVANE_SCOPE_PORTS_H
#define PAVANE_SCOPE_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "policy/policy.h"
#include "policy/values/resolve_table.h"
#include "url/url.h"

/* Ports that are other protocols' (pv_port_is_blocked): nobody is to lead us
 * there by a link or a redirect. Where a person named the authority among the
 * seeds, or the host in the domain table or in fetch.resolve, it is meant. */
struct pv_scope_ports {
	const struct pv_policy *policy; /* outlives it */
	struct pv_resolve_table resolve;
	struct pv_map seeds; /* "example.org:22" */
	struct pv_arena arena;
};

void pv_scope_ports_init(
    struct pv_scope_ports *ports, const struct pv_policy *policy);
void pv_scope_ports_finish(struct pv_scope_ports *ports);

/* Before anybody asks. */
void pv_scope_ports_add_seed(
    struct pv_scope_ports *ports, const struct pv_url *url);

/* Whether its port is blocked, and nobody named it. */
bool pv_scope_ports_refuse(
    const struct pv_scope_ports *ports, const struct pv_url *url);

/* Whether browsers fetch nothing from that port, since it is another
 * protocol's, whose servers take a request for commands (Fetch Standard, 2.9:
 * port blocking). */
bool pv_port_is_blocked(uint16_t port);

#endif
