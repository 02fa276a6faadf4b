#include "frontier/sqlite/recent.h"

#include "base/alloc.h"
#include "base/system.h"

/* One thread writes a slot while others read it: what they see of two different
 * links gives a fingerprint that nobody asks for. */
struct pv_recent_slot {
	atomic_uint_least64_t check;    /* the fingerprint, xor the standing */
	atomic_uint_least64_t standing; /* packed; 0 is an empty slot */
};

/* So many slots are used at first. */
#define FIRST_COUNT ((size_t)1 << 12)

void pv_recent_init(struct pv_recent *recent, size_t count)
{
	size_t first = count < FIRST_COUNT ? count : FIRST_COUNT;
	recent->slots = pv_alloc_pages(count, sizeof(*recent->slots));
	recent->count = count;
	recent->limit = count;
	recent->used = 0;
	atomic_init(&recent->mask, first - 1);
}

void pv_recent_finish(struct pv_recent *recent)
{
	pv_free_pages(recent->slots, recent->count, sizeof(*recent->slots));
	recent->slots = NULL;
}

_Static_assert(PV_REASON_COUNT <= 0x40, "a reason has six bits");

/* What is refused has a reason, and a page its lists: six bits. */
static uint64_t pack_rest(const struct pv_standing *standing)
{
	if (standing->use != PV_PAGE)
		return standing->verdict.reason & 0x3f;
	return pv_listing_pack(standing) & 0x3f;
}

/* As what it was found stands in the upper bits of the hops of what is refused,
 * of which more than fit are as good as these. */
#define FOUND_AS_SHIFT 6
#define REFUSED_HOPS_MAX (PV_HOPS_MAX >> (10 - FOUND_AS_SHIFT))

static uint64_t pack_hops(const struct pv_standing *standing)
{
	uint64_t hops = standing->hops & PV_HOPS_MAX;
	if (standing->use != PV_REFUSED)
		return hops;
	if (hops > REFUSED_HOPS_MAX)
		hops = REFUSED_HOPS_MAX;
	return (uint64_t)standing->found_as << FOUND_AS_SHIFT | hops;
}

/* All but the line of a verdict, on which nothing depends, and the kind of a
 * page: what is named as one is always news. */
static uint64_t pack(const struct pv_standing *standing)
{
	return (uint64_t)(standing->use + 1) << 62 | pack_rest(standing) << 56 |
	       (uint64_t)(standing->depth & PV_DEPTH_MAX) << 36 |
	       (uint64_t)(standing->depth_left & PV_DEPTH_MAX) << 16 |
	       pack_hops(standing) << 6 |
	       (standing->redirects & PV_REDIRECTS_MAX);
}

static struct pv_standing unpack(uint64_t packed)
{
	unsigned rest = packed >> 56 & 0x3f;
	unsigned hops = packed >> 6 & PV_HOPS_MAX;
	enum pv_address_use use = (enum pv_address_use)((packed >> 62) - 1);
	bool is_refused = use == PV_REFUSED;
	struct pv_standing standing = {
	    .use = use,
	    .depth = packed >> 36 & PV_DEPTH_MAX,
	    .depth_left = packed >> 16 & PV_DEPTH_MAX,
	    .hops = is_refused ? hops & REFUSED_HOPS_MAX : hops,
	    .redirects = packed & PV_REDIRECTS_MAX,
	    .found_as = is_refused ? hops >> FOUND_AS_SHIFT : 0,
	};
	if (standing.use == PV_PAGE)
		pv_listing_unpack(rest, &standing);
	else
		standing.verdict.reason = (enum pv_reason)rest;
	return standing;
}

static struct pv_recent_slot *slot_of(
    const struct pv_recent *recent, uint64_t address)
{
	size_t mask = atomic_load_explicit(&recent->mask, memory_order_relaxed);
	return &recent->slots[address & mask];
}

void pv_recent_expect(
    const struct pv_recent *recent, struct pv_fingerprint fingerprint)
{
	__builtin_prefetch(slot_of(recent, fingerprint.address), 1);
}

/* The packed standing of that link; 0 if it is not there. */
static uint64_t read_slot(struct pv_recent_slot *slot, uint64_t fingerprint)
{
	uint64_t standing =
	    atomic_load_explicit(&slot->standing, memory_order_relaxed);
	uint64_t check =
	    atomic_load_explicit(&slot->check, memory_order_relaxed);
	return (check ^ standing) == fingerprint ? standing : 0;
}

static void write_slot(
    struct pv_recent_slot *slot, uint64_t fingerprint, uint64_t standing)
{
	atomic_store_explicit(
	    &slot->check, fingerprint ^ standing, memory_order_relaxed);
	atomic_store_explicit(&slot->standing, standing, memory_order_relaxed);
}

/* Twice as many slots, in which each link has its place again. What stays where
 * it was is as true as before, should anybody still look there. */
static void grow(struct pv_recent *recent)
{
	size_t size = atomic_load(&recent->mask) + 1;
	for (size_t i = 0; i < size; i++) {
		uint64_t standing = atomic_load(&recent->slots[i].standing);
		uint64_t fingerprint =
		    atomic_load(&recent->slots[i].check) ^ standing;
		if (standing && (fingerprint & size))
			write_slot(
			    &recent->slots[i + size], fingerprint, standing);
	}
	atomic_store(&recent->mask, 2 * size - 1);
}

static void count_used(struct pv_recent *recent)
{
	size_t size = atomic_load(&recent->mask) + 1;
	if (++recent->used > size / 2 && size < recent->limit)
		grow(recent);
}

static size_t fitting(const struct pv_recent *recent, size_t bytes)
{
	size_t limit = FIRST_COUNT;
	while (limit < recent->count &&
	       limit <= bytes / (2 * sizeof(*recent->slots)))
		limit *= 2;
	return limit < recent->count ? limit : recent->count;
}

/* What stays is where it would be if there had never been more. Whoever still
 * looks where it was finds the same or nothing. */
void pv_recent_limit(struct pv_recent *recent, size_t bytes)
{
	size_t limit = fitting(recent, bytes);
	size_t size = atomic_load(&recent->mask) + 1;
	recent->limit = limit;
	if (size <= limit)
		return;
	atomic_store(&recent->mask, limit - 1);
	recent->used = limit;
	pv_memory_return(&recent->slots[limit],
	    (recent->count - limit) * sizeof(*recent->slots));
}

bool pv_recent_is_known(const struct pv_recent *recent,
    struct pv_fingerprint fingerprint, const struct pv_standing *standing)
{
	uint64_t address = fingerprint.address;
	uint64_t packed = read_slot(slot_of(recent, address), address);
	if (standing->kind)
		return false;
	uint64_t wanted = pack(standing);
	if (!packed || packed == wanted)
		return packed != 0;
	struct pv_standing known = unpack(packed);
	struct pv_standing found = unpack(wanted);
	return !pv_standing_join(&known, &found);
}

bool pv_recent_is_news(struct pv_recent *recent, const struct pv_link *link)
{
	uint64_t address = link->fingerprint.address;
	struct pv_recent_slot *slot = slot_of(recent, address);
	uint64_t packed = read_slot(slot, address);
	struct pv_standing found = unpack(pack(&link->standing));
	struct pv_standing known = packed ? unpack(packed) : found;
	bool is_stronger = pv_standing_join(&known, &found);
	if (!packed || is_stronger)
		write_slot(slot, address, pack(&known));
	if (!packed)
		count_used(recent);
	return !packed || is_stronger || link->lastmod_wall_ms ||
	       link->standing.kind || link->asks_anew;
}
