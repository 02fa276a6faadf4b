#ifndef PAVANE_SERVE_HTTP_LISTENING_H
#define PAVANE_SERVE_HTTP_LISTENING_H

#include <stdint.h>

#include "base/why.h"

/* The socket that requests come in by, and where it is.
 *
 * "127.0.0.1:7117" and "[::1]:0" are TCP; port 0 is one that the system
 * chooses. "unix:PATH" is a socket in the file system with mode 0660, which
 * goes when listening ends: a file that is a socket and that nobody listens on
 * is left from a service that was killed, and replaced; anything else stays.
 */
struct pv_listening {
	int socket;
	uint16_t port; /* 0: not TCP */
	char *path; /* of a socket in the file system; NULL: none to remove */
};

/* False, with the reason, if it cannot be. */
bool pv_listening_open(
    struct pv_listening *listening, const char *where, struct pv_why *why);

/* Listens on a socket that is open already, as systemd hands it on; it is ours
 * from now on if this is true. */
bool pv_listening_take(
    struct pv_listening *listening, int socket, struct pv_why *why);

/* Whether other machines may reach a socket. */
bool pv_socket_is_open_to_others(int socket);

void pv_listening_close(struct pv_listening *listening);

#endif
