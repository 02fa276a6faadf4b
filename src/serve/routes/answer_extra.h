#ifndef PAVANE_SERVE_ROUTES_ANSWER_EXTRA_H
#define PAVANE_SERVE_ROUTES_ANSWER_EXTRA_H

#include "serve/routes/route.h"

/* What good answers have beside JSON and the status of their route, for
 * /openapi.json: a table, of which a test compares each row with what is answered. */
struct pv_answer_extra {
	enum pv_http_method method;
	const char *path;      /* of the route */
	const char *header;    /* NULL: none */
	unsigned other_status; /* that it may have as well; 0: none */
	const char *types[4];  /* of a body that is no JSON; ends with NULL */
};

/* NULL: there is nothing to say. */
const struct pv_answer_extra *pv_answer_extra_of(const struct pv_route *route);

#endif
