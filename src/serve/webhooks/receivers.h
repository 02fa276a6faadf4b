#ifndef PAVANE_SERVE_WEBHOOKS_RECEIVERS_H
#define PAVANE_SERVE_WEBHOOKS_RECEIVERS_H

#include "base/str.h"
#include "serve/config/webhook_table.h"

/* The webhooks that the configuration has, or once had, and what came of them. When
 * it is read again each keeps its number, by its name, and new ones come behind. */
struct pv_webhook_receiver {
	char *name;
	const struct pv_webhook *webhook; /* NULL: it is there no more */
	uint32_t in_flight;
	bool is_failing; /* its last answer was none, or no good one */
	uint64_t delivered;
	uint64_t failed;
	uint64_t ended;
	size_t fetch_count;  /* of its deliveries of fetches, in memory */
	uint64_t last_fetch; /* that came there: the number of its delivery */
};

struct pv_webhook_receivers {
	struct pv_webhook_receiver *items;
	size_t count;
	size_t size;
};

/* What the configuration has now; the table outlives that. From none at first. */
void pv_webhook_receivers_change(struct pv_webhook_receivers *receivers,
    const struct pv_webhook_table *table);
void pv_webhook_receivers_finish(struct pv_webhook_receivers *receivers);

/* Whether the configuration has it; its number. */
bool pv_webhook_receivers_find(const struct pv_webhook_receivers *receivers,
    struct pv_str name, uint32_t *number);

#endif
