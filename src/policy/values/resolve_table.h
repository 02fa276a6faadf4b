#ifndef PAVANE_POLICY_VALUES_RESOLVE_TABLE_H
#define PAVANE_POLICY_VALUES_RESOLVE_TABLE_H

#include "base/address.h"
#include "policy/values/host_index.h"
#include "policy/values/texts.h"

/* Where something listens, as people write it: an address, with a port or
 * without: 127.0.0.1:8080, 127.0.0.1, ::1, [::1], [::1]:8080. */
struct pv_socket {
	struct pv_address address;
	uint16_t port; /* 0 where none is written */
};

/* False, with nothing changed, if it is written in another way. */
bool pv_socket_read(struct pv_str text, struct pv_socket *socket);

/* Where fetch.resolve says that hosts are to be found, asking nobody: the most
 * specific entry that a host matches decides. */
struct pv_resolve_table {
	struct pv_host_index index;
	struct pv_socket *sockets; /* an entry's, by number */
	struct pv_arena arena;
};

void pv_resolve_table_init(
    struct pv_resolve_table *table, const struct pv_pairs *resolve);
void pv_resolve_table_finish(struct pv_resolve_table *table);

/* What it says of a canonical host, which is an address itself or none (NULL);
 * NULL if it says nothing. */
const struct pv_socket *pv_resolve_table_get(
    const struct pv_resolve_table *table, struct pv_str host,
    const struct pv_address *address);

#endif
