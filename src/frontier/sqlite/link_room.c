#include "frontier/sqlite/link_room.h"

enum { MARK, UNMARK, NEXT, COUNT_TRAPS, ADD_TRAP };

#define HOST_OF_PAGE "(SELECT host FROM addresses WHERE id = ?1)"

/* What is out of scope keeps its mark, for when it is not any more: the bit is
 * address_table.c's. */
#define IS_IN_SCOPE                                               \
	"NOT EXISTS(SELECT 1 FROM addresses WHERE id = page AND " \
	"listing & 256) "

static const char *const sql[PV_LINK_ROOM_STATEMENTS] = {
    [MARK] = "INSERT INTO left_links(page, cause) VALUES(?1, ?2) "
	     "ON CONFLICT(page) DO UPDATE SET cause = cause | ?2",
    [UNMARK] = "DELETE FROM left_links WHERE page = ?1",
    [NEXT] =
	"SELECT page FROM left_links AS pages WHERE page > ?1 AND " IS_IN_SCOPE
	"AND ((?2 AND cause & 1) OR (cause & 2 AND ?3 > ifnull((SELECT count "
	"FROM trap_refusals WHERE host = (SELECT host FROM addresses "
	"WHERE id = pages.page)), 0))) ORDER BY page LIMIT 1",
    [COUNT_TRAPS] =
	"SELECT count FROM trap_refusals WHERE host = " HOST_OF_PAGE,
    [ADD_TRAP] = "INSERT INTO trap_refusals(host, count) "
		 "SELECT host, 1 FROM addresses WHERE id = ?1 "
		 "ON CONFLICT(host) DO UPDATE SET count = count + 1",
};

void pv_link_room_look(struct pv_link_room *room)
{
	room->left = 0;
	if (pv_database_number(room->database,
		"SELECT EXISTS(SELECT 1 FROM left_links WHERE cause & 1 AND " IS_IN_SCOPE
		")"))
		room->left |= PV_LEFT_KNOWN;
	if (pv_database_number(room->database,
		"SELECT EXISTS(SELECT 1 FROM left_links WHERE cause & 2 AND " IS_IN_SCOPE
		")"))
		room->left |= PV_LEFT_TRAPS;
}

void pv_link_room_init(
    struct pv_link_room *room, struct pv_database *database, uint64_t known)
{
	*room = (struct pv_link_room){
	    .database = database,
	    .ceilings = {UINT64_MAX, UINT64_MAX},
	    .known = known,
	};
	pv_statements_create(
	    room->statements, database, sql, PV_LINK_ROOM_STATEMENTS);
	pv_link_room_look(room);
}

void pv_link_room_finish(struct pv_link_room *room)
{
	pv_statements_destroy(room->statements, PV_LINK_ROOM_STATEMENTS);
}

static bool is_trap(const struct pv_link *link)
{
	const struct pv_standing *standing = &link->standing;
	return standing->use == PV_REFUSED &&
	       pv_reason_get(standing->verdict.reason)->kind == PV_KIND_TRAP;
}

static bool is_full(const struct pv_link_room *room)
{
	return room->known >= room->ceilings.known_max;
}

bool pv_link_room_is_tight(
    const struct pv_link_room *room, const struct pv_link *link)
{
	return link->via && (is_full(room) || is_trap(link));
}

/* The links of a page follow one another, as a rule. */
static bool mark(struct pv_link_room *room, uint64_t page, unsigned cause)
{
	struct pv_statement *statement = room->statements[MARK];
	if (room->last == page && room->last_cause == cause)
		return false;
	pv_statement_bind(statement, 1, (int64_t)page);
	pv_statement_bind(statement, 2, cause);
	pv_statement_run(statement);
	room->last = page;
	room->last_cause = cause;
	room->left |= cause;
	return false;
}

static bool take_trap(struct pv_link_room *room, uint64_t page)
{
	struct pv_statement *count = room->statements[COUNT_TRAPS];
	struct pv_statement *add = room->statements[ADD_TRAP];
	uint64_t refused = 0;
	pv_statement_bind(count, 1, (int64_t)page);
	if (pv_statement_step(count))
		refused = (uint64_t)pv_statement_number(count, 0);
	pv_statement_reset(count);
	if (refused >= room->ceilings.trap_max)
		return false;
	pv_statement_bind(add, 1, (int64_t)page);
	pv_statement_run(add);
	return true;
}

bool pv_link_room_take(struct pv_link_room *room, const struct pv_link *link)
{
	if (!link->via)
		return true;
	if (is_full(room))
		return mark(room, link->via, PV_LEFT_KNOWN);
	if (is_trap(link) && !take_trap(room, link->via))
		return mark(room, link->via, PV_LEFT_TRAPS);
	return true;
}

void pv_link_room_forget_traps(struct pv_link_room *room)
{
	pv_database_run(room->database, "DELETE FROM trap_refusals");
}

uint64_t pv_link_room_next(struct pv_link_room *room, uint64_t after)
{
	struct pv_statement *next = room->statements[NEXT];
	struct pv_statement *unmark = room->statements[UNMARK];
	uint64_t trap_max = room->ceilings.trap_max;
	uint64_t page = 0;
	pv_statement_bind(next, 1, (int64_t)after);
	pv_statement_bind(next, 2, !is_full(room));
	pv_statement_bind(
	    next, 3, trap_max < INT64_MAX ? (int64_t)trap_max : INT64_MAX);
	if (pv_statement_step(next))
		page = (uint64_t)pv_statement_number(next, 0);
	pv_statement_reset(next);
	pv_statement_bind(unmark, 1, (int64_t)page);
	if (page)
		pv_statement_run(unmark);
	else
		pv_link_room_look(room);
	return page;
}
