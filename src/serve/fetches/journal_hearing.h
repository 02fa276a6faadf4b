#ifndef PAVANE_SERVE_FETCHES_JOURNAL_HEARING_H
#define PAVANE_SERVE_FETCHES_JOURNAL_HEARING_H

#include "serve/fetches/fetches_state.h"

/* What the journal of a profile's crawl says of fetches that wait for it.
 *
 * How far it was read is committed with what it said. The mutex of the fetches is
 * held by who calls, the keeper, and given back in between. */

/* Reads what has come since. */
void pv_journal_hearing_read(
    struct pv_fetches *fetches, struct pv_standing *standing);

#endif
