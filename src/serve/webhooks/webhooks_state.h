#ifndef PAVANE_SERVE_WEBHOOKS_WEBHOOKS_STATE_H
#define PAVANE_SERVE_WEBHOOKS_WEBHOOKS_STATE_H

#include <pthread.h>

#include "serve/webhooks/outstanding_job.h"
#include "serve/webhooks/receivers.h"
#include "serve/webhooks/webhooks.h"
#include "store/service/fetch_delivery_store.h"

/* What webhooks.c and delivering.c have in common. The mutex is held by who
 * calls. */

struct pv_webhooks {
	struct pv_webhooks_plan plan;

	pthread_mutex_t mutex; /* of all that follows */
	struct pv_webhook_store *store;
	int64_t opened_ms;                       /* when that was tried last */
	struct pv_fetch_delivery_store *fetches; /* NULL: not open */
	int64_t fetches_opened_ms;
	bool is_broken; /* and it was told that it failed */
	struct pv_named_table jobs;
	size_t first;    /* of them, in the next turn */
	bool has_others; /* webhooks: jobs on the disk may be theirs */
	struct pv_webhook_receivers receivers;
	uint64_t last_event; /* that was heard */
};

#endif
