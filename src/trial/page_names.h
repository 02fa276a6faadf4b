#ifndef PAVANE_TRIAL_PAGE_NAMES_H
#define PAVANE_TRIAL_PAGE_NAMES_H

#include "fields/row_page.h"

/* The names that a page has, for the person who wrote one that it has not. */
enum pv_page_names {
	PV_PAGE_NAMES_META,
	PV_PAGE_NAMES_HEADER,
	PV_PAGE_NAMES_PARAMETER, /* of its address */
	PV_PAGE_NAMES_LD,        /* types of its JSON-LD */
};

/* Appends the name that is near to the written one (which may be NULL), or else
 * the first few: "; is it og:title?", "; it has a, b and c". Nothing where the
 * page has none. */
void pv_page_names_write(struct pv_row_page *page, enum pv_page_names sort,
    const char *written, struct pv_buf *near);

#endif
