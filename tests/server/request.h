#ifndef PAVANE_TESTS_SERVER_REQUEST_H
#define PAVANE_TESTS_SERVER_REQUEST_H

#include "server/server.h"

/* Reading a request's head (RFC 9112, 2 and 3), strictly: it is our own client
 * that is tested. */
enum request_read {
	REQUEST_READ,
	REQUEST_UNFINISHED, /* more bytes are needed */
	REQUEST_MALFORMED,
};

/* Reads what stands at the front of the text, from which it borrows; `len` is
 * how long it is, with a body if it has one. */
enum request_read request_read(
    struct pv_str text, struct server_request *request, size_t *len);

#endif
