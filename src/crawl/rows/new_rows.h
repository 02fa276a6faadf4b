#ifndef PAVANE_CRAWL_ROWS_NEW_ROWS_H
#define PAVANE_CRAWL_ROWS_NEW_ROWS_H

#include "base/why.h"
#include "store/database.h"

/* The directory fields/ of a crawl written anew, beside the old one, until it
 * takes its place.
 *
 * What the state says of rows is true of the new ones as soon as it is
 * committed with the promise that they will be put there; so whatever ends the
 * process, there are the old rows or the new, whole, and the next start makes
 * good a promise that is open. Used by who holds the crawl's lock. */
#define PV_NEW_ROWS_DIRECTORY "fields.new"

/* Makes it, empty: below it, as in a crawl's directory, they are in fields/.
 * False, with the reason, if that cannot be done. */
bool pv_new_rows_make(const char *directory, struct pv_why *why);

/* They are whole: puts them on the disk, and the promise into the transaction
 * that is open. False, with the reason, if that cannot be done. */
bool pv_new_rows_promise(
    const char *directory, struct pv_database *database, struct pv_why *why);

/* Keeps a promise that was committed, and removes what nobody promised. False,
 * with the reason, if that cannot be done: the promise stays. */
bool pv_new_rows_settle(
    const char *directory, struct pv_database *database, struct pv_why *why);

#endif
