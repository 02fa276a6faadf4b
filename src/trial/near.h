#ifndef PAVANE_TRIAL_NEAR_H
#define PAVANE_TRIAL_NEAR_H

#include "fields/finds.h"

/* How near a field came that has no value on a page: for the person who writes
 * the policy. The page is looked at once more, with a budget of its own.
 */

/* Appends a sentence without its full stop; nothing where there is nothing to
 * add to the fault itself. */
void pv_near_write(struct pv_row_page *page,
    const struct pv_field_problem *problem, struct pv_buf *near);

/* The same for any source that finds nothing. The context is that of
 * pv_finds_read. */
void pv_near_write_source(struct pv_row_page *page,
    const struct pv_source *source, const struct pv_find *context,
    struct pv_buf *near);

#endif
