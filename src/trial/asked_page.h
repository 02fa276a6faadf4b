#ifndef PAVANE_TRIAL_ASKED_PAGE_H
#define PAVANE_TRIAL_ASKED_PAGE_H

#include "base/why.h"
#include "explain/inquiry.h"
#include "url/url.h"

/* A page that is asked for by itself, outside of a crawl: robots.txt first, at
 * the host's pace, and the same again for each host that it is redirected to.
 */
struct pv_asked_page {
	struct pv_inquiry *inquiry;
	struct pv_inquiry_answer answer; /* whose text is the page */
	struct pv_url url;               /* where it was found in the end */
};

struct pv_asked_plan {
	const struct pv_policy *policy; /* outlives the page */
	const struct pv_environment *around;
	size_t bytes_max; /* of a larger page the beginning is read */
	int64_t wall_ms;  /* now */
};

/* False, with the reason, if it may not be asked for, or there was no page. To
 * be closed in either case. */
bool pv_asked_page_open(struct pv_asked_page *page,
    const struct pv_asked_plan *plan, const struct pv_url *url,
    struct pv_why *why);
void pv_asked_page_close(struct pv_asked_page *page);

#endif
