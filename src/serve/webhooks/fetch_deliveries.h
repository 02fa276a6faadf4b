#ifndef PAVANE_SERVE_WEBHOOKS_FETCH_DELIVERIES_H
#define PAVANE_SERVE_WEBHOOKS_FETCH_DELIVERIES_H

#include "serve/webhooks/webhooks_state.h"

/* Single addresses of whose end a webhook is to hear: each is held as a job of one
 * stream that has one delivery, and is kept in fetches.db instead of jobs.db, where
 * it is owed from the moment in which the fetch ends.
 *
 * Of each webhook only the first ones that are owed are in memory; others follow
 * when these have arrived. The mutex of the webhooks is held by who calls. */
#define PV_FETCH_DELIVERIES_MAX 256

/* Takes up those that are owed, as far as there is room. False if they cannot be
 * read now. */
bool pv_fetch_deliveries_load(struct pv_webhooks *webhooks, int64_t now);

/* Of webhooks that are not in the configuration any more none is in memory: should
 * they come back, all that is owed to them is taken up again. */
void pv_fetch_deliveries_forget(struct pv_webhooks *webhooks);

/* What the delivery says; false if that cannot be read. */
bool pv_fetch_deliveries_write(struct pv_webhooks *webhooks,
    struct pv_webhook_job *job, struct pv_buf *body);

/* Notes how far it is; that nobody owes it any more shows here, as for jobs. */
bool pv_fetch_deliveries_put(
    struct pv_webhooks *webhooks, const struct pv_webhook_stream *stream);

/* Nothing of it is owed any more; false if that could not be written. */
bool pv_fetch_deliveries_settle(
    struct pv_webhooks *webhooks, const struct pv_webhook_job *job);

/* Whether what is owed can be read and written. */
bool pv_fetch_deliveries_work(const struct pv_webhooks *webhooks);

/* How many a webhook is owed, those on the disk, too. */
uint64_t pv_fetch_deliveries_count(
    struct pv_webhooks *webhooks, const char *webhook);

#endif
