#include "frontier/sqlite/kind_numbers.h"

#include "base/buf.h"
#include "record/standing.h"

/* Where the number stands in `listing`, and all that is not it
 * (pv_listing_pack). */
#define KIND "(listing >> 9)"
#define THE_REST "(listing & 511)"

/* The kinds that change, as SQL has a list: those that go, or all. */
static bool list(
    const unsigned char *numbers, bool only_gone, struct pv_buf *sql)
{
	bool has_some = false;
	pv_buf_append_char(sql, '(');
	for (unsigned i = 1; i <= PV_PAGE_KINDS_MAX; i++) {
		if (numbers[i] == i || (only_gone && numbers[i]))
			continue;
		pv_buf_append_format(sql, "%s%u", has_some ? ", " : "", i);
		has_some = true;
	}
	pv_buf_append_char(sql, ')');
	return has_some;
}

static void drop_carried(
    struct pv_database *database, const unsigned char *numbers)
{
	struct pv_buf sql;
	pv_buf_init(&sql, SIZE_MAX);
	pv_buf_append_text(&sql,
	    "DELETE FROM carried WHERE (SELECT " KIND " FROM addresses "
	    "WHERE id = carried.address) IN ");
	if (list(numbers, true, &sql))
		pv_database_run(database, pv_buf_text(&sql));
	pv_buf_finish(&sql);
}

static void change(struct pv_database *database, const unsigned char *numbers)
{
	struct pv_buf sql;
	pv_buf_init(&sql, SIZE_MAX);
	pv_buf_append_text(
	    &sql, "UPDATE addresses SET listing = " THE_REST " | (CASE " KIND);
	for (unsigned i = 1; i <= PV_PAGE_KINDS_MAX; i++)
		pv_buf_append_format(
		    &sql, " WHEN %u THEN %u", i, (unsigned)numbers[i]);
	pv_buf_append_text(&sql, " ELSE 0 END << 9) WHERE " KIND " IN ");
	if (list(numbers, false, &sql))
		pv_database_run(database, pv_buf_text(&sql));
	pv_buf_finish(&sql);
}

void pv_kind_numbers_map(
    struct pv_database *database, const unsigned char *numbers)
{
	drop_carried(database, numbers);
	change(database, numbers);
}
