#include "serve/webhooks/destinations.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "names/names.h"
#include "serve/webhooks/sender.h"

/* Policies: no part of them is owned but where it is said. */

static struct pv_policy make_owner(const struct pv_policy *base)
{
	struct pv_policy owner = *base;
	pv_domains_init(&owner.domains);
	owner.seeds.count = 0;
	owner.owner = NULL;
	owner.lent = NULL;
	return owner;
}

/* What a person has set for the pages of crawls is not for programs. */
static struct pv_policy make_policy(const struct pv_policy *owner)
{
	struct pv_policy policy = *owner;
	struct pv_fetch_policy *fetch = &policy.fetch;
	fetch->timeout.connect_ms = PV_WEBHOOK_TIMEOUT_MS;
	fetch->timeout.first_byte_ms = PV_WEBHOOK_TIMEOUT_MS;
	fetch->timeout.stall_ms = PV_WEBHOOK_TIMEOUT_MS;
	fetch->timeout.total_ms = PV_WEBHOOK_TIMEOUT_MS;
	fetch->accept = (struct pv_texts){0};
	fetch->headers = (struct pv_pairs){0};
	fetch->resolve = (struct pv_pairs){0};
	fetch->cookies = false;
	fetch->cookie_file = NULL;
	fetch->http2 = false;
	fetch->private = PV_PRIVATE_NAMED;
	policy.rate.bandwidth = PV_NONE;
	policy.owner = owner;
	return policy;
}

static struct pv_webhook_destination *create_destination(
    struct pv_webhook_destinations *destinations,
    const struct pv_webhook *webhook)
{
	struct pv_webhook_destination *destination =
	    pv_alloc(sizeof(*destination));
	size_t size = strlen(webhook->name) + 1;
	destination->next = destinations->all;
	destinations->all = destination;
	destination->webhook = webhook;
	destination->name = memcpy(pv_alloc(size), webhook->name, size);
	pv_url_init(&destination->url, SIZE_MAX);
	pv_url_parse(&destination->url, pv_str_of(webhook->url));
	pv_private_list_init(&destination->allowed);
	for (size_t i = 0; i < webhook->allow.count; i++)
		pv_private_list_add(
		    &destination->allowed, pv_str_of(webhook->allow.items[i]));
	destination->policy = destinations->policy;
	destination->policy.lent = &destination->allowed;
	return destination;
}

static void add_destination(struct pv_webhook_destinations *destinations,
    const struct pv_webhook *webhook)
{
	*PV_ARRAY_PUSH(destinations->items, destinations->count,
	    destinations->size) = create_destination(destinations, webhook);
}

/* Changes */

static bool are_same(const struct pv_texts *one, const struct pv_texts *other)
{
	bool are_same = one->count == other->count;
	for (size_t i = 0; i < one->count && are_same; i++)
		are_same = strcmp(one->items[i], other->items[i]) == 0;
	return are_same;
}

static void change(struct pv_webhook_destinations *destinations,
    struct pv_webhook_destination **place, const struct pv_webhook *webhook)
{
	const struct pv_webhook *before = (*place)->webhook;
	if (before && strcmp(before->url, webhook->url) == 0 &&
	    are_same(&before->allow, &webhook->allow))
		(*place)->webhook = webhook;
	else
		*place = create_destination(destinations, webhook);
}

static const struct pv_webhook *find_webhook(
    const struct pv_webhook_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++) {
		if (strcmp(table->items[i].name, name) == 0)
			return &table->items[i];
	}
	return NULL;
}

void pv_webhook_destinations_change(
    struct pv_webhook_destinations *destinations,
    const struct pv_webhook_table *table)
{
	size_t known = destinations->count;
	for (size_t i = 0; i < table->count; i++) {
		size_t place = 0;
		while (place < known && strcmp(destinations->items[place]->name,
					    table->items[i].name) != 0)
			place++;
		if (place == known)
			add_destination(destinations, &table->items[i]);
		else
			change(destinations, &destinations->items[place],
			    &table->items[i]);
	}
	for (size_t i = 0; i < known; i++) {
		if (!find_webhook(table, destinations->items[i]->name))
			destinations->items[i]->webhook = NULL;
	}
}

/* Life */

void pv_webhook_destinations_init(
    struct pv_webhook_destinations *destinations, const struct pv_policy *base)
{
	*destinations = (struct pv_webhook_destinations){.count = 0};
	destinations->owner = make_owner(base);
	destinations->policy = make_policy(&destinations->owner);
}

static void destroy(struct pv_webhook_destination *destination)
{
	pv_url_finish(&destination->url);
	pv_private_list_finish(&destination->allowed);
	free(destination->name);
	free(destination);
}

void pv_webhook_destinations_finish(
    struct pv_webhook_destinations *destinations)
{
	struct pv_webhook_destination *next;
	for (struct pv_webhook_destination *all = destinations->all; all;
	     all = next) {
		next = all->next;
		destroy(all);
	}
	pv_domains_finish(&destinations->owner.domains);
	free(destinations->items);
}
