#ifndef PAVANE_CRAWL_VISIT_PAGE_EVENT_H
#define PAVANE_CRAWL_VISIT_PAGE_EVENT_H

#include "base/buf.h"
#include "pavane/events.h"

/* An answer that was read, as it is shown to the program that runs the crawl, to
 * its on_page and to its sinks, in the thread of the pool that has read it. */
struct pv_read_job;

struct pv_page_event {
	struct pavane_page page;
	bool is_there; /* the program wants to see it */

	/* Texts end with a NUL for the program, and only for as long as it
	 * looks. */
	struct pv_buf address;
	struct pv_buf via;
	struct pv_buf tag;
	struct pv_buf type;
};

/* The job outlives it. */
void pv_page_event_open(
    struct pv_page_event *event, const struct pv_read_job *job);
void pv_page_event_close(struct pv_page_event *event);

/* Calls on_page. */
void pv_page_event_tell(
    const struct pv_page_event *event, const struct pv_read_job *job);

/* A header of what the program is shown; without ptr where there is none. */
struct pv_str pv_page_event_header(
    const struct pavane_page *page, struct pv_str name);

#endif
