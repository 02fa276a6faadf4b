#ifndef PAVANE_POLICY_VALUES_SOCKET_H
#define PAVANE_POLICY_VALUES_SOCKET_H

#include "base/address.h"

/* Where something listens, as people write it: an address, with a port or
 * without: 127.0.0.1:8080, 127.0.0.1, ::1, [::1], [::1]:8080. */
struct pv_socket {
	struct pv_address address;
	uint16_t port; /* 0 where none is written */
};

/* False, with nothing changed, if it is written in another way. */
bool pv_socket_read(struct pv_str text, struct pv_socket *socket);

#endif
