#ifndef PAVANE_TESTS_SERVER_EXCHANGE_H
#define PAVANE_TESTS_SERVER_EXCHANGE_H

#include <stdbool.h>

/* What is said over a connection: requests in, one after the other, and an
 * answer out for each, in the log from its first byte to its last. */
struct connection;

/* As far as it goes without waiting, and without keeping others waiting; the
 * connection may have ended then. */
void exchange_advance(struct connection *connection);

/* Sends what is to be sent. False if it has to wait, or the connection has
 * ended for it. */
bool exchange_flush(struct connection *connection);

#endif
