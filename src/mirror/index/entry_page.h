#ifndef PAVANE_MIRROR_INDEX_ENTRY_PAGE_H
#define PAVANE_MIRROR_INDEX_ENTRY_PAGE_H

#include "mirror/index/entry_facts.h"

/* The page by which a mirror is entered: index.html, at the top of a crawl's
 * directory.
 *
 * It says what was mirrored, when and by whom, where to begin, which hosts
 * there are, what is missing and what was left out, and why. It is for any
 * browser, without anything from elsewhere; all that comes from the web is text
 * in it. Its only script searches the list of all pages (page_list.h). However
 * large the crawl, it has at most PV_ENTRY_PAGE_MAX bytes.
 */
#define PV_ENTRY_PAGE_MAX ((size_t)1500000)

/* By this our page is known from anybody else's. */
#define PV_ENTRY_GENERATOR "<meta name=\"generator\" content=\"pavane "

struct pv_entry_plan {
	const char *directory; /* as a command names it */
	const struct pv_policy *policy;
	const char *version;    /* ours */
	const char *stopped_by; /* why it has ended before its end; "" where
				   nobody says */
	bool lacks_seed;        /* it has come to its end, but not every seed
				  could be fetched */
	uint64_t pages;         /* as far as there was no update yet */
	int64_t now_wall_ms;
};

void pv_entry_page_write(const struct pv_entry_plan *plan,
    const struct pv_entry_facts *facts, struct pv_buf *page);

#endif
