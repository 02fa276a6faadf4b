#include "serve/fetches/reopening.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"

void pv_reopenings_finish(struct pv_reopenings *reopenings)
{
	for (size_t i = 0; i < reopenings->count; i++)
		free(reopenings->items[i].profile);
	free(reopenings->items);
	*reopenings = (struct pv_reopenings){.count = 0};
}

static struct pv_reopening *find(
    const struct pv_reopenings *reopenings, struct pv_str profile)
{
	for (size_t i = 0; i < reopenings->count; i++) {
		if (pv_str_equal(
			pv_str_of(reopenings->items[i].profile), profile))
			return &reopenings->items[i];
	}
	return NULL;
}

int64_t pv_reopening_wait(const struct pv_reopenings *reopenings,
    struct pv_str profile, int64_t now_ms)
{
	const struct pv_reopening *item = find(reopenings, profile);
	return item && item->next_ms > now_ms ? item->next_ms - now_ms : 0;
}

static struct pv_reopening *add(
    struct pv_reopenings *reopenings, struct pv_str profile, int64_t now_ms)
{
	struct pv_reopening *item = PV_ARRAY_PUSH(
	    reopenings->items, reopenings->count, reopenings->size);
	*item = (struct pv_reopening){.since_ms = now_ms};
	item->profile = pv_alloc(profile.len + 1);
	memcpy(item->profile, pv_str_bytes(profile), profile.len);
	return item;
}

bool pv_reopening_put_off(
    struct pv_reopenings *reopenings, struct pv_str profile, int64_t now_ms)
{
	struct pv_reopening *item = find(reopenings, profile);
	if (!item)
		item = add(reopenings, profile, now_ms);
	if (now_ms - item->since_ms >= PV_REOPENING_LASTING_MS) {
		pv_reopening_forget(reopenings, profile);
		return false;
	}
	item->wait_ms =
	    item->wait_ms ? item->wait_ms * 2 : PV_REOPENING_LEAST_MS;
	if (item->wait_ms > PV_REOPENING_MOST_MS)
		item->wait_ms = PV_REOPENING_MOST_MS;
	item->next_ms = now_ms + item->wait_ms;
	return true;
}

void pv_reopening_forget(
    struct pv_reopenings *reopenings, struct pv_str profile)
{
	struct pv_reopening *item = find(reopenings, profile);
	if (!item)
		return;
	free(item->profile);
	*item = reopenings->items[--reopenings->count];
}
