#ifndef PAVANE_STORE_TABLES_STATE_ADDRESSES_H
#define PAVANE_STORE_TABLES_STATE_ADDRESSES_H

#include "base/buf.h"
#include "record/fingerprint.h"
#include "record/result.h"
#include "record/standing.h"
#include "record/state.h"
#include "store/database.h"

/* The addresses that a state knows, and their copies, for who only reads them:
 * by number, by fingerprint, by file, or one after the other. Who changes them
 * is the frontier.
 *
 * A row is borrowed: its texts are valid until the next question to the same
 * reader or cursor. Faults are the database's; after one nothing is found. Used
 * by one thread at a time.
 */
struct pv_state_address {
	uint64_t id;
	uint64_t host_id;
	enum pv_address_state state;
	enum pv_address_use use;
	uint32_t redirects; /* in a row, that led to it */
	uint64_t via_id;    /* where it was found first; 0 for a seed */
	struct pv_verdict verdict;
	struct pv_result result; /* outcome, status and size */
	bool is_only_list;       /* as of a standing */
	uint8_t page_kind;       /* the same */
	struct pv_str url;
	struct pv_str via; /* the address of via_id */

	/* How often it was tried, and whether it rests; for who asks by
	 * number. */
	uint32_t depth;
	uint32_t attempt;
	uint32_t waits; /* as of a visit */
	int64_t not_before_wall_ms;

	/* Its copy; for who asks by number. */
	struct pv_str file; /* below the crawl's directory; empty: in none */
	bool is_gone;
	bool has_failed;
	uint16_t heard_status; /* in its place; 0: nothing else came */

	/* What it was redirected to, where that is nothing
	 * (mirror/kept/dead_ends.h); for who asks by number. */
	unsigned dead_end; /* 0: there is no such thing */
	struct pv_str location;

	/* Why the program that ran the crawl refused it, where it did; for who
	 * asks by number. */
	struct pv_str word;
	struct pv_str sentence;
};

/* Whether it counts as failed: answered by an error, or not at
 * all. A sitemap that nobody links to does not. */
bool pv_state_address_has_failed(const struct pv_state_address *address);

/* Asking */

enum { PV_STATE_ADDRESS_QUESTIONS = 6 };

struct pv_state_addresses {
	struct pv_database *database;
	struct pv_statement *questions[PV_STATE_ADDRESS_QUESTIONS];
};

void pv_state_addresses_init(
    struct pv_state_addresses *addresses, struct pv_database *database);
void pv_state_addresses_finish(struct pv_state_addresses *addresses);

/* The number of the address that is known by that fingerprint; 0 for none. */
uint64_t pv_state_addresses_find(
    struct pv_state_addresses *addresses, struct pv_fingerprint fingerprint);

/* The same, of one that is kept in that file. All of them are looked
 * through. */
uint64_t pv_state_addresses_find_file(
    struct pv_state_addresses *addresses, struct pv_str file);

/* The same, of the last that was found first on that one. */
uint64_t pv_state_addresses_find_last_via(
    struct pv_state_addresses *addresses, uint64_t via_id);

/* All that is known of an address; false if there is none of that number, or it
 * makes no sense, which is a fault. The row stays open, and with it a reader's
 * transaction, until it is let go of, or the next call. */
bool pv_state_addresses_get(struct pv_state_addresses *addresses, uint64_t id,
    struct pv_state_address *address);
void pv_state_addresses_let_go(struct pv_state_addresses *addresses);

/* Appends its text alone; false if there is none of that number. */
bool pv_state_addresses_get_url(
    struct pv_state_addresses *addresses, uint64_t id, struct pv_buf *url);

/* Appends what its link carries for its rows, as JSON; nothing where it carries
 * nothing. */
void pv_state_addresses_get_carry(
    struct pv_state_addresses *addresses, uint64_t id, struct pv_buf *carry);

/* Walking */

enum pv_address_choice {
	PV_ADDRESSES_ALL, /* in the order in which they were found */

	/* Refused, or not answered as they are, or lost since; in that
	 * order. */
	PV_ADDRESSES_BAD,

	/* Failed with `outcome` and `http_status`, in that order; with their
	 * via. */
	PV_ADDRESSES_FAILED,

	/* What may be a loss though its answer was no error: dead ends, and
	 * copies that are gone or failed. Their numbers only; one may come
	 * twice. */
	PV_ADDRESSES_LOST,

	PV_ADDRESSES_BARE,       /* pages that show nothing without scripts */
	PV_ADDRESSES_REDIRECTED, /* now, or once */
	PV_ADDRESS_CHOICES,
};

struct pv_address_filter {
	enum pv_address_choice choice;
	uint64_t max;            /* 0: all of them */
	uint64_t after;          /* of what is bad: behind that number ... */
	uint64_t to;             /* ... up to that one; 0: to the end */
	enum pv_outcome outcome; /* of what failed */
	uint16_t http_status;
};

struct pv_address_cursor;

struct pv_address_cursor *pv_address_cursor_open(
    struct pv_database *database, const struct pv_address_filter *filter);

/* NULL is fine. */
void pv_address_cursor_close(struct pv_address_cursor *cursor);

/* The next one; false after the last, and then from the first again. */
bool pv_address_cursor_next(
    struct pv_address_cursor *cursor, struct pv_state_address *address);

/* The last number of a step of some thousand addresses that begins behind that
 * one; 0 if there are no more. Who takes long over all of them goes by steps,
 * so as not to be a reader of the state for as long. */
uint64_t pv_state_addresses_step(struct pv_database *database, uint64_t after);

/* Counting */

/* How many there are, counted up to so many. */
uint64_t pv_state_addresses_count(
    struct pv_database *database, const struct pv_address_filter *filter);

/* Turns to the outcome and status of the next sort of failures, by these
 * numbers; false after the last. However many there are of one, no time is lost
 * on them. */
bool pv_state_addresses_next_failure(
    struct pv_database *database, struct pv_address_filter *filter);

/* The number of the address that was found last; 0 if there is none. */
uint64_t pv_state_addresses_last(struct pv_database *database);

#endif
