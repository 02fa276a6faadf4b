#include "frontier/sqlite/address_table.h"

#include "store/statement.h"

enum {
	ADD_SEEN,
	FIND,
	ADD,
	GET,
	SET,
	PENDING,
	FLY,
	RETURN,
	RETURN_SOME,
	HAS_PENDING,
	REFUSED,
	REFUSED_ONE,
	URL,
	KEEP,
	NEXT_KEPT,
};

/* Where an address was found; by another worker of a fleet, if the number is
 * negative. */
#define VIA(address)                                                     \
	"iif(" address ".via < 0, (SELECT url FROM distant_pages WHERE " \
	"id = -" address ".via), (SELECT url FROM addresses WHERE "      \
	"id = " address ".via))"

#define SELECT_REFUSED                                                \
	"SELECT id, host, depth, redirects, reason, line, url, " VIA( \
	    "refused") ", tag "                                       \
		       "FROM addresses AS refused WHERE "

/* `INDEXED BY` where another plan would read the whole table. */
static const char *const sql[PV_ADDRESS_STATEMENTS] = {
    [ADD_SEEN] = "INSERT OR IGNORE INTO seen(origin, fingerprint, "
		 "address) VALUES(?1, ?2, ?3)",
    [FIND] = "SELECT address FROM seen WHERE origin = ?1 AND "
	     "fingerprint = ?2",
    [ADD] = "INSERT INTO addresses(id, host, state, use, depth, depth_left, "
	    "hops, redirects, attempt, reason, line, outcome, http_status, "
	    "bytes, may_lead_further, via, listing, lastmod_wall_ms, tag, url) "
	    "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?9, ?10, 0, 0, 0, 0, "
	    "?11, ?12, ?13, ?14, ?15)",
    [GET] = "SELECT host, state, use, depth, depth_left, hops, redirects, "
	    "attempt, reason, line, outcome, http_status, bytes, "
	    "may_lead_further, not_before_wall_ms, waits, listing, "
	    "lastmod_wall_ms FROM addresses WHERE id = ?1",
    [SET] = "UPDATE addresses SET state = ?2, use = ?3, depth = ?4, "
	    "depth_left = ?5, hops = ?6, redirects = ?7, attempt = ?8, "
	    "reason = ?9, line = ?10, outcome = ?11, http_status = ?12, "
	    "bytes = ?13, may_lead_further = ?14, not_before_wall_ms = ?15, "
	    "waits = ?16, listing = ?17, lastmod_wall_ms = ?18 "
	    "WHERE id = ?1",
    [PENDING] =
	"SELECT id, use, depth, depth_left, hops, redirects, "
	"attempt, outcome, url, " VIA(
	    "pending") ", tag, "
		       "not_before_wall_ms, waits, listing "
		       "FROM addresses AS pending "
		       "INDEXED BY addresses_pending WHERE host = ?1 AND state = 0 "
		       "ORDER BY attempt, depth, id LIMIT ?2",
    [FLY] = "UPDATE addresses SET state = 1 WHERE id = ?1",
    [RETURN] = "UPDATE addresses INDEXED BY addresses_in_flight "
	       "SET state = 0 WHERE host = ?1 AND state = 1",
    [RETURN_SOME] = "UPDATE addresses SET state = 0 WHERE id IN (SELECT id "
		    "FROM addresses INDEXED BY addresses_in_flight "
		    "WHERE state = 1 LIMIT ?1)",
    [HAS_PENDING] = "SELECT 1 FROM addresses INDEXED BY addresses_pending "
		    "WHERE host = ?1 AND state = 0 LIMIT 1",
    [REFUSED] = SELECT_REFUSED "id > ?1 AND state = 3 ORDER BY id LIMIT ?2",
    [REFUSED_ONE] = SELECT_REFUSED "id = ?1 AND state = 3",
    [URL] = "SELECT url FROM addresses WHERE id = ?1 UNION ALL "
	    "SELECT url FROM distant_pages WHERE id = -?1",
    [KEEP] = "INSERT OR REPLACE INTO rejudged(id, state, use, depth, "
	     "depth_left, hops, redirects, attempt, reason, line, outcome, "
	     "http_status, bytes, may_lead_further, not_before_wall_ms, waits, "
	     "listing, lastmod_wall_ms) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
	     "?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
    [NEXT_KEPT] = "SELECT addresses.host, kept.state, kept.use, kept.depth, "
		  "kept.depth_left, kept.hops, kept.redirects, kept.attempt, "
		  "kept.reason, kept.line, kept.outcome, kept.http_status, "
		  "kept.bytes, kept.may_lead_further, kept.not_before_wall_ms, "
		  "kept.waits, kept.listing, kept.lastmod_wall_ms, kept.id "
		  "FROM rejudged AS kept JOIN addresses "
		  "ON addresses.id = kept.id "
		  "WHERE kept.id > ?1 ORDER BY kept.id LIMIT 1",
};

/* Beside the eight bits of pv_listing_pack; round_table.c and link_room.c read
 * it, too. */
#define LEFT_OUT_BIT 256u

struct pv_cause pv_address_row_cause(const struct pv_address_row *row)
{
	struct pv_cause cause = {.state = row->state};
	if (row->state == PV_STATE_DONE)
		cause.cause = row->result.outcome;
	else if (row->state == PV_STATE_REFUSED)
		cause.cause = row->verdict.reason;
	return cause;
}

void pv_address_row_ask_anew(struct pv_address_row *row)
{
	row->state = PV_STATE_PENDING;
	row->attempt = 0;
	row->waits = 0;
	row->not_before_wall_ms = 0;
}

void pv_address_table_init(
    struct pv_address_table *table, struct pv_database *database)
{
	table->database = database;
	pv_statements_create(
	    table->statements, database, sql, PV_ADDRESS_STATEMENTS);
}

void pv_address_table_finish(struct pv_address_table *table)
{
	pv_statements_destroy(table->statements, PV_ADDRESS_STATEMENTS);
}

uint64_t pv_address_table_last(struct pv_address_table *table)
{
	return (uint64_t)pv_database_number(
	    table->database, "SELECT max(id) FROM addresses");
}

bool pv_address_table_add_seen(struct pv_address_table *table,
    struct pv_fingerprint fingerprint, uint64_t id)
{
	struct pv_statement *statement = table->statements[ADD_SEEN];
	pv_statement_bind_fingerprint(statement, 1, fingerprint);
	pv_statement_bind(statement, 3, (int64_t)id);
	return pv_statement_run(statement) == 1;
}

uint64_t pv_address_table_find(
    struct pv_address_table *table, struct pv_fingerprint fingerprint)
{
	struct pv_statement *statement = table->statements[FIND];
	uint64_t id = 0;
	pv_statement_bind_fingerprint(statement, 1, fingerprint);
	if (pv_statement_step(statement))
		id = (uint64_t)pv_statement_number(statement, 0);
	pv_statement_reset(statement);
	return id;
}

void pv_address_table_add(struct pv_address_table *table, uint64_t id,
    uint64_t host_id, enum pv_address_state state, const struct pv_link *link)
{
	struct pv_statement *statement = table->statements[ADD];
	const struct pv_standing *standing = &link->standing;
	const int64_t values[] = {(int64_t)id, (int64_t)host_id, state,
	    standing->use, standing->depth, standing->depth_left,
	    standing->hops, standing->redirects, standing->verdict.reason,
	    standing->verdict.line, (int64_t)link->via,
	    pv_listing_pack(standing), link->lastmod_wall_ms};
	for (int i = 0; i < (int)(sizeof(values) / sizeof(*values)); i++)
		pv_statement_bind(statement, i + 1, values[i]);
	if (link->tag.len)
		pv_statement_bind_text(statement, 14, link->tag);
	else
		pv_statement_bind_null(statement, 14);
	pv_statement_bind_text(statement, 15, link->url);
	pv_statement_run(statement);
}

static struct pv_address_row read_row(const struct pv_statement *row)
{
	struct pv_verdict verdict = {
	    .reason = (enum pv_reason)pv_statement_number(row, 8),
	    .line = (uint32_t)pv_statement_number(row, 9)};
	struct pv_address_row found = {
	    .host_id = (uint64_t)pv_statement_number(row, 0),
	    .state = (enum pv_address_state)pv_statement_number(row, 1),
	    .standing =
		{
		    .use = (enum pv_address_use)pv_statement_number(row, 2),
		    .verdict = verdict,
		    .depth = (uint32_t)pv_statement_number(row, 3),
		    .depth_left = (uint32_t)pv_statement_number(row, 4),
		    .hops = (uint32_t)pv_statement_number(row, 5),
		    .redirects = (uint32_t)pv_statement_number(row, 6),
		},
	    .verdict = verdict,
	    .attempt = (uint32_t)pv_statement_number(row, 7),
	    .result =
		{
		    .outcome = (enum pv_outcome)pv_statement_number(row, 10),
		    .http_status = (uint16_t)pv_statement_number(row, 11),
		    .bytes = (uint64_t)pv_statement_number(row, 12),
		    .may_lead_further = pv_statement_number(row, 13) != 0,
		},
	    .not_before_wall_ms = pv_statement_number(row, 14),
	    .waits = (uint32_t)pv_statement_number(row, 15),
	    .lastmod_wall_ms = pv_statement_number(row, 17),
	};
	unsigned listing = (unsigned)pv_statement_number(row, 16);
	pv_listing_unpack(listing, &found.standing);
	found.is_left_out = (listing & LEFT_OUT_BIT) != 0;
	return found;
}

/* What makes no sense is a fault. */
static bool is_sensible(
    struct pv_address_table *table, const struct pv_address_row *row)
{
	if (row->state >= PV_STATE_COUNT || row->standing.use >= PV_USE_COUNT ||
	    row->verdict.reason >= PV_REASON_COUNT ||
	    row->result.outcome >= PV_OUTCOME_COUNT)
		pv_database_fail(table->database, PV_STORE_DAMAGED,
		    "an address is in a state that does not exist");
	return pv_database_status(table->database) == PV_STORE_OK;
}

bool pv_address_table_get(
    struct pv_address_table *table, uint64_t id, struct pv_address_row *row)
{
	struct pv_statement *statement = table->statements[GET];
	pv_statement_bind(statement, 1, (int64_t)id);
	bool is_there = pv_statement_step(statement);
	if (is_there)
		*row = read_row(statement);
	pv_statement_reset(statement);
	return is_there && is_sensible(table, row);
}

void pv_address_table_url(
    struct pv_address_table *table, uint64_t id, struct pv_buf *url)
{
	struct pv_statement *statement = table->statements[URL];
	pv_statement_bind(statement, 1, (int64_t)id);
	if (pv_statement_step(statement))
		pv_buf_append(url, pv_statement_text(statement, 0));
	pv_statement_reset(statement);
}

static void write_row(struct pv_statement *statement, uint64_t id,
    const struct pv_address_row *row)
{
	const int64_t values[] = {(int64_t)id, row->state, row->standing.use,
	    row->standing.depth, row->standing.depth_left, row->standing.hops,
	    row->standing.redirects, row->attempt, row->verdict.reason,
	    row->verdict.line, row->result.outcome, row->result.http_status,
	    (int64_t)row->result.bytes, row->result.may_lead_further,
	    row->not_before_wall_ms, row->waits,
	    pv_listing_pack(&row->standing) |
		(row->is_left_out ? LEFT_OUT_BIT : 0),
	    row->lastmod_wall_ms};
	for (int i = 0; i < (int)(sizeof(values) / sizeof(*values)); i++)
		pv_statement_bind(statement, i + 1, values[i]);
	pv_statement_run(statement);
}

void pv_address_table_set(struct pv_address_table *table, uint64_t id,
    const struct pv_address_row *row)
{
	write_row(table->statements[SET], id, row);
}

void pv_address_table_keep(struct pv_address_table *table, uint64_t id,
    const struct pv_address_row *row)
{
	write_row(table->statements[KEEP], id, row);
}

uint64_t pv_address_table_next_kept(
    struct pv_address_table *table, uint64_t after, struct pv_address_row *row)
{
	struct pv_statement *statement = table->statements[NEXT_KEPT];
	uint64_t id = 0;
	pv_statement_bind(statement, 1, (int64_t)after);
	if (pv_statement_step(statement)) {
		*row = read_row(statement);
		id = (uint64_t)pv_statement_number(statement, 18);
	}
	pv_statement_reset(statement);
	return id && is_sensible(table, row) ? id : 0;
}

static struct pv_visit read_visit(
    const struct pv_statement *row, uint64_t host_id)
{
	struct pv_visit visit = {
	    .id = (uint64_t)pv_statement_number(row, 0),
	    .host_id = host_id,
	    .standing =
		{
		    .use = (enum pv_address_use)pv_statement_number(row, 1),
		    .depth = (uint32_t)pv_statement_number(row, 2),
		    .depth_left = (uint32_t)pv_statement_number(row, 3),
		    .hops = (uint32_t)pv_statement_number(row, 4),
		    .redirects = (uint32_t)pv_statement_number(row, 5),
		},
	    .attempt = (uint32_t)pv_statement_number(row, 6),
	    .is_repeated = pv_statement_number(row, 7) != PV_OUTCOME_NONE,
	    .url = pv_statement_text(row, 8),
	    .via = pv_statement_text(row, 9),
	    .tag = pv_statement_text(row, 10),
	    .not_before_wall_ms = pv_statement_number(row, 11),
	    .waits = (uint32_t)pv_statement_number(row, 12),
	};
	pv_listing_unpack(
	    (unsigned)pv_statement_number(row, 13), &visit.standing);
	return visit;
}

static void fly(struct pv_address_table *table, uint64_t id)
{
	pv_statement_bind(table->statements[FLY], 1, (int64_t)id);
	pv_statement_run(table->statements[FLY]);
}

bool pv_address_table_take(struct pv_address_table *table, uint64_t host_id,
    size_t max, struct pv_visit_list *visits)
{
	struct pv_statement *statement = table->statements[PENDING];
	size_t first = visits->count;
	bool has_room = true;
	pv_statement_bind(statement, 1, (int64_t)host_id);
	pv_statement_bind(
	    statement, 2, max < INT64_MAX ? (int64_t)max : INT64_MAX);
	while (has_room && pv_statement_step(statement)) {
		struct pv_visit visit = read_visit(statement, host_id);
		if (table->complete)
			table->complete(table->complete_ctx, &visit);
		has_room = pv_visit_list_add(visits, &visit);
	}
	pv_statement_reset(statement);
	for (size_t i = first; i < visits->count; i++)
		fly(table, pv_visit_list_get(visits, i).id);
	return has_room;
}

uint64_t pv_address_table_return(
    struct pv_address_table *table, uint64_t host_id)
{
	struct pv_statement *statement = table->statements[RETURN];
	pv_statement_bind(statement, 1, (int64_t)host_id);
	return (uint64_t)pv_statement_run(statement);
}

uint64_t pv_address_table_return_some(
    struct pv_address_table *table, uint64_t max)
{
	struct pv_statement *statement = table->statements[RETURN_SOME];
	pv_statement_bind(statement, 1, (int64_t)max);
	return (uint64_t)pv_statement_run(statement);
}

bool pv_address_table_has_pending(
    struct pv_address_table *table, uint64_t host_id)
{
	struct pv_statement *statement = table->statements[HAS_PENDING];
	pv_statement_bind(statement, 1, (int64_t)host_id);
	bool has_pending = pv_statement_step(statement);
	pv_statement_reset(statement);
	return has_pending;
}

static struct pv_visit read_refused(const struct pv_statement *row)
{
	return (struct pv_visit){
	    .id = (uint64_t)pv_statement_number(row, 0),
	    .host_id = (uint64_t)pv_statement_number(row, 1),
	    .standing =
		{
		    .use = PV_REFUSED,
		    .depth = (uint32_t)pv_statement_number(row, 2),
		    .redirects = (uint32_t)pv_statement_number(row, 3),
		    .verdict =
			{
			    .reason =
				(enum pv_reason)pv_statement_number(row, 4),
			    .line = (uint32_t)pv_statement_number(row, 5),
			},
		},
	    .url = pv_statement_text(row, 6),
	    .via = pv_statement_text(row, 7),
	    .tag = pv_statement_text(row, 8),
	};
}

void pv_address_table_refused(struct pv_address_table *table, uint64_t after,
    size_t max, struct pv_visit_list *visits)
{
	struct pv_statement *statement = table->statements[REFUSED];
	pv_statement_bind(statement, 1, (int64_t)after);
	pv_statement_bind(statement, 2, (int64_t)max);
	while (pv_statement_step(statement)) {
		struct pv_visit visit = read_refused(statement);
		if (!pv_visit_list_add(visits, &visit))
			break;
	}
	pv_statement_reset(statement);
}

bool pv_address_table_get_refused(
    struct pv_address_table *table, uint64_t id, struct pv_visit *visit)
{
	struct pv_statement *statement = table->statements[REFUSED_ONE];
	pv_statement_bind(statement, 1, (int64_t)id);
	bool is_there = pv_statement_step(statement);
	if (is_there)
		*visit = read_refused(statement);
	return is_there;
}

void pv_address_table_reset_refused(struct pv_address_table *table)
{
	pv_statement_reset(table->statements[REFUSED_ONE]);
}

/* Pages without a link before them are seeds and where these were redirected
 * to, but for those that only a sitemap among the seeds has named; so is a
 * refused address that somebody named, or that such a page was redirected to.
 * Parts of a seed's page lie no deeper than it, and are none; nor is what is
 * out of scope since the seeds are others, nor what another shard asks for. */
uint64_t pv_address_table_failed_seeds(struct pv_address_table *table)
{
	return (uint64_t)pv_database_number(table->database,
	    "SELECT count(*) FROM addresses AS seed WHERE depth = 0 AND "
	    "listing & (8 | 256) = 0 AND "
	    "(use = 2 OR via = 0 OR (use = 0 AND redirects > 0 AND 2 = "
	    "(SELECT use FROM addresses WHERE id = seed.via AND listing & 8 = 0))) "
	    "AND "
	    "((state = 3 AND reason <> 37) OR "
	    "(state = 2 AND (outcome <> 1 OR http_status >= 400 OR "
	    "(http_status >= 300 AND "
	    "EXISTS(SELECT 1 FROM dead_ends WHERE address = seed.id)) OR "
	    "EXISTS(SELECT 1 FROM copies WHERE address = seed.id AND "
	    "(is_gone OR has_failed)))))");
}
