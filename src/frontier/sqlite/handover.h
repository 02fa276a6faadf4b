#ifndef PAVANE_FRONTIER_SQLITE_HANDOVER_H
#define PAVANE_FRONTIER_SQLITE_HANDOVER_H

#include "base/hash.h"
#include "base/system.h"
#include "frontier/sqlite/renewal.h"
#include "frontier/sqlite/tables.h"

/* What a worker of a fleet passes on of its state, and what it takes over from
 * others.
 *
 * A worker decides about the hosts that it owns in its own state, as a crawl on one
 * machine does. Each change of a row is marked in the same transaction (table
 * `unsent`, by triggers that only a fleet's worker has), so what was not passed
 * on before a kill is passed on after it. Rows are passed on as they are when
 * they are taken: to pass one on twice changes nothing.
 *
 * A host that is new here belongs to others until it is taken over (`own`). Its
 * addresses that are to be visited are PV_STATE_ELSEWHERE; they are passed on as
 * links, which its owner joins with what it knows. All functions are called on
 * the writer's thread, in its transactions.
 */
enum { PV_HANDOVER_STATEMENTS = 15 };

struct pv_handover {
	struct pv_tables *tables;
	struct pv_database *database;
	struct pv_hash_key key; /* of fingerprints */
	struct pv_renewal renewal;
	struct pv_statement *statements[PV_HANDOVER_STATEMENTS];
	struct pv_buf carry;

	/* What others have refused before the scope became wider is judged again
	 * as it is taken over; NULL: it did not. Borrowed. */
	struct pv_rejudging *readmits;
};

enum pv_parcel_kind {
	PV_PARCEL_ADDRESS, /* of a host that is owned */
	PV_PARCEL_LINK,    /* of another worker's */
	PV_PARCEL_HOST,
	PV_PARCEL_ROBOTS,
	PV_PARCEL_REDIRECT, /* of a seed, which widens the scope */
	PV_PARCEL_NOTE,     /* beside a host's rows (handover_notes.h) */
	PV_PARCEL_VOUCHER,  /* for a sitemap of another worker's host */
	PV_PARCEL_KINDS,
};

/* A row on its way. */
struct pv_parcel {
	enum pv_parcel_kind kind;
	unsigned state;      /* of an address; or a note's kind */
	struct pv_str host;  /* its name */
	struct pv_str name;  /* the URL, or the authority; empty for a host */
	struct pv_str bytes; /* packed (packing.h) */
	int64_t left_ms;     /* of a host: until it may be asked again ... */
	int64_t rest_ms;     /* ... and the rest that it is owed */
	int64_t owner;       /* a note's host, by its hash ... */
	int64_t key;         /* ... and what it is known by there */
	int64_t answered_pages; /* of a host, in all: as its row has them */
	int64_t answered_bytes;
};

/* Parcels with their texts. */
struct pv_parcels {
	struct pv_parcel_item *items;
	size_t count;
	size_t size;
	struct pv_buf texts;
	int64_t change; /* the last that they are of ... */
	int64_t newest; /* ... and of all that there were then */
};

void pv_parcels_init(struct pv_parcels *parcels, size_t text_ceiling);
void pv_parcels_finish(struct pv_parcels *parcels);
bool pv_parcels_add(struct pv_parcels *parcels, const struct pv_parcel *parcel);

/* Its texts are valid until the next change. */
struct pv_parcel pv_parcels_get(
    const struct pv_parcels *parcels, size_t number);

/* From now on changes are marked, and new hosts are others'. `tables` outlives
 * the handover. */
void pv_handover_open(struct pv_handover *handover, struct pv_tables *tables,
    const struct pv_hash_key *key);
void pv_handover_close(struct pv_handover *handover);

/* Takes what was changed, the oldest first, up to so many rows, or until their
 * texts fill the parcels. `now_ms` is the crawl's clock. */
void pv_handover_take(struct pv_handover *handover, size_t max, int64_t now_ms,
    struct pv_parcels *parcels);

/* All up to that change was passed on. */
void pv_handover_sent(struct pv_handover *handover, int64_t change);

/* What another worker has passed on; false if it makes no sense. A host comes
 * before its addresses, and is owned after them; it owes its whole delay if it may
 * just have been asked by its last owner. Links must live until the
 * transaction ends. */
bool pv_handover_put(struct pv_handover *handover,
    const struct pv_parcel *parcel, struct pv_time now);
/* Whether it was not before. */
bool pv_handover_own(
    struct pv_handover *handover, struct pv_str host, bool owes_delay);
bool pv_handover_owns(struct pv_handover *handover, struct pv_str host);

/* The host goes to others, unless it is held, which is false: nothing of it is
 * given out from now on. When all was passed on that was changed before, it may
 * be given away. */
bool pv_handover_leave(struct pv_handover *handover, struct pv_str host);
void pv_handover_give(struct pv_handover *handover, struct pv_str host);

/* The same for all hosts at once: another worker's number has begun, and what
 * the one before owned was taken from it. Before the writer starts. */
void pv_handover_give_all(struct pv_handover *handover);

/* The same after all was judged by another policy: what is admitted now waits for
 * the owners of its hosts. */
void pv_handover_give_judged(struct pv_handover *handover);

/* The fleet is in that round: so the state's own is, too. Before the writer
 * starts. */
void pv_handover_join_round(
    struct pv_handover *handover, uint64_t number, int64_t now_wall_ms);

/* Calls the function for each host that is owned. */
typedef void (*pv_owned_fn)(void *ctx, struct pv_str host);
void pv_handover_each_owned(
    struct pv_handover *handover, pv_owned_fn call, void *ctx);

/* The same for those that have something left, or are held. */
void pv_handover_each_busy(
    struct pv_handover *handover, pv_owned_fn call, void *ctx);

#endif
