#ifndef PAVANE_MIRROR_LOOKUP_LINK_CHECK_H
#define PAVANE_MIRROR_LOOKUP_LINK_CHECK_H

#include "mirror/lookup/fate.h"

/* A link check: each address of a crawl that could not be fetched, and the
 * pages of the mirror that link to it.
 *
 * First the addresses are looked up in the state, and their keys kept, 16 bytes
 * or so each, up to a ceiling. Then all documents of the mirror are read, by as
 * many threads as there are processors; what they link to among those keys
 * stands in a database without a name, which spills to the disk. So memory does
 * not grow with pages or links. At last the addresses are gone through once
 * more, in the order in which the crawl found them.
 *
 * No transaction spans all of that, so a crawl that runs can be checked for as
 * long as it takes: each address is reported, and counted, as it is at that
 * moment, with the pages that were found to link to it before.
 *
 * A page that links to what was redirected to such an address counts, too, as
 * far as the crawl knows of the redirect.
 */
struct pv_link_check_plan {
	bool has_refused; /* what the policy or robots.txt refused, too */

	/* Only the addresses of these numbers, whatever became of them; NULL:
	 * all that could not be fetched. */
	const uint64_t *ids;
	size_t id_count;

	/* Told now and then, on the caller's thread; NULL for nobody. */
	void (*on_progress)(void *ctx, uint64_t read, uint64_t all);
	void *ctx;
};

/* Who hears what was found. What it gets is borrowed for the call. */
struct pv_link_check_hearer {
	void (*on_broken)(void *ctx, const struct pv_fate *fate);

	/* A page that links to it; its file is below the directory. */
	void (*on_page)(void *ctx, struct pv_str url, struct pv_str file);

	/* There are no more pages that do. */
	void (*on_end)(void *ctx, const struct pv_fate *fate);
	void *ctx;
};

struct pv_link_check_sum {
	uint64_t broken;    /* when it was reported last */
	uint64_t documents; /* that were read */
	uint64_t unread;    /* could not be, or not as a whole */
	uint64_t pending;   /* addresses that nobody knows of yet */
	bool has_too_many;  /* more broken ones than were looked for */
};

struct pv_link_check;

/* Reads all that there is to read. NULL, with the reason, if that cannot be
 * done. The state outlives it. */
struct pv_link_check *pv_link_check_create(const struct pv_kept_state *state,
    const struct pv_link_check_plan *plan, struct pv_why *why);
void pv_link_check_destroy(struct pv_link_check *check);

/* Tells all that was found. False, with the reason, if something cannot be
 * read. */
bool pv_link_check_tell(struct pv_link_check *check,
    const struct pv_link_check_hearer *hearer, struct pv_why *why);

struct pv_link_check_sum pv_link_check_sum(const struct pv_link_check *check);

#endif
