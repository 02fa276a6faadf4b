#ifndef PAVANE_TESTS_SERVER_HOLE_H
#define PAVANE_TESTS_SERVER_HOLE_H

#include <stdbool.h>
#include <stdint.h>

/* Ports of this machine at which no server is: one that swallows whoever knocks
 * without a word, as a host that is gone does, and one that is shut. */
#define HOLE_FILLERS 8

struct hole {
	int listener;
	int fillers[HOLE_FILLERS]; /* which keep its queue full */
	uint16_t port;
};

/* At an address such as "127.0.0.2". Connecting to its port neither succeeds
 * nor fails until the hole is closed. False, with errno, if that cannot be
 * had. */
bool hole_open(struct hole *hole, const char *address);
void hole_close(struct hole *hole);

/* A port where connections are refused, at any address of the machine: it is
 * taken, so that nobody else listens there, until it is closed. */
struct shut_port {
	int socket;
	uint16_t port;
};

bool shut_port_open(struct shut_port *shut);

/* The port of a server that has stopped, until another starts there, which does
 * not have to wait for it to be closed. False, with errno, if somebody else has
 * it by now. */
bool shut_port_keep(struct shut_port *shut, uint16_t port);
void shut_port_close(struct shut_port *shut);

#endif
