#include "fleet/clocks/gifts.h"

#include <stdlib.h>

#include "base/array.h"

struct pv_gift *pv_gift_create(int64_t worker)
{
	struct pv_gift *gift = pv_alloc(sizeof(*gift));
	*gift = (struct pv_gift){.worker = worker};
	return gift;
}

void pv_gift_destroy(struct pv_gift *gift)
{
	pv_gift_names_clear(&gift->clocks);
	pv_gift_names_clear(&gift->addresses);
	pv_gift_names_clear(&gift->hosts);
	free(gift);
}

void pv_gift_names_add(struct pv_gift_names *names, struct pv_str text)
{
	char *copy = pv_alloc(text.len + 1);
	memcpy(copy, pv_str_bytes(text), text.len);
	*PV_ARRAY_PUSH(names->owned, names->owned_count, names->owned_size) =
	    copy;
	*PV_ARRAY_PUSH(names->items, names->count, names->size) =
	    (struct pv_str){copy, text.len};
}

void pv_gift_names_clear(struct pv_gift_names *names)
{
	for (size_t i = 0; i < names->owned_count; i++)
		free(names->owned[i]);
	free(names->owned);
	free(names->items);
	*names = (struct pv_gift_names){.count = 0};
}
