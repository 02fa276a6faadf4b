#include "frontier/sqlite/parcels.h"

#include <stdlib.h>

#include "base/array.h"

struct pv_parcel_item {
	struct pv_parcel parcel; /* without its texts ... */
	size_t start;            /* ... which begin here */
};

void pv_parcels_init(struct pv_parcels *parcels, size_t text_ceiling)
{
	*parcels = (struct pv_parcels){.count = 0};
	pv_buf_init(&parcels->texts, text_ceiling);
}

void pv_parcels_finish(struct pv_parcels *parcels)
{
	free(parcels->items);
	pv_buf_finish(&parcels->texts);
}

bool pv_parcels_add(struct pv_parcels *parcels, const struct pv_parcel *parcel)
{
	size_t start = parcels->texts.len;
	if (!pv_buf_append(&parcels->texts, parcel->host) ||
	    !pv_buf_append(&parcels->texts, parcel->name) ||
	    !pv_buf_append(&parcels->texts, parcel->bytes)) {
		pv_buf_cut(&parcels->texts, start);
		return false;
	}
	*PV_ARRAY_PUSH(parcels->items, parcels->count, parcels->size) =
	    (struct pv_parcel_item){.parcel = *parcel, .start = start};
	return true;
}

struct pv_parcel pv_parcels_get(const struct pv_parcels *parcels, size_t number)
{
	const struct pv_parcel_item *item = &parcels->items[number];
	struct pv_parcel parcel = item->parcel;
	struct pv_str texts =
	    pv_str_from(pv_buf_str(&parcels->texts), item->start);
	parcel.host = pv_str_head(texts, parcel.host.len);
	texts = pv_str_from(texts, parcel.host.len);
	parcel.name = pv_str_head(texts, parcel.name.len);
	texts = pv_str_from(texts, parcel.name.len);
	parcel.bytes = pv_str_head(texts, parcel.bytes.len);
	return parcel;
}
