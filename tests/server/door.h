#ifndef PAVANE_TESTS_SERVER_DOOR_H
#define PAVANE_TESTS_SERVER_DOOR_H

#include "server/server.h"

/* Which door of the plan a connection comes through: the first whose glob its
 * address fits, and that has not been used as often as it may be. */

/* Counts its use. NULL if there is none. */
const struct server_door *door_find(
    struct server *server, const struct pv_address *address);

#endif
