#ifndef PAVANE_SERVE_FETCHES_FETCH_COURSE_H
#define PAVANE_SERVE_FETCHES_FETCH_COURSE_H

#include "serve/fetches/fetches_state.h"

/* The course of a fetch: from its address over what that redirects to, as far as
 * answers are known, to its end. All functions are called with the mutex of the
 * fetches, and those of which nothing else is said as parts of a transaction of their store. */

/* Numbers of fetches, kept while the store is asked about each of them. */
struct pv_fetch_numbers {
	uint64_t *items; /* to be freed */
	size_t count;
	size_t size;
};

/* One more; the context is a struct pv_fetch_numbers. In no transaction. */
void pv_fetch_numbers_add(void *ctx, uint64_t number);

/* Whatever waits is told to its crawl anew. In no transaction. */
void pv_fetch_course_begin_again(struct pv_fetches *fetches);

/* Follows what was answered, as far as that is not too old; whether it still waits
 * for something that is to be asked for. */
bool pv_fetch_course_follow(struct pv_fetches *fetches, uint64_t number);

/* It ends without an answer: refused or failed, with a word for programs, which
 * may be "", and a sentence. */
void pv_fetch_course_refuse(struct pv_fetches *fetches, uint64_t number,
    enum pv_fetch_state state, struct pv_str reason, struct pv_str why);

/* Ends the transaction, and wakes who waits for answers if any fetch has ended. */
bool pv_fetch_course_commit(struct pv_fetches *fetches);

/* In a transaction of its own: all that wait for a crawl that cannot go on have
 * failed, or only those that it was told. */
void pv_fetch_course_fail_all(struct pv_fetches *fetches, struct pv_str profile,
    bool is_of_told, struct pv_str why);

#endif
