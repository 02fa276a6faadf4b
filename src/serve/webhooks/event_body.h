#ifndef PAVANE_SERVE_WEBHOOKS_EVENT_BODY_H
#define PAVANE_SERVE_WEBHOOKS_EVENT_BODY_H

#include "store/service/fetch_record.h"
#include "store/service/webhook_store.h"

/* The bodies of deliveries: JSON with a type, a time and data, as Standard
 * Webhooks recommends it. The same delivery has the same body in each try. */

/* {"type":"job.finished","timestamp":...,"data":{"id","state","labels","end"}} */
void pv_webhook_write_state(const struct pv_webhook_job_record *job,
    const struct pv_webhook_event *event, struct pv_buf *body);

struct pv_webhook_results {
	struct pv_str of;    /* "journal", or a kind of pages */
	struct pv_str lines; /* JSON each, with their ends */
	uint64_t until;      /* where they end in their file */
	int64_t made_ms;
};

/* {"type":"job.results","timestamp":...,"data":{"id","labels","of","lines",
 * "cursor"}}, whose cursor is that of the lines behind them. */
void pv_webhook_write_results(const struct pv_webhook_job_record *job,
    const struct pv_webhook_results *results, struct pv_buf *body);

/* {"type":"fetch.done","timestamp":...,"data":...}, with what a reply says of it,
 * but rows only as far as they take no more than PV_WEBHOOK_ROWS_MOST bytes. */
#define PV_WEBHOOK_ROWS_MOST ((size_t)64 << 10)

void pv_webhook_write_fetch(const struct pv_fetch *fetch, struct pv_buf *body);

#endif
