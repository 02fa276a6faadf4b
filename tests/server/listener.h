#ifndef PAVANE_TESTS_SERVER_LISTENER_H
#define PAVANE_TESTS_SERVER_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

#include "server/loop.h"

/* Where connections come in: one socket for each address of the plan, all at
 * one port, or one for all of 127.0.0.0/8. */
struct server;

struct listener {
	struct loop_watch watch;
	struct loop_time pause; /* while no more files can be opened */
	struct server *server;
	bool is_tls;
};

/* Opens a socket for each address at `*port`, or at any port that is free on
 * all of them, which is set. False, with errno, if that cannot be. */
bool listeners_open(struct server *server, bool is_tls, uint16_t *port);

/* When all are open, which do not move from then on. */
bool listeners_watch(struct server *server);
void listeners_close(struct server *server);

#endif
