#ifndef PAVANE_SERVE_ROUTES_DELIVERIES_H
#define PAVANE_SERVE_ROUTES_DELIVERIES_H

#include "serve/routes/route.h"

struct pv_json;

/* Adds how far the job was delivered to its webhook, if it has one. */
void pv_job_view_add_deliveries(struct pv_json *view,
    struct pv_service *service, const struct pv_job_record *job);

#endif
