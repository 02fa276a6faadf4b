#include "record/standing.h"

const char *pv_use_word(unsigned use)
{
	static const char *const words[PV_USE_COUNT] = {
	    [PV_REFUSED] = "refused",
	    [PV_RESOURCE] = "resource",
	    [PV_PAGE] = "page",
	};
	return use < PV_USE_COUNT ? words[use] : "unknown";
}

static uint32_t at_most(uint32_t number, uint32_t max)
{
	return number < max ? number : max;
}

void pv_standing_bound(struct pv_standing *standing)
{
	standing->depth = at_most(standing->depth, PV_DEPTH_MAX);
	standing->depth_left = at_most(standing->depth_left, PV_DEPTH_MAX);
	standing->hops = at_most(standing->hops, PV_HOPS_MAX);
	standing->redirects = at_most(standing->redirects, PV_REDIRECTS_MAX);
	if (standing->use != PV_PAGE) {
		standing->listing = PV_LISTS_NOTHING;
		standing->is_only_list = false;
	}
	if (standing->use != PV_PAGE || standing->depth)
		standing->is_entry = false;
	if (standing->use != PV_REFUSED)
		standing->found_as = 0;
	if (standing->use == PV_RESOURCE || standing->kind > PV_PAGE_KINDS_MAX)
		standing->kind = 0;
}

#define LISTING_MASK 3u
#define ONLY_LIST_BIT 4u
#define ENTRY_BIT 8u
#define FOUND_AS_SHIFT 4
#define FOUND_AS_MASK 15u
#define KIND_SHIFT 9
#define KIND_MASK 127u

_Static_assert(PV_PAGE_KINDS_MAX <= KIND_MASK, "a kind has seven bits");

unsigned pv_listing_pack(const struct pv_standing *standing)
{
	return (unsigned)standing->listing |
	       (standing->is_only_list ? ONLY_LIST_BIT : 0) |
	       (standing->is_entry ? ENTRY_BIT : 0) |
	       (standing->found_as & FOUND_AS_MASK) << FOUND_AS_SHIFT |
	       (standing->kind & KIND_MASK) << KIND_SHIFT;
}

void pv_listing_unpack(unsigned packed, struct pv_standing *standing)
{
	unsigned listing = packed & LISTING_MASK;
	standing->listing = listing < PV_LISTING_COUNT
				? (enum pv_listing)listing
				: PV_LISTS_NOTHING;
	standing->is_only_list = (packed & ONLY_LIST_BIT) != 0;
	standing->is_entry = (packed & ENTRY_BIT) != 0;
	standing->found_as = packed >> FOUND_AS_SHIFT & FOUND_AS_MASK;
	standing->kind = packed >> KIND_SHIFT & KIND_MASK;
}

static bool was_page(const struct pv_standing *standing)
{
	return (standing->found_as & PV_FOUND_AS_PAGE) != 0;
}

/* The refusal of a page, the one that is nearer to a seed, then the one with
 * the lower numbers: any total order will do, as long as it is one. */
static bool is_refused_better(
    const struct pv_standing *a, const struct pv_standing *b)
{
	if (was_page(a) != was_page(b))
		return was_page(a);
	if (a->depth != b->depth)
		return a->depth < b->depth;
	if (a->depth_left != b->depth_left)
		return a->depth_left > b->depth_left;
	if (a->hops != b->hops)
		return a->hops < b->hops;
	if (a->redirects != b->redirects)
		return a->redirects < b->redirects;
	if (a->verdict.reason != b->verdict.reason)
		return a->verdict.reason < b->verdict.reason;
	return a->verdict.line < b->verdict.line;
}

/* Seeds come before what only stands in a list of theirs. */
static bool is_nearer(const struct pv_standing *a, const struct pv_standing *b)
{
	if (a->depth != b->depth)
		return a->depth < b->depth;
	return !a->is_entry && b->is_entry;
}

static void join_admitted(
    struct pv_standing *known, const struct pv_standing *found)
{
	if (is_nearer(found, known)) {
		known->depth = found->depth;
		known->is_entry = found->is_entry;
	}
	if (found->depth_left > known->depth_left)
		known->depth_left = found->depth_left;
	if (found->hops < known->hops)
		known->hops = found->hops;
	if (found->redirects < known->redirects)
		known->redirects = found->redirects;
	if (found->listing > known->listing)
		known->listing = found->listing;
	known->is_only_list = known->is_only_list && found->is_only_list;
}

static void join_refused(
    struct pv_standing *known, const struct pv_standing *found)
{
	unsigned found_as = known->found_as | found->found_as;
	if (is_refused_better(found, known))
		*known = *found;
	known->found_as = found_as;
}

bool pv_standing_equal(const struct pv_standing *a, const struct pv_standing *b)
{
	return a->use == b->use && a->verdict.reason == b->verdict.reason &&
	       a->verdict.line == b->verdict.line && a->depth == b->depth &&
	       a->depth_left == b->depth_left && a->hops == b->hops &&
	       a->redirects == b->redirects && a->listing == b->listing &&
	       a->is_only_list == b->is_only_list &&
	       a->is_entry == b->is_entry && a->found_as == b->found_as &&
	       a->kind == b->kind;
}

bool pv_standing_join(
    struct pv_standing *known, const struct pv_standing *found)
{
	struct pv_standing before = *known;
	unsigned kind = pv_page_kind_first(known->kind, found->kind);
	if (found->use > known->use)
		*known = *found;
	else if (found->use == known->use && found->use != PV_REFUSED)
		join_admitted(known, found);
	else if (found->use == known->use)
		join_refused(known, found);
	known->kind = (uint8_t)kind;
	return !pv_standing_equal(&before, known);
}
