#ifndef PAVANE_FLEET_LINE_REFUSAL_H
#define PAVANE_FLEET_LINE_REFUSAL_H

#include <libpq-fe.h>

#include "fleet/line/request.h"

/* What the server has refused, for who asked: the answer to a request has its
 * SQLSTATE, and its words as one line that is safe to print, which are the
 * caller's. */
#define PV_FLEET_REFUSAL_MAX 4000

void pv_fleet_refusal_take(const PGresult *result,
    struct pv_fleet_answer *answer, struct pv_buf *message);

#endif
