#ifndef PAVANE_CRAWL_VISIT_PAGE_EVENT_H
#define PAVANE_CRAWL_VISIT_PAGE_EVENT_H

#include "base/buf.h"
#include "pavane/events.h"
#include "reading/program/given.h"
#include "reading/program/program.h"

/* An answer that was read, as it is shown to the program that runs the crawl, to
 * its on_page and to its sinks, in the thread of the pool that has read it. What
 * on_page adds to it is judged and kept with it: it is not stored yet. */
struct pv_read_job;

struct pv_page_event {
	struct pavane_page page;
	bool is_there; /* the program wants to see it */
	bool may_add;  /* on_page is looking at it */
	struct pv_giving giving;
	struct pv_buf why;   /* of what was refused last */
	struct pv_buf shown; /* of the link or row that it looks at ... */
	struct pv_program_word word; /* ... and why it refused the link */

	/* Texts end with a NUL for the program, and only for as long as it
	 * looks. */
	struct pv_buf address;
	struct pv_buf via;
	struct pv_buf tag;
	struct pv_buf type;
	struct pv_buf moved_to;
};

/* The job and the desk outlive it. */
void pv_page_event_open(struct pv_page_event *event, struct pv_read_job *job,
    struct pv_reader_desk *desk);
void pv_page_event_close(struct pv_page_event *event);

/* Calls on_page. */
void pv_page_event_tell(struct pv_page_event *event, struct pv_read_job *job);

/* The page that a program names. */
struct pv_page_event *pv_page_event_of(const struct pavane_page *page);

/* The link of that number; false if there is none. */
bool pv_page_event_link(
    struct pv_page_event *event, size_t number, struct pavane_page_link *link);

/* The row of that number, as a JSON object; NULL if there is none. */
const char *pv_page_event_row(struct pv_page_event *event, size_t number);

/* A row, or a link, that the program adds; false, with `why`, if it is
 * refused. */
bool pv_page_event_add_row(
    struct pv_page_event *event, struct pv_str kind, struct pv_str json);
bool pv_page_event_add_link(struct pv_page_event *event, struct pv_str address,
    enum pavane_place place);

#endif
