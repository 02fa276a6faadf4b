#ifndef PAVANE_STORE_SERVICE_PAUSED_HOSTS_H
#define PAVANE_STORE_SERVICE_PAUSED_HOSTS_H

#include "store/service/job_store.h"

/* The hosts that a service has paused for all its jobs, in jobs.db.
 *
 * Each change is a transaction, on the disk when the function returns. */
struct pv_paused_host {
	struct pv_str name; /* as crawls know it */
	int64_t since_ms;
	int64_t until_ms;     /* INT64_MAX: until it is resumed */
	struct pv_str reason; /* "" for none */
	struct pv_str by;     /* whose token it was; "" where there are none */
};

/* Notes a pause, in the place of one that there is. */
bool pv_paused_hosts_put(
    struct pv_job_store *store, const struct pv_paused_host *host);

/* False if it was not paused, or that cannot be written. */
bool pv_paused_hosts_remove(struct pv_job_store *store, struct pv_str name);

/* By their names, until the function returns false. Texts are borrowed for the
 * call. */
typedef bool (*pv_paused_host_fn)(void *ctx, const struct pv_paused_host *host);
void pv_paused_hosts_each(
    struct pv_job_store *store, pv_paused_host_fn fn, void *ctx);

/* Forgets those that are over by then. */
void pv_paused_hosts_tidy(struct pv_job_store *store, int64_t now_ms);

#endif
