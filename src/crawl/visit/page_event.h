#ifndef PAVANE_CRAWL_VISIT_PAGE_EVENT_H
#define PAVANE_CRAWL_VISIT_PAGE_EVENT_H

#include "base/str.h"

/* Shows an answer that was read to the program that runs the crawl (on_page), in
 * the thread of the pool that has read it. */
struct pavane_page;
struct pv_read_job;

void pv_page_event_tell(const struct pv_read_job *job);

/* A header of what the program is shown; without ptr where there is none. */
struct pv_str pv_page_event_header(
    const struct pavane_page *page, struct pv_str name);

#endif
