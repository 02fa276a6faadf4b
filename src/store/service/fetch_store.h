#ifndef PAVANE_STORE_SERVICE_FETCH_STORE_H
#define PAVANE_STORE_SERVICE_FETCH_STORE_H

#include "base/why.h"
#include "record/journal_name.h"
#include "store/database.h"
#include "store/service/fetch_record.h"
#include "store/service/fetch_rows.h"

/* fetches.db: single addresses that callers have asked a service for, what the
 * crawls of their profiles have answered, and how far the journals of these crawls
 * were read.
 *
 * A fetch waits at an address: its own, then what that redirects to. What was
 * answered last of each address is kept, so that a fetch that is content with it
 * waits for nothing. All functions are parts of a transaction, which the caller
 * begins and ends; after the first fault nothing is done any more. For one thread
 * at a time. */
struct pv_fetch_store;

/* NULL, with the reason, if it cannot be used. */
struct pv_fetch_store *pv_fetch_store_open(
    const char *directory, struct pv_why *why);
void pv_fetch_store_close(struct pv_fetch_store *store);

enum pv_store_status pv_fetch_store_status(const struct pv_fetch_store *store);
const char *pv_fetch_store_fault(const struct pv_fetch_store *store);

/* What pages give now. */
const struct pv_fetch_rows *pv_fetch_store_rows(
    const struct pv_fetch_store *store);

void pv_fetch_store_begin(struct pv_fetch_store *store);
bool pv_fetch_store_commit(struct pv_fetch_store *store);

/* Adds one that waits, and gives its number. */
void pv_fetch_store_add(struct pv_fetch_store *store, struct pv_fetch *fetch);

/* False if there is none. */
bool pv_fetch_store_get(struct pv_fetch_store *store, struct pv_str id,
    struct pv_arena *arena, struct pv_fetch *fetch);
bool pv_fetch_store_get_number(struct pv_fetch_store *store, uint64_t number,
    struct pv_arena *arena, struct pv_fetch *fetch);

/* That which was asked for by that key, at that time or later. */
bool pv_fetch_store_find_key(struct pv_fetch_store *store, struct pv_str owner,
    struct pv_str key, int64_t since_ms, struct pv_arena *arena,
    struct pv_fetch *fetch);

/* The numbers of those that wait, from the first on; with a profile, of those that
 * wait for its crawl, and with an address, of those that wait there. */
typedef void (*pv_fetch_number_fn)(void *ctx, uint64_t number);
void pv_fetch_store_each_waiting(
    struct pv_fetch_store *store, pv_fetch_number_fn fn, void *ctx);
void pv_fetch_store_each_of(struct pv_fetch_store *store, struct pv_str profile,
    pv_fetch_number_fn fn, void *ctx);
void pv_fetch_store_each_at(struct pv_fetch_store *store, struct pv_str profile,
    struct pv_str at, pv_fetch_number_fn fn, void *ctx);
uint64_t pv_fetch_store_count_waiting(struct pv_fetch_store *store);

/* Fetches from the newest on. */
struct pv_fetch_list {
	const struct pv_str *owner; /* NULL: those of all */
	uint64_t before;            /* that number; 0: from the last */
	int state;                  /* enum pv_fetch_state; -1: any */
	size_t most;
};

/* Texts are borrowed for the call. */
typedef void (*pv_fetch_fn)(void *ctx, const struct pv_fetch *fetch);
void pv_fetch_store_each_back(struct pv_fetch_store *store,
    const struct pv_fetch_list *list, pv_fetch_fn fn, void *ctx);

/* It waits somewhere else, behind so many redirects. */
void pv_fetch_store_move(struct pv_fetch_store *store, uint64_t number,
    struct pv_str at, unsigned hops);

struct pv_fetch_end {
	enum pv_fetch_state state;
	struct pv_str answer;
	struct pv_str rows;
	int64_t now_ms;
};

/* Its webhook, if it has one, is to hear of that
 * (store/service/fetch_delivery_store.h). */
void pv_fetch_store_end(struct pv_fetch_store *store, uint64_t number,
    const struct pv_fetch_end *end);

/* What was answered last of an address; false if nothing was. */
struct pv_fetch_answer {
	struct pv_str line;
	struct pv_str moved_to; /* "" if it is no redirect */
	int64_t time_ms;
};

void pv_fetch_store_set_answer(struct pv_fetch_store *store,
    struct pv_str profile, struct pv_str url,
    const struct pv_fetch_answer *answer);
bool pv_fetch_store_get_answer(struct pv_fetch_store *store,
    struct pv_str profile, struct pv_str url, struct pv_arena *arena,
    struct pv_fetch_answer *answer);

/* The crawl of a profile, and how much of its journal has been read. False if
 * there is none. */
struct pv_standing_record {
	uint64_t number;              /* in the name of its directory */
	struct pv_journal_place read; /* so far */
};

bool pv_fetch_store_get_standing(struct pv_fetch_store *store,
    struct pv_str profile, struct pv_standing_record *standing);
void pv_fetch_store_add_standing(
    struct pv_fetch_store *store, struct pv_str profile);
void pv_fetch_store_set_read(struct pv_fetch_store *store,
    struct pv_str profile, const struct pv_journal_place *read);

/* Forgets what has ended, or was answered, before that time. */
void pv_fetch_store_tidy(struct pv_fetch_store *store, int64_t before_ms);

#endif
