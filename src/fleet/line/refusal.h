#ifndef PAVANE_FLEET_LINE_REFUSAL_H
#define PAVANE_FLEET_LINE_REFUSAL_H

#include <libpq-fe.h>

#include "fleet/line/request.h"

/* What the server has refused, for who asked: the answer to a request has its
 * SQLSTATE, and its words as one line that is safe to print. Where a right is
 * missing, the line begins with which ones are needed.
 */
#define PV_FLEET_REFUSAL_MAX 4000

bool pv_fleet_refusal_is_of_rights(const char *sqlstate);
void pv_fleet_refusal_tell_rights(struct pv_buf *message);

/* The answer points into the message, which is the caller's. */
void pv_fleet_refusal_take(const PGresult *result,
    struct pv_fleet_answer *answer, struct pv_buf *message);

#endif
