#ifndef PAVANE_URL_BLOCKED_PORT_H
#define PAVANE_URL_BLOCKED_PORT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether browsers fetch nothing from that port, since it is another protocol's,
 * whose servers take a request for commands (Fetch Standard, 2.9: port
 * blocking). */
bool pv_port_is_blocked(uint16_t port);

#endif
