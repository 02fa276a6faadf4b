#ifndef PAVANE_STORE_SERVICE_FETCH_RECORD_H
#define PAVANE_STORE_SERVICE_FETCH_RECORD_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/str.h"

/* A single address that somebody has asked a service for, as fetches.db has it. */

/* The numbers stand in files: new ones come at the end. */
enum pv_fetch_state {
	PV_FETCH_WAITING,
	PV_FETCH_DONE,    /* it was answered, or nothing answered */
	PV_FETCH_REFUSED, /* it is not requested */
	PV_FETCH_FAILED,  /* the crawl of its profile cannot be opened */
	PV_FETCH_STATE_COUNT,
};

const char *pv_fetch_state_word(enum pv_fetch_state state);

/* Texts are borrowed: from the caller in what is added, from the arena in what was
 * read. */
struct pv_fetch {
	uint64_t number; /* from 1, in their order; given when it is added */
	struct pv_str id;
	struct pv_str owner;
	struct pv_str profile; /* "" for the default */
	struct pv_str url;
	struct pv_str at;      /* where it waits, as its crawl knows it; or
				 where it has ended */
	unsigned hops;         /* redirects that led there */
	int64_t not_before_ms; /* no older answer will do */
	int64_t created_ms;
	int64_t ended_ms; /* 0: it has not */
	enum pv_fetch_state state;
	struct pv_str
	    answer; /* a line of the journal; of what was refused {reason,
				 why}; "" while it waits */
	struct pv_str rows;    /* that the page gave: a JSON array; what
				 pv_fetch_rows_write says; "" for none */
	struct pv_str webhook; /* of the service, that is told of its end; "" */
	struct pv_str key;     /* as the caller chose it; empty: none */
	uint8_t digest[PV_DIGEST_SIZE]; /* of what was asked by that key */
};

/* The columns of a fetch, for all who read the table. */
#define PV_FETCH_COLUMNS                                                   \
	"number, id, owner, profile, url, at, not_before_ms, created_ms, " \
	"ended_ms, state, answer, key, digest, hops, rows, webhook"

/* The next row that a statement gives of them, whose texts are the statement's; or
 * the first one, in the arena. False if there is none. */
struct pv_statement;
bool pv_fetch_read(struct pv_statement *statement, struct pv_fetch *fetch);
bool pv_fetch_take(struct pv_statement *statement, struct pv_arena *arena,
    struct pv_fetch *fetch);

#endif
