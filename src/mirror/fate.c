#include "mirror/fate.h"

#include "http/status.h"
#include "record/standing.h"
#include "store/statement.h"

#define ADDRESS_MAX ((size_t)1 << 20)
#define FILE_MAX ((size_t)1 << 16)

/* So many files are looked for one by one, each through all of them; to read
 * them all takes about as long. */
#define SCANS_MAX 4

enum { FIND, GET, NEXT, NEXT_BAD, SCAN };

static const char *const sql[PV_FATE_STATEMENTS] = {
    [FIND] = "SELECT address FROM seen WHERE origin = ?1 AND "
	     "fingerprint = ?2",
    [GET] = "SELECT address.state, outcome, http_status, bytes, reason, line, "
	    "via, is_gone, has_failed, listing, url, "
	    "(SELECT url FROM addresses WHERE id = address.via), file, "
	    "heard_status, dead_ends.kind, location "
	    "FROM addresses AS address "
	    "LEFT JOIN copies ON copies.address = address.id "
	    "LEFT JOIN dead_ends ON dead_ends.address = address.id "
	    "WHERE address.id = ?1",
    /* Only a redirect leads on from what is none but that. */
    [NEXT] = "SELECT id FROM addresses WHERE via = ?1 "
	     "ORDER BY id DESC LIMIT 1",
    [NEXT_BAD] = "SELECT id FROM addresses WHERE state = 3 OR (state = 2 AND "
		 "(outcome <> 1 OR http_status >= 300 OR id IN "
		 "(SELECT address FROM copies WHERE is_gone OR has_failed))) "
		 "ORDER BY id",
    [SCAN] = "SELECT address FROM copies WHERE file = ?1 LIMIT 1",
};

void pv_fate_init(struct pv_fate *fate)
{
	*fate = (struct pv_fate){.kind = PV_FATE_UNSEEN};
	pv_buf_init(&fate->url, ADDRESS_MAX);
	pv_buf_init(&fate->via, ADDRESS_MAX);
	pv_buf_init(&fate->file, FILE_MAX);
	pv_buf_init(&fate->location, ADDRESS_MAX);
}

void pv_fate_finish(struct pv_fate *fate)
{
	pv_buf_finish(&fate->url);
	pv_buf_finish(&fate->via);
	pv_buf_finish(&fate->file);
	pv_buf_finish(&fate->location);
}

void pv_fates_init(struct pv_fates *fates, const struct pv_kept_state *state)
{
	*fates = (struct pv_fates){.state = state};
	for (size_t i = 0; i < PV_FATE_STATEMENTS; i++)
		fates->statements[i] =
		    pv_statement_create(state->database, sql[i]);
	pv_redirects_open(&fates->redirects, state->database);
	pv_url_init(&fates->url, ADDRESS_MAX);
	pv_buf_init(&fates->target, ADDRESS_MAX);
}

void pv_fates_finish(struct pv_fates *fates)
{
	for (size_t i = 0; i < PV_FATE_STATEMENTS; i++)
		pv_statement_destroy(fates->statements[i]);
	pv_redirects_close(&fates->redirects);
	pv_url_finish(&fates->url);
	pv_buf_finish(&fates->target);
	pv_kept_files_destroy(fates->files);
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

uint64_t pv_fates_find(
    struct pv_fates *fates, struct pv_fingerprint fingerprint)
{
	struct pv_statement *statement = fates->statements[FIND];
	pv_statement_bind_fingerprint(statement, 1, fingerprint);
	return first_number(statement);
}

uint64_t pv_fates_find_file(struct pv_fates *fates, struct pv_str file)
{
	struct pv_statement *scan = fates->statements[SCAN];
	if (fates->scans++ == SCANS_MAX)
		fates->files = pv_kept_files_read(fates->state->database);
	if (fates->files)
		return (uint64_t)pv_kept_files_get(fates->files, file);
	pv_statement_bind_text(scan, 1, file);
	return first_number(scan);
}

bool pv_fates_target(struct pv_fates *fates, const struct pv_fate *fate,
    struct pv_fingerprint *target)
{
	pv_buf_clear(&fates->target);
	if (!pv_redirects_get(&fates->redirects,
		pv_fingerprint_of(&fates->state->key, pv_buf_str(&fate->url)),
		&fates->target) ||
	    pv_url_parse(&fates->url, pv_buf_str(&fates->target)) != PV_URL_OK)
		return false;
	*target = pv_kept_state_fingerprint(fates->state, &fates->url);
	return true;
}

uint64_t pv_fates_next(struct pv_fates *fates, const struct pv_fate *fate)
{
	struct pv_statement *next = fates->statements[NEXT];
	struct pv_fingerprint target;
	uint64_t id = pv_fates_target(fates, fate, &target)
			  ? pv_fates_find(fates, target)
			  : 0;
	if (id)
		return id;
	pv_statement_bind(next, 1, (int64_t)fate->id);
	return first_number(next);
}

uint64_t pv_fates_next_bad(struct pv_fates *fates)
{
	struct pv_statement *statement = fates->statements[NEXT_BAD];
	if (!pv_statement_step(statement))
		return 0;
	return (uint64_t)pv_statement_number(statement, 0);
}

/* What became of it */

/* What leaves the choice to a person leads no browser on (RFC 9110, 15.4.1);
 * and that nothing has changed is said of what was answered before, which is kept
 * in its place. */
static enum pv_fate_kind kind_of_redirection(int status)
{
	return pv_http_is_redirect(status) ? PV_FATE_MOVED : PV_FATE_BROKEN;
}

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
		return kind_of_redirection(answer->http_status);
	default:
		return PV_FATE_BROKEN;
	}
}

/* What was there and is redirected now is not lost. */
static enum pv_fate_kind kind_of_loss(struct pv_fate *fate, bool is_gone)
{
	if (!pv_http_is_redirect(fate->heard_status))
		return is_gone ? PV_FATE_GONE : PV_FATE_LOST;
	fate->answer.http_status = fate->heard_status;
	return PV_FATE_MOVED;
}

static enum pv_fate_kind kind_of(
    struct pv_fate *fate, bool is_gone, bool has_failed)
{
	if (fate->state == PV_STATE_REFUSED)
		return PV_FATE_REFUSED;
	if (fate->state != PV_STATE_DONE)
		return PV_FATE_PENDING;
	if (is_gone || has_failed)
		return kind_of_loss(fate, is_gone);
	return kind_of_answer(&fate->answer);
}

/* Turns what has moved into what leads to nothing, where it does. */
static void read_dead_end(const struct pv_statement *row, struct pv_fate *fate)
{
	int64_t end = pv_statement_number(row, 14);
	if (fate->kind != PV_FATE_MOVED || end <= PV_DEAD_END_NONE ||
	    end >= PV_DEAD_END_COUNT)
		return;
	fate->dead_end = (enum pv_dead_end)end;
	fate->kind = end == PV_DEAD_END_ITSELF || end == PV_DEAD_END_SAME
			 ? PV_FATE_CIRCLE
			 : PV_FATE_NOWHERE;
	pv_buf_append(&fate->location, pv_statement_text(row, 15));
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
	fate->heard_status = (uint16_t)pv_statement_number(row, 13);
	fate->kind = kind_of(fate, pv_statement_number(row, 7) != 0,
	    pv_statement_number(row, 8) != 0);
	read_dead_end(row, fate);
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
	pv_buf_clear(&fate->location);
	fate->dead_end = PV_DEAD_END_NONE;
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
	case PV_FATE_CIRCLE:
	case PV_FATE_NOWHERE:
	case PV_FATE_GONE:
	case PV_FATE_LOST:
		return true;
	case PV_FATE_REFUSED:
		return pv_reason_get(fate->verdict.reason)->kind ==
		       PV_KIND_BROKEN;
	default:
		return false;
	}
}
