#include "store/tables/state_addresses.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "store/statement.h"

/* Which addresses have failed, as SQL says it of the table `addresses`: done,
 * without an answer or with one that is none and leads to none, but for
 * sitemaps that nobody links to, whose absence nobody minds. The index
 * `addresses_failed` has them by outcome and status, and is used only by who
 * asks in these very words. */
#define HAS_FAILED_SQL                                          \
	"state = 2 AND (outcome <> 1 OR http_status >= 309 OR " \
	"http_status IN (300, 305, 306)) AND listing & 4 = 0"

/* Columns of an address, in the order in which read_row() reads them. */
#define COLUMNS                                                         \
	"id, host, state, use, redirects, via, reason, line, outcome, " \
	"http_status, bytes, listing, url"

/* The word of that kind for what the program that ran the crawl refused
 * (crawl/run/program_words.h). */
#define PROGRAM_SQL(kind)                                                    \
	"(SELECT word FROM words WHERE kind = '" kind "' AND number = line " \
	"AND reason = 36)"

enum {
	ID,
	HOST,
	STATE,
	USE,
	REDIRECTS,
	VIA,
	REASON,
	LINE,
	OUTCOME,
	HTTP_STATUS,
	BYTES,
	LISTING,
	URL,
	VIA_URL, /* only where it is selected */
	FILE_NAME,
	IS_GONE,
	HAS_FAILED,
	HEARD_STATUS,
	DEAD_END,
	LOCATION,
	DEPTH,
	ATTEMPT,
	WAITS,
	NOT_BEFORE,
	WORD,
	SENTENCE,
};

static uint64_t number(const struct pv_statement *row, int column)
{
	return (uint64_t)pv_statement_number(row, column);
}

static void read_row(
    const struct pv_statement *row, struct pv_state_address *address)
{
	struct pv_standing standing;
	pv_listing_unpack((unsigned)number(row, LISTING), &standing);
	*address = (struct pv_state_address){
	    .id = number(row, ID),
	    .host_id = number(row, HOST),
	    .state = (enum pv_address_state)number(row, STATE),
	    .use = (enum pv_address_use)number(row, USE),
	    .redirects = (uint32_t)number(row, REDIRECTS),
	    .via_id = number(row, VIA),
	    .verdict = {(enum pv_reason)number(row, REASON),
		(uint32_t)number(row, LINE)},
	    .result =
		{
		    .outcome = (enum pv_outcome)number(row, OUTCOME),
		    .http_status = (uint16_t)number(row, HTTP_STATUS),
		    .bytes = number(row, BYTES),
		},
	    .is_only_list = standing.is_only_list,
	    .page_kind = standing.kind,
	    .url = pv_statement_text(row, URL),
	};
}

static void read_rest(
    const struct pv_statement *row, struct pv_state_address *address)
{
	address->via = pv_statement_text(row, VIA_URL);
	address->file = pv_statement_text(row, FILE_NAME);
	address->is_gone = number(row, IS_GONE) != 0;
	address->has_failed = number(row, HAS_FAILED) != 0;
	address->heard_status = (uint16_t)number(row, HEARD_STATUS);
	address->dead_end = (unsigned)number(row, DEAD_END);
	address->location = pv_statement_text(row, LOCATION);
	address->depth = (uint32_t)number(row, DEPTH);
	address->attempt = (uint32_t)number(row, ATTEMPT);
	address->waits = (uint32_t)number(row, WAITS);
	address->not_before_wall_ms = pv_statement_number(row, NOT_BEFORE);
	address->word = pv_statement_text(row, WORD);
	address->sentence = pv_statement_text(row, SENTENCE);
}

/* In the words of HAS_FAILED_SQL. */
bool pv_state_address_has_failed(const struct pv_state_address *address)
{
	uint16_t status = address->result.http_status;
	bool is_error = address->result.outcome != PV_OUTCOME_ANSWERED ||
			status >= 309 || status == 300 || status == 305 ||
			status == 306;
	return address->state == PV_STATE_DONE && is_error &&
	       !address->is_only_list;
}

/* Asking */

enum { FIND, FIND_FILE, FIND_LAST_VIA, GET, GET_URL, GET_CARRY };

void pv_state_addresses_init(
    struct pv_state_addresses *addresses, struct pv_database *database)
{
	static const char *const sql[PV_STATE_ADDRESS_QUESTIONS] = {
	    [FIND] = "SELECT address FROM seen WHERE origin = ?1 AND "
		     "fingerprint = ?2",
	    [FIND_FILE] = "SELECT address FROM copies WHERE file = ?1 LIMIT 1",
	    /* Only a redirect leads on from what is none but that. */
	    [FIND_LAST_VIA] = "SELECT id FROM addresses WHERE via = ?1 "
			      "ORDER BY id DESC LIMIT 1",
	    [GET] =
		"SELECT " COLUMNS ", "
		"(SELECT url FROM addresses WHERE id = address.via), file, "
		"is_gone, has_failed, heard_status, dead_ends.kind, "
		"location, depth, attempt, waits, not_before_wall_ms, " PROGRAM_SQL(
		    "program") ", " PROGRAM_SQL("program-sentence") " "
								    "FROM addresses AS address "
								    "LEFT JOIN copies ON copies.address = address.id "
								    "LEFT JOIN dead_ends ON dead_ends.address = address.id "
								    "WHERE address.id = ?1",
	    [GET_URL] = "SELECT url FROM addresses WHERE id = ?1",
	    [GET_CARRY] = "SELECT carry FROM carried WHERE address = ?1",
	};
	addresses->database = database;
	pv_statements_create(
	    addresses->questions, database, sql, PV_STATE_ADDRESS_QUESTIONS);
}

void pv_state_addresses_finish(struct pv_state_addresses *addresses)
{
	pv_statements_destroy(addresses->questions, PV_STATE_ADDRESS_QUESTIONS);
}

/* The number in the first column of the first row; 0 if there is none. */
static uint64_t first_number(struct pv_statement *statement)
{
	uint64_t first =
	    pv_statement_step(statement) ? number(statement, 0) : 0;
	pv_statement_reset(statement);
	return first;
}

uint64_t pv_state_addresses_find(
    struct pv_state_addresses *addresses, struct pv_fingerprint fingerprint)
{
	struct pv_statement *find = addresses->questions[FIND];
	pv_statement_bind_fingerprint(find, 1, fingerprint);
	return first_number(find);
}

uint64_t pv_state_addresses_find_file(
    struct pv_state_addresses *addresses, struct pv_str file)
{
	struct pv_statement *find = addresses->questions[FIND_FILE];
	pv_statement_bind_text(find, 1, file);
	return first_number(find);
}

uint64_t pv_state_addresses_find_last_via(
    struct pv_state_addresses *addresses, uint64_t via_id)
{
	struct pv_statement *find = addresses->questions[FIND_LAST_VIA];
	pv_statement_bind(find, 1, (int64_t)via_id);
	return first_number(find);
}

static bool is_sensible(const struct pv_state_addresses *addresses,
    const struct pv_state_address *address)
{
	if (address->state < PV_STATE_COUNT && address->use < PV_USE_COUNT &&
	    address->verdict.reason < PV_REASON_COUNT &&
	    address->result.outcome < PV_OUTCOME_COUNT)
		return true;
	pv_database_fail(addresses->database, PV_STORE_DAMAGED,
	    "an address is in a state that does not exist");
	return false;
}

bool pv_state_addresses_get(struct pv_state_addresses *addresses, uint64_t id,
    struct pv_state_address *address)
{
	struct pv_statement *get = addresses->questions[GET];
	pv_statement_reset(get);
	pv_statement_bind(get, 1, (int64_t)id);
	if (!pv_statement_step(get))
		return false;
	read_row(get, address);
	read_rest(get, address);
	return is_sensible(addresses, address);
}

void pv_state_addresses_let_go(struct pv_state_addresses *addresses)
{
	pv_statement_reset(addresses->questions[GET]);
}

bool pv_state_addresses_get_url(
    struct pv_state_addresses *addresses, uint64_t id, struct pv_buf *url)
{
	struct pv_statement *get = addresses->questions[GET_URL];
	pv_statement_bind(get, 1, (int64_t)id);
	bool is_there = pv_statement_step(get);
	if (is_there)
		pv_buf_append(url, pv_statement_text(get, 0));
	pv_statement_reset(get);
	return is_there;
}

void pv_state_addresses_get_carry(
    struct pv_state_addresses *addresses, uint64_t id, struct pv_buf *carry)
{
	struct pv_statement *get = addresses->questions[GET_CARRY];
	pv_statement_bind(get, 1, (int64_t)id);
	if (pv_statement_step(get))
		pv_buf_append(carry, pv_statement_text(get, 0));
	pv_statement_reset(get);
}

/* Walking */

struct pv_address_cursor {
	struct pv_statement *rows;
	enum pv_address_choice choice;
};

/* What failed is found by its index; what is bare or redirected is looked up by
 * its number, which costs no sorting. */
#define FAILED                                                                         \
	" FROM addresses AS address INDEXED BY addresses_failed WHERE " HAS_FAILED_SQL \
	" AND outcome = ?2 AND http_status = ?3"

#define LOST                                                                  \
	"SELECT address FROM dead_ends UNION ALL SELECT address FROM copies " \
	"INDEXED BY copies_lost WHERE is_gone OR has_failed"

static const char *const rows_sql[PV_ADDRESS_CHOICES] = {
    [PV_ADDRESSES_ALL] = "SELECT " COLUMNS " FROM addresses ORDER BY id "
			 "LIMIT ?1",
    [PV_ADDRESSES_BAD] =
	"SELECT " COLUMNS " FROM addresses WHERE id > ?4 AND id <= ?5 AND "
	"(state = 3 OR (state = 2 AND (outcome <> 1 OR http_status >= 300 OR "
	"EXISTS(SELECT 1 FROM copies WHERE address = id AND "
	"(is_gone OR has_failed))))) ORDER BY id LIMIT ?1",
    [PV_ADDRESSES_FAILED] =
	"SELECT " COLUMNS ", (SELECT url FROM addresses WHERE id = "
	"address.via)" FAILED " ORDER BY id LIMIT ?1",
    [PV_ADDRESSES_LOST] = LOST " LIMIT ?1",
    [PV_ADDRESSES_BARE] =
	"SELECT " COLUMNS " FROM bare_pages JOIN addresses ON "
	"id = bare_pages.address ORDER BY bare_pages.address LIMIT ?1",
    [PV_ADDRESSES_REDIRECTED] =
	"SELECT " COLUMNS " FROM redirects JOIN seen USING(origin, "
	"fingerprint) JOIN addresses ON id = seen.address LIMIT ?1",
};

static void bind_filter(
    struct pv_statement *statement, const struct pv_address_filter *filter)
{
	pv_statement_bind(
	    statement, 1, filter->max ? (int64_t)filter->max : -1);
	if (filter->choice == PV_ADDRESSES_FAILED) {
		pv_statement_bind(statement, 2, filter->outcome);
		pv_statement_bind(statement, 3, filter->http_status);
	}
	if (filter->choice == PV_ADDRESSES_BAD) {
		pv_statement_bind(statement, 4, (int64_t)filter->after);
		pv_statement_bind(
		    statement, 5, filter->to ? (int64_t)filter->to : INT64_MAX);
	}
}

struct pv_address_cursor *pv_address_cursor_open(
    struct pv_database *database, const struct pv_address_filter *filter)
{
	struct pv_address_cursor *cursor = pv_alloc(sizeof(*cursor));
	cursor->choice = filter->choice;
	cursor->rows = pv_statement_create(database, rows_sql[filter->choice]);
	bind_filter(cursor->rows, filter);
	return cursor;
}

void pv_address_cursor_close(struct pv_address_cursor *cursor)
{
	if (!cursor)
		return;
	pv_statement_destroy(cursor->rows);
	free(cursor);
}

bool pv_address_cursor_next(
    struct pv_address_cursor *cursor, struct pv_state_address *address)
{
	const struct pv_statement *row = cursor->rows;
	if (!pv_statement_step(cursor->rows))
		return false;
	if (cursor->choice == PV_ADDRESSES_LOST) {
		*address = (struct pv_state_address){.id = number(row, ID)};
		return true;
	}
	read_row(row, address);
	if (cursor->choice == PV_ADDRESSES_FAILED)
		address->via = pv_statement_text(row, VIA_URL);
	return true;
}

uint64_t pv_state_addresses_step(struct pv_database *database, uint64_t after)
{
	struct pv_statement *step =
	    pv_statement_create(database, PV_STEP_OF("addresses", "20000"));
	uint64_t to = (uint64_t)pv_statements_step(step, (int64_t)after);
	pv_statement_destroy(step);
	return to;
}

/* Counting */

uint64_t pv_state_addresses_count(
    struct pv_database *database, const struct pv_address_filter *filter)
{
	static const char *const sql[PV_ADDRESS_CHOICES] = {
	    [PV_ADDRESSES_ALL] = "SELECT 1 FROM addresses LIMIT ?1",
	    [PV_ADDRESSES_FAILED] = "SELECT 1" FAILED " LIMIT ?1",
	    [PV_ADDRESSES_BARE] = "SELECT 1 FROM bare_pages LIMIT ?1",
	};
	struct pv_statement *rows =
	    pv_statement_create(database, sql[filter->choice]);
	uint64_t count = 0;
	bind_filter(rows, filter);
	while (pv_statement_step(rows))
		count++;
	pv_statement_destroy(rows);
	return count;
}

/* By the index of what failed: a sort after the other, without those between,
 * however many of one there are. (One comparison of both columns would pass by
 * each of them.) */
#define NEXT(which)                                                       \
	"SELECT * FROM (SELECT outcome, http_status FROM addresses "      \
	"INDEXED BY addresses_failed WHERE " HAS_FAILED_SQL " AND " which \
	" ORDER BY outcome, http_status LIMIT 1)"

bool pv_state_addresses_next_failure(
    struct pv_database *database, struct pv_address_filter *filter)
{
	struct pv_statement *next = pv_statement_create(database,
	    NEXT("outcome = ?1 AND http_status > ?2") " UNION ALL " NEXT(
		"outcome > ?1") " LIMIT 1");
	pv_statement_bind(next, 1, filter->outcome);
	pv_statement_bind(next, 2, filter->http_status);
	bool is_there = pv_statement_step(next);
	if (is_there) {
		filter->outcome = (enum pv_outcome)number(next, 0);
		filter->http_status = (uint16_t)number(next, 1);
	}
	pv_statement_destroy(next);
	return is_there;
}

uint64_t pv_state_addresses_last(struct pv_database *database)
{
	return (uint64_t)pv_database_number(
	    database, "SELECT max(id) FROM addresses");
}
