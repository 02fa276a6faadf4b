#ifndef PAVANE_TESTS_SERVER_RESPOND_H
#define PAVANE_TESTS_SERVER_RESPOND_H

#include "server/server.h"
#include "server/stream.h"

/* From a request to the stream of its answer: the route, the function, or 404,
 * with what is to be expanded expanded. */

/* Counts the request, finds its answer and begins the stream with it; says
 * whether the connection ends after it. */
bool respond(struct server *server, struct server_request *request,
    struct stream *stream);

/* What a request gets that cannot be read. */
void respond_malformed(struct stream *stream);

#endif
