#include "frontier/sqlite/handover.h"

#include <stdlib.h>

#include "base/array.h"
#include "frontier/sqlite/rejudging.h"
#include "frontier/sqlite/handover_notes.h"
#include "frontier/sqlite/readmission.h"
#include "store/statement.h"
#include "store/tables/note.h"
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
	UNMARK,
	ADDRESS,
	HOST,
	ADD_DISTANT,
	FIND_DISTANT,
	AWAIT,
	RETURN,
	OWNED,
	BUSY,
	ALL_AWAY,
	SOME_AWAY,
	OWE,
};

static const char *const sql[PV_HANDOVER_STATEMENTS] = {
    [MARKS] = "SELECT change, kind, key FROM unsent ORDER BY change LIMIT ?1",
    [NEWEST] = "SELECT ifnull(max(change), 0) FROM unsent",
    [SENT] = "DELETE FROM unsent WHERE change <= ?1",
    [UNMARK] = "DELETE FROM unsent WHERE kind = 0 AND key = ?1",
    [ADDRESS] =
	"SELECT address.url, tag, iif(via < 0, (SELECT url FROM distant_pages "
	"WHERE id = -via), (SELECT url FROM addresses WHERE id = "
	"address.via)), name, host_states.state, ifnull((SELECT hops FROM "
	"addresses WHERE id = address.via), 0) FROM addresses AS address JOIN host_states ON host_states.id = host WHERE address.id = ?1",
    [HOST] = "SELECT " PV_STATE_HOST_COLUMNS
	     ", state FROM host_states WHERE id = ?1",
    [ADD_DISTANT] = "INSERT OR IGNORE INTO distant_pages(url) VALUES(?1)",
    [FIND_DISTANT] = "SELECT id FROM distant_pages WHERE url = ?1",
    [AWAIT] = "UPDATE addresses INDEXED BY addresses_pending SET state = 4 "
	      "WHERE host = ?1 AND state = 0",
    [RETURN] = "UPDATE addresses INDEXED BY addresses_elsewhere SET state = 0 "
	       "WHERE host = ?1 AND state = 4",
    [OWNED] = "SELECT name FROM host_states WHERE state <> -1",
    [BUSY] = "SELECT name FROM host_states WHERE state > 0",
    [OWE] = "UPDATE host_states SET owes_delay = 1 WHERE id = ?1",
    [ALL_AWAY] = "UPDATE addresses SET state = 4 WHERE id IN (SELECT id FROM "
		 "addresses INDEXED BY addresses_pending WHERE state = 0 "
		 "LIMIT 500)",
    [SOME_AWAY] = "UPDATE addresses SET state = 4 WHERE id IN (SELECT id FROM "
		  "addresses INDEXED BY addresses_pending WHERE state = 0 AND "
		  "host IN (SELECT id FROM host_states WHERE state = -1) "
		  "LIMIT 500)",
};

/* Not by INSERT OR REPLACE: where a statement that changes a row says itself what is
 * to be done about conflicts, as an upsert does, that goes for its triggers, too. */
#define MARK(kind, key)                                                        \
	" BEGIN DELETE FROM unsent WHERE kind = " #kind " AND key = " key "; " \
	"INSERT INTO unsent(kind, key) VALUES(" #kind ", " key "); END;"

/* That an address is given out, comes back as it was, or waits for others now,
 * is nobody else's business. */
/* clang-format off */
static const char triggers[] =
    "CREATE TEMP TRIGGER address_is_new AFTER INSERT ON main.addresses"
    MARK(0, "NEW.id")
    "CREATE TEMP TRIGGER address_changes AFTER UPDATE ON main.addresses "
    "WHEN NEW.state <> 1 AND NOT (NEW.state = 4 AND OLD.state < 2) AND "
    "NOT (OLD.state = 1 AND NEW.state = 0 AND NEW.attempt = OLD.attempt AND "
    "NEW.waits = OLD.waits AND NEW.use = OLD.use AND "
    "NEW.not_before_wall_ms = OLD.not_before_wall_ms)"
    MARK(0, "NEW.id")
    "CREATE TEMP TRIGGER host_changes AFTER UPDATE OF left_ms, rest_ms, "
    "failures, left_reason, pages, bytes, retry_debt ON main.host_states"
    MARK(1, "NEW.id")
    "CREATE TEMP TRIGGER robots_are_new AFTER INSERT ON main.authorities"
    MARK(2, "NEW.name")
    "CREATE TEMP TRIGGER robots_change AFTER UPDATE ON main.authorities"
    MARK(2, "NEW.name")
    "CREATE TEMP TRIGGER seed_is_redirected AFTER INSERT ON main.crawl "
    "WHEN NEW.name GLOB '" PV_NOTE_SEED_REDIRECT "*'"
    MARK(3, "NEW.value");
/* clang-format on */

static void note_owned(void *ctx, struct pv_str host)
{
	const struct pv_handover *handover = ctx;
	pv_handover_notes_own(
	    handover->database, pv_handover_notes_owner(&handover->key, host));
}

void pv_handover_open(struct pv_handover *handover, struct pv_tables *tables,
    const struct pv_hash_key *key)
{
	struct pv_database *database = tables->hosts.database;
	*handover = (struct pv_handover){
	    .tables = tables, .database = database, .key = *key};
	pv_database_run(database, triggers);
	pv_handover_notes_open(database);
	pv_statements_create(
	    handover->statements, database, sql, PV_HANDOVER_STATEMENTS);
	pv_buf_init(&handover->carry, SIZE_MAX);
	pv_renewal_init(&handover->renewal);
	pv_handover_each_owned(handover, note_owned, handover);
	tables->hosts.finds_away = true;
}

void pv_handover_close(struct pv_handover *handover)
{
	pv_statements_destroy(handover->statements, PV_HANDOVER_STATEMENTS);
	pv_buf_finish(&handover->carry);
}

/* Parcels */

struct pv_parcel_item {
	struct pv_parcel parcel; /* without its texts ... */
	size_t start;            /* ... which begin here */
};

void pv_parcels_init(struct pv_parcels *parcels, size_t text_ceiling)
{
	*parcels = (struct pv_parcels){.count = 0};
	pv_buf_init(&parcels->texts, text_ceiling);
}

void pv_parcels_finish(struct pv_parcels *parcels)
{
	free(parcels->items);
	pv_buf_finish(&parcels->texts);
}

bool pv_parcels_add(struct pv_parcels *parcels, const struct pv_parcel *parcel)
{
	size_t start = parcels->texts.len;
	if (!pv_buf_append(&parcels->texts, parcel->host) ||
	    !pv_buf_append(&parcels->texts, parcel->name) ||
	    !pv_buf_append(&parcels->texts, parcel->bytes)) {
		pv_buf_cut(&parcels->texts, start);
		return false;
	}
	*PV_ARRAY_PUSH(parcels->items, parcels->count, parcels->size) =
	    (struct pv_parcel_item){.parcel = *parcel, .start = start};
	return true;
}

struct pv_parcel pv_parcels_get(const struct pv_parcels *parcels, size_t number)
{
	const struct pv_parcel_item *item = &parcels->items[number];
	struct pv_parcel parcel = item->parcel;
	struct pv_str texts =
	    pv_str_from(pv_buf_str(&parcels->texts), item->start);
	parcel.host = pv_str_head(texts, parcel.host.len);
	texts = pv_str_from(texts, parcel.host.len);
	parcel.name = pv_str_head(texts, parcel.name.len);
	texts = pv_str_from(texts, parcel.name.len);
	parcel.bytes = pv_str_head(texts, parcel.bytes.len);
	return parcel;
}

/* Out */

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
	pv_buf_clear(&handover->carry);
	pv_carry_table_get(&handover->tables->carries, id, &handover->carry);
	address.carry = pv_buf_str(&handover->carry);
	address.has_copy =
	    row->result.outcome != PV_OUTCOME_NONE &&
	    pv_copy_table_get(&handover->tables->copies, id, &address.copy);
	pv_address_pack(&address, packed);
}

/* Of another worker's host only links are passed on: what was refused here is
 * not to be visited by them, and what was fetched here while the host was owned
 * was passed on then. */
static bool is_news(enum pv_holding holding, enum pv_address_state state)
{
	return holding != PV_HOST_AWAY || state == PV_STATE_ELSEWHERE;
}

/* Each of these: false if the parcels are full. */
static bool take_address(
    struct pv_handover *handover, uint64_t id, struct pv_parcels *parcels)
{
	struct pv_statement *texts = handover->statements[ADDRESS];
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
		has_room = pv_parcels_add(parcels,
		    &(struct pv_parcel){
			.kind = holding == PV_HOST_AWAY ? PV_PARCEL_LINK
							: PV_PARCEL_ADDRESS,
			.state = row.state == PV_STATE_IN_FLIGHT
				     ? PV_STATE_PENDING
				     : row.state,
			.host = pv_statement_text(texts, 3),
			.name = pv_statement_text(texts, 0),
			.bytes = pv_buf_str(&packed),
		    });
	}
	pv_buf_finish(&packed);
	pv_statement_reset(texts);
	return has_room;
}

static int64_t left_of(int64_t left_ms, int64_t saved_ms, int64_t now_ms)
{
	int64_t passed_ms = now_ms > saved_ms ? now_ms - saved_ms : 0;
	return left_ms > passed_ms ? left_ms - passed_ms : 0;
}

#define HOLDING_COLUMN 25

static bool take_host(struct pv_handover *handover, uint64_t id, int64_t now_ms,
    struct pv_parcels *parcels)
{
	struct pv_statement *statement = handover->statements[HOST];
	struct pv_buf packed;
	bool has_room = true;
	pv_buf_init(&packed, SIZE_MAX);
	pv_statement_bind(statement, 1, (int64_t)id);
	if (pv_statement_step(statement) &&
	    pv_statement_number(statement, HOLDING_COLUMN) != PV_HOST_AWAY) {
		struct pv_host host = pv_state_host_read(statement);
		pv_host_pack(&host.state, handover->renewal.round, &packed);
		has_room = pv_parcels_add(
		    parcels, &(struct pv_parcel){
				 .kind = PV_PARCEL_HOST,
				 .host = host.name,
				 .bytes = pv_buf_str(&packed),
				 .left_ms = left_of(host.state.left_ms,
				     host.state.saved_ms, now_ms),
				 .rest_ms = host.state.wait_ms,
				 .answered_pages = host.state.pages,
				 .answered_bytes = host.state.bytes,
			     });
	}
	pv_statement_reset(statement);
	pv_buf_finish(&packed);
	return has_room;
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
    const struct pv_statement *mark, int64_t now_ms, struct pv_parcels *parcels)
{
	uint64_t id = (uint64_t)pv_statement_number(mark, 2);
	switch (pv_statement_number(mark, 1)) {
	case MARK_ADDRESS:
		return take_address(handover, id, parcels);
	case MARK_HOST:
		return take_host(handover, id, now_ms, parcels);
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

void pv_handover_take(struct pv_handover *handover, size_t max, int64_t now_ms,
    struct pv_parcels *parcels)
{
	struct pv_statement *marks = handover->statements[MARKS];
	struct pv_statement *newest = handover->statements[NEWEST];
	pv_link_batch_apply(&handover->tables->batch);
	pv_host_table_write(&handover->tables->hosts);
	if (pv_statement_step(newest))
		parcels->newest = pv_statement_number(newest, 0);
	pv_statement_reset(newest);
	pv_statement_bind(marks, 1, (int64_t)max);
	while (pv_statement_step(marks) &&
	       take_one(handover, marks, now_ms, parcels))
		parcels->change = pv_statement_number(marks, 0);
	pv_statement_reset(marks);
}

void pv_handover_sent(struct pv_handover *handover, int64_t change)
{
	pv_statement_bind(handover->statements[SENT], 1, change);
	pv_statement_run(handover->statements[SENT]);
}

/* In */

static uint64_t distant_page(struct pv_handover *handover, struct pv_str url)
{
	struct pv_statement *find = handover->statements[FIND_DISTANT];
	struct pv_statement *add = handover->statements[ADD_DISTANT];
	int64_t id = 0;
	if (!url.len)
		return 0;
	pv_statement_bind_text(add, 1, url);
	pv_statement_run(add);
	pv_statement_bind_text(find, 1, url);
	if (pv_statement_step(find))
		id = pv_statement_number(find, 0);
	pv_statement_reset(find);
	return (uint64_t)-id;
}

static struct pv_link link_of(struct pv_handover *handover,
    const struct pv_packed_address *address, struct pv_str host)
{
	return (struct pv_link){
	    .fingerprint = pv_fingerprint_of(&handover->key, address->url),
	    .via = distant_page(handover, address->via),
	    .standing = address->row.standing,
	    .url = address->url,
	    .host = host,
	    .tag = address->tag,
	    .carry = address->carry,
	    .lastmod_wall_ms = address->row.lastmod_wall_ms,
	};
}

/* What was not renewed is in the database as it is here. */
static void write_row(struct pv_handover *handover, uint64_t id,
    const struct pv_packed_address *address, bool is_renewed)
{
	struct pv_tables *tables = handover->tables;
	pv_address_table_set(&tables->addresses, id, &address->row);
	if (address->has_copy)
		pv_copy_table_set(&tables->copies, id, &address->copy);
	pv_carry_table_set(&tables->carries, id, address->carry);
	if (is_renewed)
		return;
	pv_statement_bind(handover->statements[UNMARK], 1, (int64_t)id);
	pv_statement_run(handover->statements[UNMARK]);
}

static uint64_t add_row(struct pv_handover *handover,
    const struct pv_packed_address *address, const struct pv_link *link,
    bool is_renewed)
{
	struct pv_tables *tables = handover->tables;
	uint64_t id = tables->batch.next_id++;
	pv_address_table_add_seen(&tables->addresses, link->fingerprint, id);
	pv_address_table_add(&tables->addresses, id, address->row.host_id,
	    address->row.state, link);
	pv_count_table_add(
	    &tables->counts, pv_address_row_cause(&address->row), 1);
	write_row(handover, id, address, is_renewed);
	return id;
}

/* The owner's row takes the place of ours; what was found here joins it. */
static void replace_row(struct pv_handover *handover, uint64_t id,
    const struct pv_packed_address *address, struct pv_link *link,
    bool is_renewed)
{
	struct pv_tables *tables = handover->tables;
	struct pv_address_row before;
	if (!pv_address_table_get(&tables->addresses, id, &before))
		return;
	pv_count_table_move(&tables->counts, pv_address_row_cause(&before),
	    pv_address_row_cause(&address->row));
	write_row(handover, id, address, is_renewed);
	link->standing = before.standing;
	link->carry = PV_STR("");
	pv_link_batch_push(&tables->batch, link);
}

/* What its owner before has refused may be in scope by now. */
static void readmit(
    struct pv_handover *handover, struct pv_packed_address *address)
{
	struct pv_known known = {
	    .url = address->url,
	    .was_found = address->via.len > 0,
	    .via_hops = address->via.len ? PV_HOPS_MAX : 0,
	};
	if (handover->readmits)
		pv_readmission_judge(handover->readmits, &known, &address->row);
}

/* What the owner knows of its own host is newer. */
static bool put_address(struct pv_handover *handover,
    const struct pv_parcel *parcel, int64_t now_wall_ms)
{
	struct pv_tables *tables = handover->tables;
	struct pv_packed_address address;
	enum pv_holding holding;
	if (!pv_address_unpack(parcel->bytes, &address))
		return false;
	if (address.row.state == PV_STATE_ELSEWHERE ||
	    address.row.state == PV_STATE_IN_FLIGHT)
		address.row.state = PV_STATE_PENDING;
	readmit(handover, &address);
	address.row.host_id = pv_host_table_find(
	    &tables->hosts, parcel->host, now_wall_ms, &holding);
	if (holding != PV_HOST_AWAY)
		return true;
	bool was_refused = address.row.state == PV_STATE_REFUSED;
	bool is_renewed = pv_renewal_renew(&handover->renewal, &address);
	struct pv_link link = link_of(handover, &address, parcel->host);
	uint64_t id =
	    pv_address_table_find(&tables->addresses, link.fingerprint);
	if (id)
		replace_row(handover, id, &address, &link, is_renewed);
	else
		id = add_row(handover, &address, &link, is_renewed);
	if (address.row.state == PV_STATE_REFUSED && !was_refused)
		pv_rejudging_tell_refused(
		    tables->frontier, &tables->addresses, id);
	return true;
}

static bool put_link(
    struct pv_handover *handover, const struct pv_parcel *parcel)
{
	struct pv_packed_address address;
	if (!pv_address_unpack(parcel->bytes, &address))
		return false;
	address.row.state = PV_STATE_PENDING;
	pv_renewal_renew(&handover->renewal, &address);
	struct pv_link link = link_of(handover, &address, parcel->host);
	pv_link_batch_push(&handover->tables->batch, &link);
	return true;
}

/* Its clock passes from now on. */
static bool put_host(struct pv_handover *handover,
    const struct pv_parcel *parcel, struct pv_time now)
{
	struct pv_host_table *hosts = &handover->tables->hosts;
	struct pv_host_state state;
	enum pv_holding holding;
	uint64_t round;
	if (!pv_host_unpack(parcel->bytes, &state, &round))
		return false;
	pv_renewal_renew_host(&handover->renewal, round, &state);
	uint64_t id =
	    pv_host_table_find(hosts, parcel->host, now.wall_ms, &holding);
	if (holding != PV_HOST_AWAY)
		return true;
	state.left_ms = parcel->left_ms;
	state.until_wall_ms = now.wall_ms + parcel->left_ms;
	if (state.wait_ms < state.left_ms)
		state.wait_ms = state.left_ms;
	state.saved_ms = now.monotonic_ms;
	pv_host_table_save(hosts, id, &state);
	pv_host_table_forget_held(hosts, id);
	return true;
}

static bool put_robots(
    struct pv_handover *handover, const struct pv_parcel *parcel)
{
	struct pv_saved_robots robots;
	struct pv_str text;
	struct pv_buf copy;
	if (!pv_robots_unpack(parcel->bytes, &robots, &text))
		return false;
	pv_buf_init(&copy, SIZE_MAX);
	pv_buf_append(&copy, text);
	pv_robots_table_set(handover->database, parcel->name, &robots,
	    robots.has_copy ? &copy : NULL);
	pv_buf_finish(&copy);
	return true;
}

bool pv_handover_put(struct pv_handover *handover,
    const struct pv_parcel *parcel, struct pv_time now)
{
	switch (parcel->kind) {
	case PV_PARCEL_ADDRESS:
		return put_address(handover, parcel, now.wall_ms);
	case PV_PARCEL_LINK:
		return put_link(handover, parcel);
	case PV_PARCEL_HOST:
		return put_host(handover, parcel, now);
	case PV_PARCEL_ROBOTS:
		return put_robots(handover, parcel);
	case PV_PARCEL_REDIRECT: /* these are not the tables' */
	case PV_PARCEL_NOTE:
	case PV_PARCEL_VOUCHER:
	case PV_PARCEL_KINDS:
		break;
	}
	return false;
}

/* Owners */

static void count_moved(struct pv_handover *handover,
    enum pv_address_state from, enum pv_address_state to, int64_t count)
{
	struct pv_count_table *counts = &handover->tables->counts;
	pv_count_table_add(counts, (struct pv_cause){.state = from}, -count);
	pv_count_table_add(counts, (struct pv_cause){.state = to}, count);
}

static int64_t run_for(struct pv_statement *statement, uint64_t host_id)
{
	pv_statement_bind(statement, 1, (int64_t)host_id);
	return pv_statement_run(statement);
}

bool pv_handover_own(
    struct pv_handover *handover, struct pv_str host, bool owes_delay)
{
	struct pv_tables *tables = handover->tables;
	enum pv_holding holding;
	uint64_t id = pv_host_table_find(&tables->hosts, host, 0, &holding);
	if (holding >= PV_HOST_IDLE)
		return false;
	pv_link_batch_apply(&tables->batch);
	pv_host_table_write(&tables->hosts);
	if (owes_delay)
		run_for(handover->statements[OWE], id);
	pv_host_table_set_holding(&tables->hosts, id, PV_HOST_IDLE);
	note_owned(handover, host);
	count_moved(handover, PV_STATE_ELSEWHERE, PV_STATE_PENDING,
	    run_for(handover->statements[RETURN], id));
	if (pv_address_table_has_pending(&tables->addresses, id))
		pv_link_batch_wake(&tables->batch, id, PV_HOST_IDLE);
	return true;
}

/* What goes to others is not taken back by being loaded. */
bool pv_handover_owns(struct pv_handover *handover, struct pv_str host)
{
	enum pv_holding holding;
	pv_host_table_find(&handover->tables->hosts, host, 0, &holding);
	return holding != PV_HOST_AWAY;
}

bool pv_handover_leave(struct pv_handover *handover, struct pv_str host)
{
	struct pv_host_table *hosts = &handover->tables->hosts;
	enum pv_holding holding;
	uint64_t id = pv_host_table_find(hosts, host, 0, &holding);
	if (holding >= PV_HOST_HELD)
		return false;
	if (holding != PV_HOST_AWAY)
		pv_host_table_set_holding(hosts, id, PV_HOST_DEPARTING);
	return true;
}

static void give(struct pv_handover *handover, uint64_t id)
{
	pv_host_table_set_holding(&handover->tables->hosts, id, PV_HOST_AWAY);
	count_moved(handover, PV_STATE_PENDING, PV_STATE_ELSEWHERE,
	    run_for(handover->statements[AWAIT], id));
}

void pv_handover_give(struct pv_handover *handover, struct pv_str host)
{
	struct pv_tables *tables = handover->tables;
	enum pv_holding holding;
	pv_link_batch_apply(&tables->batch);
	uint64_t id = pv_host_table_find(&tables->hosts, host, 0, &holding);
	if (holding != PV_HOST_DEPARTING)
		return;
	give(handover, id);
	pv_handover_notes_give(
	    handover->database, pv_handover_notes_owner(&handover->key, host));
}

static void let_wait(struct pv_handover *handover, struct pv_statement *some)
{
	struct pv_tables *tables = handover->tables;
	int64_t count;
	do {
		count = pv_statement_run(some);
		count_moved(
		    handover, PV_STATE_PENDING, PV_STATE_ELSEWHERE, count);
		pv_count_table_write(&tables->counts);
		pv_writer_cut(tables->writer, (size_t)count);
	} while (count > 0);
}

void pv_handover_give_judged(struct pv_handover *handover)
{
	let_wait(handover, handover->statements[SOME_AWAY]);
}

void pv_handover_give_all(struct pv_handover *handover)
{
	let_wait(handover, handover->statements[ALL_AWAY]);
	pv_database_run(handover->database,
	    "UPDATE host_states SET state = -1 WHERE state <> -1");
	pv_handover_notes_give_all(handover->database);
}

void pv_handover_join_round(
    struct pv_handover *handover, uint64_t number, int64_t now_wall_ms)
{
	struct pv_tables *tables = handover->tables;
	pv_part_table_clear(&tables->parts);
	pv_host_table_count_anew(handover->database, tables->writer);
	pv_round_table_join(&tables->round, number, now_wall_ms);
}

static void each(struct pv_statement *hosts, pv_owned_fn call, void *ctx)
{
	while (pv_statement_step(hosts))
		call(ctx, pv_statement_text(hosts, 0));
}

void pv_handover_each_owned(
    struct pv_handover *handover, pv_owned_fn call, void *ctx)
{
	each(handover->statements[OWNED], call, ctx);
}

void pv_handover_each_busy(
    struct pv_handover *handover, pv_owned_fn call, void *ctx)
{
	each(handover->statements[BUSY], call, ctx);
}
