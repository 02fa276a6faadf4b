#ifndef PAVANE_RECORD_STANDING_H
#define PAVANE_RECORD_STANDING_H

#include <stdbool.h>
#include <stdint.h>

#include "record/verdict.h"

/* How an address stands: what we decided about it, and how far from a seed it
 * lies.
 *
 * An address is found many times, and keeps the strongest that was ever said of
 * it: a page is stronger than a resource, and both are stronger than a refusal;
 * the stronger one's numbers count, and among equals the best of each, wherever
 * it came from. Joining so is commutative and associative, so that what a crawl
 * fetches does not depend on the order of the answers.
 */
enum pv_address_use {
	PV_REFUSED,
	PV_RESOURCE, /* an image, a style, a script: what a page needs */
	PV_PAGE,     /* what a reader may go to */
	PV_USE_COUNT,
};

/* The word for it in views, journals and tables; "unknown" for a number that
 * is not ours. */
const char *pv_use_word(unsigned use);

/* What a page lists beside the links in it. */
enum pv_listing {
	PV_LISTS_NOTHING,
	PV_LISTS_PAGES, /* a sitemap that an index names: itself it is none */
	PV_LISTS_ALL,   /* a sitemap, which may be an index of others */
	PV_LISTING_COUNT,
};

/* As what an address was found that was refused: bits. */
enum pv_found_as {
	PV_FOUND_AS_RESOURCE = 1,
	PV_FOUND_AS_PAGE = 2,
	PV_FOUND_AS_NOFOLLOW = 4, /* a page, by a link whose rel says so */
	PV_FOUND_AS_CLOSED = 8,   /* a page, on one whose terms say so */
};

/* Beyond these the numbers count as these. */
#define PV_DEPTH_MAX 0xfffff /* of what is left: as deep as one likes */
#define PV_HOPS_MAX 0x3ff
#define PV_REDIRECTS_MAX 0x3f

/* Kinds of pages that a policy may describe (policy/pages.h). */
#define PV_PAGE_KINDS_MAX 64

struct pv_standing {
	enum pv_address_use use;
	struct pv_verdict verdict; /* of what is refused, or another shard's */
	unsigned found_as;         /* the same, for a policy that would admit
				      it: enum pv_found_as; 0: nobody knows */
	uint32_t depth;            /* links from a seed; 0 is a seed */
	uint32_t depth_left;       /* links that may still be followed; of a
				      resource, those to further ones */
	uint32_t hops;             /* pages off scope that led here */
	uint32_t redirects;        /* in a row, that led here */

	/* of a page */
	enum pv_listing listing;
	bool is_only_list; /* no link leads to it: no page for a reader */
	bool is_entry; /* at depth 0: a list among the seeds has named it, or
			  what was moved to it, and nobody else */
	uint8_t kind;  /* of page, as which links or seeds named it: its number
			 in the policy, from 1, and of several the least; 0:
			 none did */
};

/* The first of two kinds of pages, either of which may be none. */
static inline unsigned pv_page_kind_first(unsigned one, unsigned other)
{
	return !one || (other && other < one) ? other : one;
}

/* Whether it is a page that people go to. */
static inline bool pv_standing_is_for_readers(
    const struct pv_standing *standing)
{
	return standing->use == PV_PAGE && !standing->is_only_list;
}

/* Whether a person has named it, or a seed was moved there. */
static inline bool pv_standing_is_seed(const struct pv_standing *standing)
{
	return standing->use == PV_PAGE && !standing->depth &&
	       !standing->is_entry;
}

/* Whether it is admitted, but another shard's to ask for (policy/shard.h): its
 * verdict says whose. */
static inline bool pv_standing_is_elsewhere(const struct pv_standing *standing)
{
	return standing->use != PV_REFUSED &&
	       standing->verdict.reason == PV_REASON_SHARD;
}

/* Whether it is to be asked for, and here. */
static inline bool pv_standing_is_admitted(const struct pv_standing *standing)
{
	return standing->use != PV_REFUSED &&
	       standing->verdict.reason != PV_REASON_SHARD;
}

void pv_standing_bound(struct pv_standing *standing);

/* What a page lists, whether it is an entry itself, and as what it was found if
 * it is refused, in eight bits, and above one that is free its kind, as state
 * files have it. */
unsigned pv_listing_pack(const struct pv_standing *standing);
void pv_listing_unpack(unsigned packed, struct pv_standing *standing);

/* Joins what is known with what was found; false if that changed nothing. */
bool pv_standing_join(
    struct pv_standing *known, const struct pv_standing *found);

bool pv_standing_equal(
    const struct pv_standing *a, const struct pv_standing *b);

#endif
