#include "store/tables/kept_pages.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "record/standing.h"
#include "store/statement.h"

enum { ID, URL, FILE_NAME, DIGEST, CARRY, LISTING, FETCHED };

/* A page for readers: the word in `use`, and the bit in `listing`. */
#define IS_PAGE "use = 2 AND listing & 4 = 0"
#define IS_KEPT "ifnull(file, '') <> '' AND NOT is_gone"

_Static_assert(PV_PAGE == 2, "as SQL has it");

struct pv_kept_page_cursor {
	struct pv_statement *rows;
};

struct pv_kept_page_cursor *pv_kept_page_cursor_open(
    struct pv_database *database)
{
	struct pv_kept_page_cursor *cursor = pv_alloc(sizeof(*cursor));
	cursor->rows = pv_statement_create(database,
	    "SELECT id, url, file, digest, carry, listing, fetched_wall_ms "
	    "FROM copies CROSS JOIN addresses ON addresses.id = copies.address "
	    "LEFT JOIN carried ON carried.address = copies.address "
	    "WHERE " IS_KEPT " AND " IS_PAGE " ORDER BY copies.address");
	return cursor;
}

void pv_kept_page_cursor_close(struct pv_kept_page_cursor *cursor)
{
	if (!cursor)
		return;
	pv_statement_destroy(cursor->rows);
	free(cursor);
}

bool pv_kept_page_cursor_next(
    struct pv_kept_page_cursor *cursor, struct pv_kept_page_row *row)
{
	const struct pv_statement *rows = cursor->rows;
	struct pv_standing standing;
	if (!pv_statement_step(cursor->rows))
		return false;
	pv_listing_unpack(
	    (unsigned)pv_statement_number(rows, LISTING), &standing);
	*row = (struct pv_kept_page_row){
	    .id = (uint64_t)pv_statement_number(rows, ID),
	    .url = pv_statement_text(rows, URL),
	    .file = pv_statement_text(rows, FILE_NAME),
	    .digest = pv_statement_text(rows, DIGEST),
	    .carry = pv_statement_text(rows, CARRY),
	    .kind = standing.kind,
	    .fetched_wall_ms = pv_statement_number(rows, FETCHED),
	};
	return true;
}

uint64_t pv_kept_pages_count(struct pv_database *database)
{
	return (uint64_t)pv_database_number(database,
	    "SELECT count(*) FROM copies CROSS JOIN addresses "
	    "ON addresses.id = copies.address WHERE " IS_KEPT " AND " IS_PAGE);
}

uint64_t pv_kept_pages_missing(struct pv_database *database)
{
	return (uint64_t)pv_database_number(database,
	    "SELECT count(*) FROM addresses LEFT JOIN copies "
	    "ON copies.address = addresses.id WHERE state = 2 AND " IS_PAGE
	    " AND outcome = 1 AND http_status BETWEEN 200 AND 299 "
	    "AND ifnull(file, '') = ''");
}
