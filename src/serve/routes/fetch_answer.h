#ifndef PAVANE_SERVE_ROUTES_FETCH_ANSWER_H
#define PAVANE_SERVE_ROUTES_FETCH_ANSWER_H

#include "serve/routes/route.h"

/* Whether what was asked for of fetches is done; if not, the reply says why. */
bool pv_fetch_answer_is_done(struct pv_request *request,
    enum pv_fetches_answer answer, struct pv_reply *reply);

#endif
