#ifndef PAVANE_SERVE_ROUTES_ANSWER_H
#define PAVANE_SERVE_ROUTES_ANSWER_H

#include "serve/routes/route.h"

/* What routes have in common when they answer. */

/* Whether the jobs have done what was asked; if not, the reply says why. */
bool pv_route_is_done(struct pv_request *request, enum pv_jobs_answer answer,
    struct pv_reply *reply);

/* A JSON value as the body, which is destroyed. */
struct pv_json;
void pv_route_give_json(struct pv_reply *reply, struct pv_json *value);

/* A file below the directory of a crawl, of those that callers may see, without
 * following links, and so that nothing in it runs; or a problem. */
void pv_route_give_file(struct pv_request *request, const char *directory,
    struct pv_str path, struct pv_reply *reply);

/* A time in milliseconds since 1970 as RFC 3339 writes it, in UTC. */
struct pv_json *pv_route_time(int64_t ms);

#endif
