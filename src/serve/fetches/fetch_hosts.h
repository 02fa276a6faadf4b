#ifndef PAVANE_SERVE_FETCHES_FETCH_HOSTS_H
#define PAVANE_SERVE_FETCHES_FETCH_HOSTS_H

#include "serve/fetches/fetches.h"
#include "serve/jobs/job_hosts.h"

/* The hosts of the crawls of profiles, as of jobs (serve/jobs/job_hosts.h), under the
 * name "fetches/PROFILE". Since such a crawl is told the addresses of all owners,
 * they are for who may see those of all. From any thread. */
void pv_fetches_each_host(
    struct pv_fetches *fetches, pv_job_host_fn fn, void *ctx);
void pv_fetches_look_host(
    struct pv_fetches *fetches, const char *name, pv_job_look_fn fn, void *ctx);

#endif
