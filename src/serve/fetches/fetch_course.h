#ifndef PAVANE_SERVE_FETCHES_FETCH_COURSE_H
#define PAVANE_SERVE_FETCHES_FETCH_COURSE_H

#include "serve/fetches/fetches_state.h"

/* The course of a fetch: from its address over what that redirects to, as far as
 * answers are known, to its end. All functions are called with the mutex of the
 * fetches, and but for the first three as parts of a transaction of their store. */

/* Numbers of fetches, kept while the store is asked about each of them. */
struct pv_fetch_numbers {
	uint64_t *items; /* to be freed */
	size_t count;
	size_t size;
};

/* One more; the context is a struct pv_fetch_numbers. */
void pv_fetch_numbers_add(void *ctx, uint64_t number);

int64_t pv_fetches_now(const struct pv_fetches *fetches);

/* Whatever waits is told to its crawl anew. */
void pv_fetch_course_begin_again(struct pv_fetches *fetches);

/* Follows what was answered, as far as that is not too old; whether it still waits
 * for something that is to be asked for. */
bool pv_fetch_course_follow(struct pv_fetches *fetches, uint64_t number);

/* It ends without an answer: refused or failed, with a word for programs, which
 * may be "", and a sentence. */
void pv_fetch_course_refuse(struct pv_fetches *fetches, uint64_t number,
    enum pv_fetch_state state, struct pv_str reason, struct pv_str why);

/* The same of all that wait for a crawl that cannot go on, or only of those that
 * it was told: they have failed. */
void pv_fetch_course_fail(struct pv_fetches *fetches, struct pv_str profile,
    bool is_of_told, struct pv_str why);

#endif
