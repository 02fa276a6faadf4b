#ifndef PAVANE_SERVE_ROUTES_DELIVERIES_H
#define PAVANE_SERVE_ROUTES_DELIVERIES_H

#include "serve/routes/route.h"

struct pv_json;

/* Adds how far the job was delivered to its webhook, if it has one. */
void pv_job_view_add_deliveries(struct pv_json *view,
    struct pv_service *service, const struct pv_job_record *job);

/* Whether a job is to be delivered again from its start, as the query says. False,
 * with a problem, if that is not right. */
bool pv_redeliver_read(const struct pv_exchange *exchange, bool *is_from_start,
    struct pv_reply *reply);

#endif
