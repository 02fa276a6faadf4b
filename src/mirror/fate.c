#include "mirror/fate.h"

#include "http/status.h"
#include "record/standing.h"
#include "store/statement.h"

#define ADDRESS_MAX ((size_t)1 << 20)
#define FILE_MAX ((size_t)1 << 16)

/* So many files are looked for one by one, each through all of them; to put
 * them in order takes about as long. */
#define SCANS_MAX 4

enum { FIND, GET, NEXT, NEXT_BAD, SCAN, FIND_FILE };

static const char *const sql[PV_FATE_STATEMENTS] = {
    [FIND] = "SELECT address FROM seen WHERE fingerprint = ?1",
    [GET] = "SELECT address.state, outcome, http_status, bytes, reason, line, "
	    "via, is_gone, has_failed, listing, url, "
	    "(SELECT url FROM addresses WHERE id = address.via), file "
	    "FROM addresses AS address "
	    "LEFT JOIN copies ON copies.address = address.id "
	    "WHERE address.id = ?1",
    /* Only a redirect leads on from what is none but that. */
    [NEXT] = "SELECT id FROM addresses WHERE via = ?1 "
	     "ORDER BY id DESC LIMIT 1",
    [NEXT_BAD] = "SELECT id FROM addresses WHERE state = 3 OR (state = 2 AND "
		 "(outcome <> 1 OR http_status >= 400 OR id IN "
		 "(SELECT address FROM copies WHERE is_gone OR has_failed))) "
		 "ORDER BY id",
    [SCAN] = "SELECT address FROM copies WHERE file = ?1 LIMIT 1",
};

/* A table of our own, that spills to the disk, and what needs it. */
static const char order_sql[] =
    "CREATE TEMP TABLE by_file AS"
    " SELECT file, address FROM copies WHERE file IS NOT NULL;"
    "CREATE INDEX temp.files ON by_file(file)";
static const char find_file_sql[] =
    "SELECT address FROM by_file WHERE file = ?1 LIMIT 1";

void pv_fate_init(struct pv_fate *fate)
{
	*fate = (struct pv_fate){.kind = PV_FATE_UNSEEN};
	pv_buf_init(&fate->url, ADDRESS_MAX);
	pv_buf_init(&fate->via, ADDRESS_MAX);
	pv_buf_init(&fate->file, FILE_MAX);
}

void pv_fate_finish(struct pv_fate *fate)
{
	pv_buf_finish(&fate->url);
	pv_buf_finish(&fate->via);
	pv_buf_finish(&fate->file);
}

void pv_fates_init(struct pv_fates *fates, const struct pv_kept_state *state)
{
	*fates = (struct pv_fates){.state = state};
	for (size_t i = 0; i < PV_FATE_STATEMENTS; i++) {
		if (sql[i])
			fates->statements[i] =
			    pv_statement_create(state->database, sql[i]);
	}
}

void pv_fates_finish(struct pv_fates *fates)
{
	for (size_t i = 0; i < PV_FATE_STATEMENTS; i++)
		pv_statement_destroy(fates->statements[i]);
}

/* Finding */

/* The number in the first column of the first row; 0 if there is none. */
static uint64_t first_number(struct pv_statement *statement)
{
	uint64_t number = 0;
	if (pv_statement_step(statement))
		number = (uint64_t)pv_statement_number(statement, 0);
	pv_statement_reset(statement);
	return number;
}

uint64_t pv_fates_find(struct pv_fates *fates, uint64_t key)
{
	struct pv_statement *statement = fates->statements[FIND];
	pv_statement_bind(statement, 1, (int64_t)key);
	return first_number(statement);
}

static void put_in_order(struct pv_fates *fates)
{
	struct pv_database *database = fates->state->database;
	pv_database_run(database, order_sql);
	fates->statements[FIND_FILE] =
	    pv_statement_create(database, find_file_sql);
	fates->has_by_file = true;
}

uint64_t pv_fates_find_file(struct pv_fates *fates, struct pv_str file)
{
	if (fates->scans++ == SCANS_MAX)
		put_in_order(fates);
	struct pv_statement *statement =
	    fates->statements[fates->has_by_file ? FIND_FILE : SCAN];
	pv_statement_bind_text(statement, 1, file);
	return first_number(statement);
}

uint64_t pv_fates_next(struct pv_fates *fates, uint64_t id)
{
	struct pv_statement *statement = fates->statements[NEXT];
	pv_statement_bind(statement, 1, (int64_t)id);
	return first_number(statement);
}

uint64_t pv_fates_next_bad(struct pv_fates *fates)
{
	struct pv_statement *statement = fates->statements[NEXT_BAD];
	if (!pv_statement_step(statement))
		return 0;
	return (uint64_t)pv_statement_number(statement, 0);
}

/* What became of it */

static enum pv_fate_kind kind_of_answer(const struct pv_answer *answer)
{
	if (answer->outcome == PV_OUTCOME_TOO_LARGE ||
	    answer->outcome == PV_OUTCOME_NOT_ACCEPTED)
		return PV_FATE_LEFT;
	if (answer->outcome != PV_OUTCOME_ANSWERED)
		return PV_FATE_BROKEN;
	switch (pv_http_class(answer->http_status)) {
	case PV_HTTP_SUCCESS:
		return PV_FATE_GOOD;
	case PV_HTTP_REDIRECTION:
		return PV_FATE_MOVED;
	default:
		return PV_FATE_BROKEN;
	}
}

static enum pv_fate_kind kind_of(
    const struct pv_fate *fate, bool is_gone, bool has_failed)
{
	if (fate->state == PV_STATE_REFUSED)
		return PV_FATE_REFUSED;
	if (fate->state != PV_STATE_DONE)
		return PV_FATE_PENDING;
	if (is_gone)
		return PV_FATE_GONE;
	return has_failed ? PV_FATE_LOST : kind_of_answer(&fate->answer);
}

static void read_row(const struct pv_statement *row, struct pv_fate *fate)
{
	struct pv_standing standing;
	fate->state = (enum pv_address_state)pv_statement_number(row, 0);
	fate->answer = (struct pv_answer){
	    .outcome = (enum pv_outcome)pv_statement_number(row, 1),
	    .http_status = (uint16_t)pv_statement_number(row, 2),
	    .bytes = (uint64_t)pv_statement_number(row, 3),
	};
	fate->verdict = (struct pv_verdict){
	    .reason = (enum pv_reason)pv_statement_number(row, 4),
	    .line = (uint32_t)pv_statement_number(row, 5),
	};
	fate->via_id = (uint64_t)pv_statement_number(row, 6);
	fate->kind = kind_of(fate, pv_statement_number(row, 7) != 0,
	    pv_statement_number(row, 8) != 0);
	pv_listing_unpack((unsigned)pv_statement_number(row, 9), &standing);
	fate->is_linked = !standing.is_only_list;
	pv_buf_append(&fate->url, pv_statement_text(row, 10));
	pv_buf_append(&fate->via, pv_statement_text(row, 11));
	pv_buf_append(&fate->file, pv_statement_text(row, 12));
}

void pv_fates_get(struct pv_fates *fates, uint64_t id, struct pv_fate *fate)
{
	struct pv_statement *statement = fates->statements[GET];
	pv_buf_clear(&fate->url);
	pv_buf_clear(&fate->via);
	pv_buf_clear(&fate->file);
	fate->kind = PV_FATE_UNSEEN;
	fate->id = id;
	pv_statement_bind(statement, 1, (int64_t)id);
	if (pv_statement_step(statement))
		read_row(statement, fate);
	else
		fate->id = 0;
	pv_statement_reset(statement);
}

/* A refusal is our own, but for these: nobody could have got there. */
bool pv_fate_is_broken(const struct pv_fate *fate)
{
	switch (fate->kind) {
	case PV_FATE_BROKEN:
	case PV_FATE_GONE:
	case PV_FATE_LOST:
		return true;
	case PV_FATE_REFUSED:
		return fate->verdict.reason == PV_REASON_REDIRECTS ||
		       fate->verdict.reason == PV_REASON_ROBOTS_UNREACHABLE;
	default:
		return false;
	}
}
