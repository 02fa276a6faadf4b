#ifndef PAVANE_SERVE_FETCHES_FETCH_VIEW_H
#define PAVANE_SERVE_FETCHES_FETCH_VIEW_H

#include "store/service/fetch_store.h"

/* A fetch as callers see it, in replies and deliveries: a JSON object. */

/* With the rows of its page as they stand in the file of rows, if these take no more
 * than so many bytes; else with a sentence that says where they are. */
void pv_fetch_view_write(
    const struct pv_fetch *fetch, size_t rows_most, struct pv_buf *json);

#endif
