#ifndef PAVANE_SERVE_HTTP_VISIT_H
#define PAVANE_SERVE_HTTP_VISIT_H

#include <microhttpd.h>

#include "serve/http/http_server.h"

/* One request on its way through libmicrohttpd: what is kept of it between the
 * calls of that library, which are these functions. Their first argument is a
 * struct pv_visits. */
struct pv_visits {
	struct pv_http_plan plan;
	struct pv_connections *connections;
};

/* The first line has come. */
void *pv_visit_begin(
    void *ctx, const char *target, struct MHD_Connection *connection);

/* The head, a piece of the body, or the end of it has come. */
enum MHD_Result pv_visit_go_on(void *ctx, struct MHD_Connection *connection,
    const char *path, const char *method, const char *version,
    const char *bytes, size_t *len, void **visit);

/* It is over, however that came about. */
void pv_visit_end(void *ctx, struct MHD_Connection *connection, void **visit,
    enum MHD_RequestTerminationCode reason);

#endif
