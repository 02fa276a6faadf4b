#ifndef PAVANE_TRIAL_STORED_PAGE_H
#define PAVANE_TRIAL_STORED_PAGE_H

#include "base/buf.h"
#include "base/why.h"
#include "url/url.h"

/* A page that a crawl has stored: its file, the kind as which links or seeds
 * named it, and what these carry. In the file of a mirror links lead to other
 * files: here they are addresses again. Nobody is asked, and nothing changed.
 */
struct pv_stored_page {
	struct pv_buf text;
	struct pv_buf kind; /* its name in the crawl's policy; may be empty */
	struct pv_buf carry;
};

/* False, with the reason, if there is no such crawl, or it has no such page. To
 * be finished in either case. */
bool pv_stored_page_read(struct pv_stored_page *page, const char *directory,
    const struct pv_url *url, struct pv_why *why);
void pv_stored_page_finish(struct pv_stored_page *page);

#endif
