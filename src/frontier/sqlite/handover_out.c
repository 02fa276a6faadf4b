#include "frontier/sqlite/handover_out.h"

#include "base/least.h"
#include "frontier/sqlite/handover.h"
#include "frontier/sqlite/handover_notes.h"
#include "frontier/sqlite/handover_owners.h"
#include "store/statement.h"
#include "store/tables/state_hosts.h"

/* What a mark is of. */
enum {
	MARK_ADDRESS,
	MARK_HOST,
	MARK_ROBOTS,
	MARK_REDIRECT,
	MARK_BODIES,
	MARK_SESSION,
	MARK_VOUCHER,
	MARK_SITE_HOST,
	MARK_REFUSALS,
};

enum {
	MARKS,
	NEWEST,
	SENT,
	ADDRESS,
	HOST,
};

static const char *const sql[PV_HANDOVER_OUT] = {
    [MARKS] = "SELECT change, kind, key FROM unsent ORDER BY change LIMIT ?1",
    [NEWEST] = "SELECT ifnull(max(change), 0) FROM unsent",
    [SENT] = "DELETE FROM unsent WHERE change <= ?1",
    [ADDRESS] = "SELECT address.url, address.tag, iif(address.via < 0, (SELECT "
		"url FROM distant_pages WHERE id = -address.via), page.url), "
		"name, host_states.state, ifnull(page.hops, 0) FROM addresses "
		"AS address JOIN host_states ON host_states.id = address.host "
		"LEFT JOIN addresses AS page ON page.id = address.via WHERE "
		"address.id = ?1",
    [HOST] = "SELECT " PV_STATE_HOST_COLUMNS
	     ", state FROM host_states WHERE id = ?1",
};

void pv_handover_out_open(struct pv_handover *handover)
{
	pv_statements_create(
	    handover->out, handover->database, sql, PV_HANDOVER_OUT);
}

void pv_handover_out_close(struct pv_handover *handover)
{
	pv_statements_destroy(handover->out, PV_HANDOVER_OUT);
}

/* What another worker was given since is newer than what this one was. */
static bool find_rows(
    struct pv_handover *handover, uint64_t id, struct pv_page_rows *rows)
{
	struct pv_buf *texts = &handover->row_texts;
	bool has_rows =
	    pv_page_rows_table_get_distant(&handover->rows, id, texts, rows) ||
	    pv_page_rows_table_get(&handover->rows, id, texts, rows);
	handover->has_rows |= has_rows;
	return has_rows;
}

static void pack_address(struct pv_handover *handover, uint64_t id,
    const struct pv_statement *texts, struct pv_address_row *row,
    struct pv_buf *packed)
{
	struct pv_packed_address address = {
	    .row = *row,
	    .url = pv_statement_text(texts, 0),
	    .tag = pv_statement_text(texts, 1),
	    .via = pv_statement_text(texts, 2),
	    .via_hops = (uint32_t)pv_statement_number(texts, 5),
	    .policy = handover->renewal.policy,
	    .round = handover->renewal.round,
	};
	if (address.row.state == PV_STATE_IN_FLIGHT)
		address.row.state = PV_STATE_PENDING;
	pv_address_shift(&address.row, handover->server_ahead_ms);
	pv_buf_clear(&handover->carry);
	pv_carry_table_get(&handover->tables->carries, id, &handover->carry);
	address.carry = pv_buf_str(&handover->carry);
	address.has_copy =
	    row->result.outcome != PV_OUTCOME_NONE &&
	    pv_copy_table_get(&handover->tables->copies, id, &address.copy);
	address.has_rows =
	    address.has_copy && find_rows(handover, id, &address.rows);
	pv_address_pack(&address, packed);
}

/* Of another worker's host links are passed on, and what was refused here, which
 * another policy may admit: what was fetched here while the host was owned was
 * passed on then. */
static bool is_news(enum pv_holding holding, enum pv_address_state state)
{
	return holding != PV_HOST_AWAY || state == PV_STATE_ELSEWHERE ||
	       state == PV_STATE_REFUSED;
}

static unsigned state_of(
    enum pv_parcel_kind kind, const struct pv_address_row *row)
{
	if (kind == PV_PARCEL_REFUSED)
		return row->verdict.reason;
	return row->state == PV_STATE_IN_FLIGHT ? PV_STATE_PENDING : row->state;
}

static enum pv_parcel_kind kind_of(
    enum pv_holding holding, enum pv_address_state state)
{
	if (holding != PV_HOST_AWAY)
		return PV_PARCEL_ADDRESS;
	return state == PV_STATE_REFUSED ? PV_PARCEL_REFUSED : PV_PARCEL_LINK;
}

/* Each of these: false if the parcels are full. */
static bool take_address(
    struct pv_handover *handover, uint64_t id, struct pv_parcels *parcels)
{
	struct pv_statement *texts = handover->out[ADDRESS];
	struct pv_address_row row;
	struct pv_buf packed;
	bool has_room = true;
	pv_statement_bind(texts, 1, (int64_t)id);
	if (!pv_statement_step(texts))
		return true;
	enum pv_holding holding =
	    (enum pv_holding)pv_statement_number(texts, 4);
	pv_buf_init(&packed, SIZE_MAX);
	if (pv_address_table_get(&handover->tables->addresses, id, &row) &&
	    is_news(holding, row.state)) {
		pack_address(handover, id, texts, &row, &packed);
		enum pv_parcel_kind kind = kind_of(holding, row.state);
		has_room = pv_parcels_add(
		    parcels, &(struct pv_parcel){
				 .kind = kind,
				 .state = state_of(kind, &row),
				 .host = pv_statement_text(texts, 3),
				 .name = pv_statement_text(texts, 0),
				 .bytes = pv_buf_str(&packed),
			     });
	}
	pv_buf_finish(&packed);
	pv_statement_reset(texts);
	return has_room;
}

/* Of its delay, by the clock that no one sets; of what it has asked for, such as a
 * Retry-After, by the wall clock, but no more than it was. */
static int64_t left_of(const struct pv_host_state *state, struct pv_time now)
{
	int64_t passed_ms = pv_larger(0, now.monotonic_ms - state->saved_ms);
	int64_t left_ms = state->until_wall_ms > now.wall_ms
			      ? state->until_wall_ms - now.wall_ms
			      : 0;
	if (left_ms > state->wait_ms)
		left_ms = state->wait_ms;
	return pv_larger(left_ms, pv_larger(0, state->left_ms - passed_ms));
}

static bool take_own(struct pv_handover *handover, struct pv_host *host,
    int64_t left_ms, struct pv_parcels *parcels)
{
	struct pv_buf packed;
	pv_buf_init(&packed, SIZE_MAX);
	pv_host_shift(&host->state, handover->server_ahead_ms);
	pv_host_pack(&host->state, handover->renewal.round, &packed);
	bool has_room =
	    pv_parcels_add(parcels, &(struct pv_parcel){
					.kind = PV_PARCEL_HOST,
					.host = host->name,
					.bytes = pv_buf_str(&packed),
					.left_ms = left_ms,
					.rest_ms = host->state.wait_ms,
					.answered_pages = host->state.pages,
					.answered_bytes = host->state.bytes,
				    });
	pv_buf_finish(&packed);
	return has_room;
}

/* A shorter rest is over before its new owner hears of it. */
#define NEWS_MS 1000

/* What it has asked for while it was owned here may not have been passed on before it
 * was lost. */
static bool take_rest(
    struct pv_str host, int64_t left_ms, struct pv_parcels *parcels)
{
	return left_ms <= NEWS_MS ||
	       pv_parcels_add(parcels, &(struct pv_parcel){
					   .kind = PV_PARCEL_REST,
					   .host = host,
					   .left_ms = left_ms,
				       });
}

#define HOLDING_COLUMN 25

static bool take_host(struct pv_handover *handover, uint64_t id,
    struct pv_time now, struct pv_parcels *parcels)
{
	struct pv_statement *statement = handover->out[HOST];
	bool has_room = true;
	pv_statement_bind(statement, 1, (int64_t)id);
	if (pv_statement_step(statement)) {
		struct pv_host host = pv_state_host_read(statement);
		int64_t left_ms = left_of(&host.state, now);
		bool is_own = pv_statement_number(statement, HOLDING_COLUMN) !=
			      PV_HOST_AWAY;
		has_room = is_own ? take_own(handover, &host, left_ms, parcels)
				  : take_rest(host.name, left_ms, parcels);
	}
	pv_statement_reset(statement);
	return has_room;
}

int64_t pv_handover_left(
    struct pv_handover *handover, uint64_t host_id, struct pv_time now)
{
	struct pv_statement *statement = handover->out[HOST];
	int64_t left_ms = 0;
	pv_statement_bind(statement, 1, (int64_t)host_id);
	if (pv_statement_step(statement)) {
		struct pv_host host = pv_state_host_read(statement);
		left_ms = left_of(&host.state, now);
	}
	pv_statement_reset(statement);
	return left_ms;
}

/* "https://[::1]:8443" is of the host "[::1]". */
static struct pv_str host_of(struct pv_str authority)
{
	size_t colon = pv_str_find(authority, ':');
	if (colon == PV_NOT_FOUND || authority.len - colon < sizeof("//"))
		return authority;
	struct pv_str host = pv_str_from(authority, colon + sizeof("//"));
	size_t from = pv_str_find(host, ']');
	size_t port = pv_str_find(
	    pv_str_from(host, from == PV_NOT_FOUND ? 0 : from), ':');
	if (port == PV_NOT_FOUND)
		return host;
	return pv_str_head(host, (from == PV_NOT_FOUND ? 0 : from) + port);
}

/* Where the host was lost since, its next owner may have a newer one. */
static bool take_robots(struct pv_handover *handover, struct pv_str authority,
    struct pv_parcels *parcels)
{
	struct pv_saved_robots robots;
	struct pv_buf copy, packed;
	bool has_room = true;
	if (!pv_handover_owns(handover, host_of(authority)))
		return true;
	pv_buf_init(&copy, SIZE_MAX);
	pv_buf_init(&packed, SIZE_MAX);
	if (pv_robots_table_get(
		handover->database, authority, &robots, &copy)) {
		pv_robots_shift(&robots, handover->server_ahead_ms);
		pv_robots_pack(&robots, pv_buf_str(&copy), &packed);
		has_room =
		    pv_parcels_add(parcels, &(struct pv_parcel){
						.kind = PV_PARCEL_ROBOTS,
						.host = host_of(authority),
						.name = authority,
						.bytes = pv_buf_str(&packed),
					    });
	}
	pv_buf_finish(&copy);
	pv_buf_finish(&packed);
	return has_room;
}

static bool take_redirect(struct pv_str url, struct pv_parcels *parcels)
{
	return pv_parcels_add(parcels,
	    &(struct pv_parcel){.kind = PV_PARCEL_REDIRECT, .name = url});
}

static bool take_one(struct pv_handover *handover,
    const struct pv_statement *mark, struct pv_time now,
    struct pv_parcels *parcels)
{
	uint64_t id = (uint64_t)pv_statement_number(mark, 2);
	switch (pv_statement_number(mark, 1)) {
	case MARK_ADDRESS:
		return take_address(handover, id, parcels);
	case MARK_HOST:
		return take_host(handover, id, now, parcels);
	case MARK_REDIRECT:
		return take_redirect(pv_statement_text(mark, 2), parcels);
	case MARK_BODIES:
		return pv_handover_notes_take_bodies(
		    handover->database, pv_statement_text(mark, 2), parcels);
	case MARK_VOUCHER:
		return pv_handover_notes_take_voucher(
		    handover, pv_statement_text(mark, 2), parcels);
	case MARK_SITE_HOST:
		return pv_handover_notes_take_host(
		    handover->database, (int64_t)id, parcels);
	case MARK_REFUSALS:
		return pv_handover_notes_take_refusals(
		    handover, (int64_t)id, parcels);
	case MARK_SESSION:
		return pv_handover_notes_take_session(
		    handover->database, (int64_t)id, parcels);
	default:
		return take_robots(
		    handover, pv_statement_text(mark, 2), parcels);
	}
}

void pv_handover_take(struct pv_handover *handover, size_t max,
    struct pv_time now, struct pv_parcels *parcels)
{
	struct pv_statement *marks = handover->out[MARKS];
	struct pv_statement *newest = handover->out[NEWEST];
	pv_link_batch_apply(&handover->tables->batch);
	pv_host_table_write(&handover->tables->hosts);
	if (pv_statement_step(newest))
		parcels->newest = pv_statement_number(newest, 0);
	pv_statement_reset(newest);
	pv_statement_bind(marks, 1, (int64_t)max);
	while (
	    pv_statement_step(marks) && take_one(handover, marks, now, parcels))
		parcels->change = pv_statement_number(marks, 0);
	pv_statement_reset(marks);
}

void pv_handover_sent(struct pv_handover *handover, int64_t change)
{
	pv_statement_bind(handover->out[SENT], 1, change);
	pv_statement_run(handover->out[SENT]);
}
