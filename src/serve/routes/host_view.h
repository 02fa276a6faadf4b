#ifndef PAVANE_SERVE_ROUTES_HOST_VIEW_H
#define PAVANE_SERVE_ROUTES_HOST_VIEW_H

#include "serve/jobs/job_hosts.h"

/* A host as callers see it, in one job: what it waits for, each clock and whose
 * wish it is, its robots.txt, and what it has seen of us. */
struct pv_json;
struct pv_json *pv_host_view_in_job(
    struct pv_str name, const struct pv_job_host *host, int64_t now_ms);

/* How it is paused for all jobs. */
struct pv_json *pv_host_view_pause(const struct pv_paused_host *host);

#endif
