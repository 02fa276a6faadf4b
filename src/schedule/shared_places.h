#ifndef PAVANE_SCHEDULE_SHARED_PLACES_H
#define PAVANE_SCHEDULE_SHARED_PLACES_H

#include <stdbool.h>
#include <stddef.h>

/* A ceiling of requests in flight that the executors of several crawls share,
 * each on a thread of its own.
 *
 * Each may have its equal part at any time. Beyond that it takes what the others
 * leave: what one of them waits for, up to its part, is kept for that one. So no
 * crawl waits for another that never ends, and none leaves places empty. All
 * functions may be called in any thread, for a share in one at a time.
 */
struct pv_shared_places;

struct pv_place_share {
	struct pv_shared_places *places; /* NULL: it shares with nobody */
	struct pv_place_share *next;
	size_t held;
	bool is_waiting; /* it was denied one */
	bool is_woken;   /* since then */
	void (*wake)(void *ctx);
	void *ctx;
};

struct pv_shared_places *pv_shared_places_create(size_t ceiling);

/* When nobody has a share any more. */
void pv_shared_places_destroy(struct pv_shared_places *places);

/* How many are taken. */
size_t pv_shared_places_taken(struct pv_shared_places *places);

/* `wake` is called, in any thread, when a share that was denied a place may have
 * one; it must not call any of these functions. */
void pv_place_share_join(struct pv_place_share *share,
    struct pv_shared_places *places, void (*wake)(void *ctx), void *ctx);

/* Gives back all that it holds. */
void pv_place_share_leave(struct pv_place_share *share);

/* False if there is none for it now: then it waits, until it takes one or wants
 * none. */
bool pv_place_share_take(struct pv_place_share *share);
void pv_place_share_give(struct pv_place_share *share);
void pv_place_share_want_none(struct pv_place_share *share);

/* Whether it was denied a place, and has not been woken since. */
bool pv_place_share_is_denied(const struct pv_place_share *share);

#endif
