#ifndef PAVANE_CLI_DEMO_PAGES_H
#define PAVANE_CLI_DEMO_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What the site of `pavane demo` consists of: pages about slow dances that
 * link to each other, and one of everything that a crawler has to cope with.
 */
struct pv_demo_page {
	const char *path;
	int status;
	const char *type;  /* the media type */
	const char *title; /* of a page; NULL: the body is all there is */
	const char *body;
	const char *location; /* of a redirect; NULL for none */
	const char *later;    /* the body from the second answer on, "" for a
				 page that is gone then; NULL: the same */
	bool is_forbidden;    /* by robots.txt, and linked to all the same */
	bool is_busy;         /* at the first request it says: later */
};

extern const struct pv_demo_page pv_demo_pages[];
extern const size_t pv_demo_page_count;

/* Writes what an answer with this page and this body holds. */
void pv_demo_page_write(
    const struct pv_demo_page *page, const char *body, FILE *file);

#endif
