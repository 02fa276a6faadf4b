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

/* All but the line of a verdict, of which nothing depends. */
static uint64_t pack(const struct pv_standing *standing)
{
	return (uint64_t)1 << 63 | (uint64_t)standing->use << 60 |
	       (uint64_t)(standing->verdict.reason & 0xff) << 46 |
	       (uint64_t)standing->depth << 31 |
	       (uint64_t)standing->depth_left << 16 |
	       (uint64_t)standing->hops << 8 | standing->redirects;
}

static struct pv_standing unpack(uint64_t packed)
{
	return (struct pv_standing){
	    .use = (enum pv_address_use)(packed >> 60 & 7),
	    .verdict.reason = (enum pv_reason)(packed >> 46 & 0xff),
	    .depth = packed >> 31 & 0x7fff,
	    .depth_left = packed >> 16 & 0x7fff,
	    .hops = packed >> 8 & 0xff,
	    .redirects = packed & 0xff,
	};
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
