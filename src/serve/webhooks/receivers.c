#include "serve/webhooks/receivers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"

static struct pv_webhook_receiver *find(
    const struct pv_webhook_receivers *receivers, struct pv_str name)
{
	for (size_t i = 0; i < receivers->count; i++) {
		if (pv_str_equal(pv_str_of(receivers->items[i].name), name))
			return &receivers->items[i];
	}
	return NULL;
}

static struct pv_webhook_receiver *take(
    struct pv_webhook_receivers *receivers, const char *name)
{
	struct pv_webhook_receiver *receiver = find(receivers, pv_str_of(name));
	if (receiver)
		return receiver;
	size_t size = strlen(name) + 1;
	receiver =
	    PV_ARRAY_PUSH(receivers->items, receivers->count, receivers->size);
	*receiver = (struct pv_webhook_receiver){.name = pv_alloc(size)};
	memcpy(receiver->name, name, size);
	return receiver;
}

void pv_webhook_receivers_change(struct pv_webhook_receivers *receivers,
    const struct pv_webhook_table *table)
{
	for (size_t i = 0; i < receivers->count; i++)
		receivers->items[i].webhook = NULL;
	for (size_t i = 0; i < table->count; i++)
		take(receivers, table->items[i].name)->webhook =
		    &table->items[i];
}

void pv_webhook_receivers_finish(struct pv_webhook_receivers *receivers)
{
	for (size_t i = 0; i < receivers->count; i++)
		free(receivers->items[i].name);
	free(receivers->items);
}

bool pv_webhook_receivers_find(const struct pv_webhook_receivers *receivers,
    struct pv_str name, uint32_t *number)
{
	const struct pv_webhook_receiver *receiver = find(receivers, name);
	if (!receiver || !receiver->webhook)
		return false;
	*number = (uint32_t)(receiver - receivers->items);
	return true;
}
