#include "frontier/sqlite/handover_notes.h"

#include "base/reader.h"
#include "frontier/sqlite/handover.h"
#include "frontier/sqlite/handover_owners.h"
#include "frontier/sqlite/parcels.h"
#include "store/statement.h"

/* Without the dot of the root, as traps know it (policy/values/host_pattern.h). */
uint64_t pv_handover_notes_owner(
    const struct pv_hash_key *key, struct pv_str host)
{
	if (host.len > 1 && host.ptr[host.len - 1] == '.')
		host.len--;
	return pv_hash(key, host);
}

/* Marks */

#define MARK PV_HANDOVER_MARK

#define BODIES(row) "printf('%d %d', " row ".slot, " row ".host)"

#define IS_OWN(row) \
	"WHEN EXISTS(SELECT 1 FROM own_hosts WHERE hash = " row ".host) "

/* A slot that is another's now says no more of what was there before. */
/* clang-format off */
static const char tables[] =
    "CREATE TEMP TABLE own_hosts(hash INTEGER PRIMARY KEY);"
    "CREATE TEMP TRIGGER bodies_are_new AFTER INSERT ON main.trap_bodies "
    IS_OWN("NEW") "BEGIN " MARK(4, BODIES("NEW")) "END;"
    "CREATE TEMP TRIGGER bodies_change AFTER UPDATE ON main.trap_bodies "
    IS_OWN("NEW") "BEGIN " MARK(4, BODIES("NEW")) "END;"
    "CREATE TEMP TRIGGER bodies_give_way AFTER UPDATE ON main.trap_bodies "
    IS_OWN("OLD") "AND OLD.host <> NEW.host "
    "BEGIN " MARK(4, BODIES("OLD")) "END;"
    "CREATE TEMP TRIGGER bodies_go AFTER DELETE ON main.trap_bodies "
    IS_OWN("OLD") "BEGIN " MARK(4, BODIES("OLD")) "END;"
    "CREATE TEMP TRIGGER session_is_new AFTER INSERT ON main.trap_sessions "
    "BEGIN " MARK(5, "NEW.id") "END;"
    "CREATE TEMP TRIGGER site_host_is_new AFTER INSERT ON main.trap_hosts "
    "BEGIN " MARK(7, "NEW.id") "END;"
    "CREATE TEMP TRIGGER refusal_is_new AFTER INSERT ON main.trap_refusals "
    "BEGIN " MARK(8, "NEW.host") "END;"
    "CREATE TEMP TRIGGER refusals_change AFTER UPDATE ON main.trap_refusals "
    "BEGIN " MARK(8, "NEW.host") "END;"
    "CREATE TEMP TRIGGER voucher_is_new AFTER INSERT ON main.vouchers "
    "BEGIN " MARK(6, "printf('%d %s', NEW.sitemap, NEW.host)") "END;";
/* clang-format on */

static void run_for(
    struct pv_database *database, const char *sql, uint64_t owner)
{
	struct pv_statement *statement = pv_statement_create(database, sql);
	pv_statement_bind(statement, 1, (int64_t)owner);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

void pv_handover_notes_open(struct pv_database *database)
{
	pv_database_run(database, tables);
}

void pv_handover_notes_own(struct pv_database *database, uint64_t owner)
{
	run_for(database, "INSERT OR IGNORE INTO own_hosts VALUES(?1)", owner);
}

void pv_handover_notes_give(struct pv_database *database, uint64_t owner)
{
	run_for(database, "DELETE FROM own_hosts WHERE hash = ?1", owner);
}

void pv_handover_notes_give_all(struct pv_database *database)
{
	pv_database_run(database, "DELETE FROM own_hosts");
}

/* Parcels */

static void pack(const struct pv_trap_body *body, struct pv_buf *packed)
{
	const int64_t numbers[] = {
	    (int64_t)body->key, (int64_t)body->body, body->count};
	pv_numbers_pack(numbers, 3, packed);
}

bool pv_handover_notes_read(struct pv_str bytes, struct pv_trap_body *body)
{
	int64_t numbers[3];
	if (!pv_numbers_unpack(bytes, numbers, 3))
		return false;
	body->key = (uint64_t)numbers[0];
	body->body = (uint64_t)numbers[1];
	body->count = numbers[2];
	return true;
}

/* Hashes may be negative there. */
static bool take_number(struct pv_reader *reader, int64_t *number)
{
	bool is_negative = pv_reader_accept(reader, '-');
	uint64_t read;
	if (!pv_reader_take_number(
		reader, (uint64_t)INT64_MAX + is_negative, &read))
		return false;
	*number = (int64_t)(is_negative ? 0 - read : read);
	return true;
}

/* "SLOT HOST" */
static bool read_mark(struct pv_str mark, int64_t *slot, int64_t *host)
{
	struct pv_reader reader = pv_reader_of(mark);
	return take_number(&reader, slot) && pv_reader_accept(&reader, ' ') &&
	       take_number(&reader, host) && pv_reader_is_end(&reader);
}

static bool is_own(struct pv_database *database, int64_t host)
{
	struct pv_statement *own = pv_statement_create(
	    database, "SELECT 1 FROM own_hosts WHERE hash = ?1");
	pv_statement_bind(own, 1, host);
	bool is_there = pv_statement_step(own);
	pv_statement_destroy(own);
	return is_there;
}

bool pv_handover_notes_take_bodies(struct pv_database *database,
    struct pv_str mark, struct pv_parcels *parcels)
{
	struct pv_trap_body body;
	struct pv_buf packed;
	int64_t slot, host;
	if (!read_mark(mark, &slot, &host) || !is_own(database, host))
		return true;
	pv_buf_init(&packed, 100);
	if (pv_trap_table_get_body(database, slot, &body) &&
	    (int64_t)body.host == host)
		pack(&body, &packed);
	bool has_room =
	    pv_parcels_add(parcels, &(struct pv_parcel){.kind = PV_PARCEL_NOTE,
					.state = PV_NOTE_BODIES,
					.owner = host,
					.key = slot,
					.bytes = pv_buf_str(&packed)});
	pv_buf_finish(&packed);
	return has_room;
}

bool pv_handover_notes_take_session(
    struct pv_database *database, int64_t id, struct pv_parcels *parcels)
{
	struct pv_trap_session session;
	return !pv_trap_table_get_session(database, id, &session) ||
	       pv_parcels_add(
		   parcels, &(struct pv_parcel){.kind = PV_PARCEL_NOTE,
				.state = PV_NOTE_SESSION,
				.owner = (int64_t)session.host,
				.key = id,
				.bytes = PV_STR("1")});
}

bool pv_handover_notes_take_host(
    struct pv_database *database, int64_t id, struct pv_parcels *parcels)
{
	struct pv_trap_host host;
	return !pv_trap_table_get_host(database, id, &host) ||
	       pv_parcels_add(
		   parcels, &(struct pv_parcel){.kind = PV_PARCEL_NOTE,
				.state = PV_NOTE_HOST,
				.owner = (int64_t)host.site,
				.key = id,
				.bytes = PV_STR("1")});
}

bool pv_handover_notes_take_refusals(
    struct pv_handover *handover, int64_t host_id, struct pv_parcels *parcels)
{
	struct pv_buf packed;
	bool has_room = true;
	struct pv_statement *row = pv_statement_create(handover->database,
	    "SELECT name, count FROM trap_refusals JOIN host_states ON "
	    "host_states.id = host WHERE host = ?1 AND state <> -1");
	pv_buf_init(&packed, 100);
	pv_statement_bind(row, 1, host_id);
	if (pv_statement_step(row)) {
		int64_t count = pv_statement_number(row, 1);
		pv_numbers_pack(&count, 1, &packed);
		has_room = pv_parcels_add(
		    parcels, &(struct pv_parcel){.kind = PV_PARCEL_NOTE,
				 .state = PV_NOTE_REFUSALS,
				 .owner = (int64_t)pv_handover_notes_owner(
				     &handover->key, pv_statement_text(row, 0)),
				 .bytes = pv_buf_str(&packed)});
	}
	pv_statement_destroy(row);
	pv_buf_finish(&packed);
	return has_room;
}

bool pv_handover_notes_put_refusals(
    struct pv_handover *handover, struct pv_str host, struct pv_str bytes)
{
	int64_t count;
	if (!pv_numbers_unpack(bytes, &count, 1) || count < 0)
		return false;
	struct pv_statement *set = pv_statement_create(handover->database,
	    "INSERT INTO trap_refusals(host, count) SELECT id, ?2 FROM "
	    "host_states WHERE name = ?1 "
	    "ON CONFLICT(host) DO UPDATE SET count = ?2");
	pv_statement_bind_text(set, 1, host);
	pv_statement_bind(set, 2, count);
	pv_statement_run(set);
	pv_statement_destroy(set);
	return true;
}

/* Vouchers */

/* "SITEMAP HOST" */
static bool read_voucher_mark(struct pv_str mark, struct pv_voucher *voucher)
{
	struct pv_reader reader = pv_reader_of(mark);
	int64_t sitemap;
	if (!take_number(&reader, &sitemap) || !pv_reader_accept(&reader, ' '))
		return false;
	*voucher = (struct pv_voucher){
	    .sitemap = (uint64_t)sitemap, .host = pv_reader_rest(&reader)};
	return true;
}

bool pv_handover_notes_read_voucher(
    struct pv_str bytes, struct pv_voucher *voucher)
{
	struct pv_reader reader = pv_reader_of(bytes);
	if (!read_voucher_mark(
		pv_reader_take(&reader, pv_str_find(bytes, '\n')), voucher) ||
	    !pv_reader_accept(&reader, '\n'))
		return false;
	voucher->at = pv_reader_rest(&reader);
	return voucher->host.len && voucher->at.len;
}

/* The note, and where the sitemap's host is another worker's, the message. */
static bool add_voucher(struct pv_handover *handover,
    const struct pv_voucher *voucher, struct pv_str bytes,
    struct pv_parcels *parcels)
{
	struct pv_parcel parcel = {.kind = PV_PARCEL_NOTE,
	    .state = PV_NOTE_VOUCHER,
	    .owner =
		(int64_t)pv_handover_notes_owner(&handover->key, voucher->at),
	    .key = (int64_t)pv_hash(&handover->key, bytes),
	    .bytes = bytes};
	size_t count = parcels->count;
	if (!pv_parcels_add(parcels, &parcel))
		return false;
	if (pv_handover_owns(handover, voucher->at))
		return true;
	parcel.kind = PV_PARCEL_VOUCHER;
	parcel.host = voucher->at;
	if (pv_parcels_add(parcels, &parcel))
		return true;
	parcels->count = count;
	return false;
}

bool pv_handover_notes_take_voucher(struct pv_handover *handover,
    struct pv_str mark, struct pv_parcels *parcels)
{
	struct pv_voucher voucher;
	struct pv_buf at, bytes;
	bool has_room = true;
	if (!read_voucher_mark(mark, &voucher))
		return true;
	pv_buf_init(&at, SIZE_MAX);
	pv_buf_init(&bytes, SIZE_MAX);
	if (pv_voucher_table_get_at(handover->database, &voucher, &at)) {
		voucher.at = pv_buf_str(&at);
		pv_buf_append(&bytes, mark);
		pv_buf_append_char(&bytes, '\n');
		pv_buf_append(&bytes, voucher.at);
		has_room = add_voucher(
		    handover, &voucher, pv_buf_str(&bytes), parcels);
	}
	pv_buf_finish(&bytes);
	pv_buf_finish(&at);
	return has_room;
}
