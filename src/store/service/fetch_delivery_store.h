#ifndef PAVANE_STORE_SERVICE_FETCH_DELIVERY_STORE_H
#define PAVANE_STORE_SERVICE_FETCH_DELIVERY_STORE_H

#include "store/service/fetch_store.h"

/* fetches.db once more, as the one who delivers to webhooks sees it: which fetches
 * have ended of which a webhook is still to hear, and how often that was tried.
 *
 * It is a connection of its own, for one thread at a time, to a file that
 * pv_fetch_store_open has made. Each function is a transaction; after the first
 * fault nothing is done any more (store/database.h). */
struct pv_fetch_delivery_store;

struct pv_fetch_delivery {
	uint64_t number;     /* from 1, in the order in which fetches ended */
	struct pv_str fetch; /* its id */
	struct pv_str id;    /* of the delivery; "": it was not tried yet */
	int64_t made_ms;
	int64_t since_ms; /* when it was tried first */
	uint32_t tries;
	int64_t next_ms; /* not before then */
};

/* NULL, with the reason, if it cannot be used. */
struct pv_fetch_delivery_store *pv_fetch_delivery_store_open(
    const char *directory, struct pv_why *why);
void pv_fetch_delivery_store_close(struct pv_fetch_delivery_store *store);

enum pv_store_status pv_fetch_delivery_store_status(
    const struct pv_fetch_delivery_store *store);

/* Each that a webhook is to hear of behind that number, but at most so many. Texts
 * are borrowed for the call. */
typedef void (*pv_fetch_delivery_fn)(
    void *ctx, const struct pv_fetch_delivery *delivery);
void pv_fetch_delivery_store_each(struct pv_fetch_delivery_store *store,
    struct pv_str webhook, uint64_t after, size_t most, pv_fetch_delivery_fn fn,
    void *ctx);

/* How many that are. */
uint64_t pv_fetch_delivery_store_count(
    struct pv_fetch_delivery_store *store, struct pv_str webhook);

/* The fetch of that delivery; false if it is not owed any more. The texts are the
 * arena's. */
bool pv_fetch_delivery_store_get(struct pv_fetch_delivery_store *store,
    uint64_t number, struct pv_arena *arena, struct pv_fetch *fetch);

/* Notes how far it is; false if it is not owed any more, or that could not be
 * written. */
bool pv_fetch_delivery_store_put(struct pv_fetch_delivery_store *store,
    const struct pv_fetch_delivery *delivery);

/* It has arrived, or is given up. False if that could not be written. */
bool pv_fetch_delivery_store_settle(
    struct pv_fetch_delivery_store *store, uint64_t number);

#endif
