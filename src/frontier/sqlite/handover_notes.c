#include "frontier/sqlite/handover_notes.h"

#include "base/reader.h"
#include "frontier/sqlite/handover.h"
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

#define MARK(kind, key)                                            \
	"DELETE FROM unsent WHERE kind = " #kind " AND key = " key \
	"; INSERT INTO unsent(kind, key) VALUES(" #kind ", " key "); "

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
    "BEGIN " MARK(5, "NEW.id") "END;";
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

/* "SLOT HOST"; hashes may be negative there. */
static bool read_mark(struct pv_str mark, int64_t *slot, int64_t *host)
{
	struct pv_reader reader = pv_reader_of(mark);
	uint64_t number;
	bool is_negative;
	if (!pv_reader_take_number(&reader, INT64_MAX, &number) ||
	    !pv_reader_accept(&reader, ' '))
		return false;
	*slot = (int64_t)number;
	is_negative = pv_reader_accept(&reader, '-');
	if (!pv_reader_take_number(
		&reader, (uint64_t)INT64_MAX + is_negative, &number))
		return false;
	*host = (int64_t)(is_negative ? 0 - number : number);
	return pv_reader_is_end(&reader);
}

bool pv_handover_notes_take_bodies(struct pv_database *database,
    struct pv_str mark, struct pv_parcels *parcels)
{
	struct pv_trap_body body;
	struct pv_buf packed;
	int64_t slot, host;
	if (!read_mark(mark, &slot, &host))
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
