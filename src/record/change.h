#ifndef PAVANE_RECORD_CHANGE_H
#define PAVANE_RECORD_CHANGE_H

#include "record/copy.h"
#include "record/result.h"

/* What an update has found out about an address.
 *
 * Only what a server said in so many words counts: it is gone after 404, 410 or
 * a redirect for good (301, 308), and the same after 304 or the same bytes.
 * Whatever else comes where there was a copy, an error, half a page, nothing at
 * all in the place of something, leaves the copy as it is, and has failed. The
 * numbers stand in state files.
 */
enum pv_change {
	PV_CHANGE_NONE, /* there is nothing to tell */
	PV_CHANGE_NEW,  /* there was no copy; or it was gone and is back */
	PV_CHANGE_CHANGED,
	PV_CHANGE_GONE,
	PV_CHANGE_SAME,
	PV_CHANGE_FAILED, /* it could not be fetched again: nobody knows */
	PV_CHANGE_COUNT,
};

/* The word for it in reports; "unknown" for a number that is not ours. */
const char *pv_change_word(unsigned change);

/* Whether a server has said in so many words that an address is gone. */
bool pv_change_is_gone(const struct pv_result *answer);

/* What an answer says of the address of a copy (NULL: there is none). `now` is
 * what came, where it is a page to be kept; else NULL. */
enum pv_change pv_change_of(const struct pv_copy *had,
    const struct pv_result *answer, const struct pv_copy *now);

/* Whether what came is to take the place of a copy (NULL: there is none): an
 * empty answer is no page where there was one. */
bool pv_change_is_page(const struct pv_copy *had, bool is_empty);

/* A round: all that one update asks for, be it in one run or in several. The
 * first is the crawl itself, and none of this is counted of it. */
struct pv_round {
	uint64_t number;                  /* from 1 */
	uint64_t due;                     /* copies that it is to ask for */
	uint64_t counts[PV_CHANGE_COUNT]; /* addresses */
};

/* How many copies nobody has heard of in this round yet. */
uint64_t pv_round_left(const struct pv_round *round);

#endif
