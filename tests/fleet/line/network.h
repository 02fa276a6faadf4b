#ifndef PAVANE_TESTS_FLEET_LINE_NETWORK_H
#define PAVANE_TESTS_FLEET_LINE_NETWORK_H

#include <stdbool.h>
#include <sys/types.h>

/* Another machine's network, as far as Linux tells networks of one machine apart
 * (network_namespaces(7)), with a cable from the test's own to it. Where that is
 * unplugged packets vanish, and neither side is told. It is gone with the test.
 */

/* Addresses for documentation (RFC 5737), which nobody has. */
#define NETWORK_ADDRESS "192.0.2.2" /* of the other one's end of the cable */

/* Takes this process, and what it starts from then on, to a network of its own that
 * has loopback alone, before it starts a thread: the word for tap_skip_all if that
 * cannot be, or NULL. */
const char *network_enter(void);

/* The process that keeps another one, 0 if it cannot be had. */
pid_t network_make(void);
void network_remove(pid_t network);

/* Takes the calling process to it. */
bool network_move(pid_t network);

bool network_unplug(pid_t network);
bool network_plug(pid_t network);

#endif
