#ifndef PAVANE_SERVE_WEBHOOKS_DESTINATIONS_H
#define PAVANE_SERVE_WEBHOOKS_DESTINATIONS_H

#include "policy/policy.h"
#include "policy/values/private_list.h"
#include "serve/config/webhook_table.h"
#include "url/url.h"

/* Where the messages of each webhook go, and what is needed to reach it: its
 * address, and a policy that allows the private hosts which the webhook names.
 *
 * When the configuration is read again, a webhook keeps its number, by its name, and
 * new ones come behind. One that goes to another address gets another destination;
 * the one that it had stays for what is under way, of which threads of requests may
 * read, until all are released. */
struct pv_names;

struct pv_webhook_destination {
	struct pv_webhook_destination *next; /* of all that there ever were */
	const struct pv_webhook *webhook;    /* that it was made of; NULL: it is
						in the table no more */
	char *name;
	struct pv_url url;
	struct pv_private_list allowed;
	struct pv_policy policy; /* that of all, which lends it those hosts */
	struct pv_names *names;  /* the sender's; NULL: nothing was sent yet */
};

struct pv_webhook_destinations {
	struct pv_policy owner; /* names no hosts */
	struct pv_policy policy;
	struct pv_webhook_destination **items; /* by number */
	size_t count;
	size_t size;
	struct pv_webhook_destination *all;
};

/* None yet. The policy outlives them. They stay where they are. */
void pv_webhook_destinations_init(
    struct pv_webhook_destinations *destinations, const struct pv_policy *base);

/* The table outlives the next change. */
void pv_webhook_destinations_change(
    struct pv_webhook_destinations *destinations,
    const struct pv_webhook_table *table);

/* The names have been destroyed before. */
void pv_webhook_destinations_finish(
    struct pv_webhook_destinations *destinations);

#endif
