#include "frontier/recent.h"

#include <stdlib.h>

#include "base/alloc.h"

struct pv_recent_slot {
	uint64_t fingerprint;
	uint64_t standing; /* packed; 0 is an empty slot */
};

void pv_recent_init(struct pv_recent *recent, size_t count)
{
	recent->count = count;
	recent->slots = pv_alloc_array(count, sizeof(*recent->slots));
}

void pv_recent_finish(struct pv_recent *recent)
{
	free(recent->slots);
	*recent = (struct pv_recent){0};
}

_Static_assert(PV_REASON_COUNT <= 0x40, "a reason has six bits");

/* All but the line of a verdict, on which nothing depends. */
static uint64_t pack(const struct pv_standing *standing)
{
	return (uint64_t)(standing->use + 1) << 62 |
	       (uint64_t)(standing->verdict.reason & 0x3f) << 56 |
	       (uint64_t)(standing->depth & PV_DEPTH_MAX) << 36 |
	       (uint64_t)(standing->depth_left & PV_DEPTH_MAX) << 16 |
	       (standing->hops & PV_HOPS_MAX) << 6 |
	       (standing->redirects & PV_REDIRECTS_MAX);
}

static struct pv_standing unpack(uint64_t packed)
{
	return (struct pv_standing){
	    .use = (enum pv_address_use)((packed >> 62) - 1),
	    .verdict.reason = (enum pv_reason)(packed >> 56 & 0x3f),
	    .depth = packed >> 36 & PV_DEPTH_MAX,
	    .depth_left = packed >> 16 & PV_DEPTH_MAX,
	    .hops = packed >> 6 & PV_HOPS_MAX,
	    .redirects = packed & PV_REDIRECTS_MAX,
	};
}

void pv_recent_expect(const struct pv_recent *recent, uint64_t fingerprint)
{
	__builtin_prefetch(
	    &recent->slots[fingerprint & (recent->count - 1)], 1);
}

bool pv_recent_is_news(struct pv_recent *recent, const struct pv_link *link)
{
	struct pv_recent_slot *slot =
	    &recent->slots[link->fingerprint & (recent->count - 1)];
	struct pv_standing found = unpack(pack(&link->standing));
	bool is_known =
	    slot->standing && slot->fingerprint == link->fingerprint;
	struct pv_standing known = is_known ? unpack(slot->standing) : found;
	bool is_stronger = pv_standing_join(&known, &found);
	slot->fingerprint = link->fingerprint;
	slot->standing = pack(&known);
	return !is_known || is_stronger;
}
