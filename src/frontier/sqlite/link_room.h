#ifndef PAVANE_FRONTIER_SQLITE_LINK_ROOM_H
#define PAVANE_FRONTIER_SQLITE_LINK_ROOM_H

#include <stdbool.h>

#include "frontier/frontier.h"
#include "store/statement.h"

/* How many addresses may become known: in all, and for what the pages of one
 * host link to, of those that a trap is the reason to refuse.
 *
 * What does not fit is not stored. The page that it was found on is marked
 * instead, in the same transaction, so that it can be read again when there is
 * room, and nothing is lost for good. What no page has led to always fits: the
 * policy names it. Used on the writer's thread.
 */
enum { PV_LINK_ROOM_STATEMENTS = 5 };

/* Why a page is marked. */
enum {
	PV_LEFT_KNOWN = 1, /* known_max was reached */
	PV_LEFT_TRAPS = 2, /* trap_max was */
};

struct pv_link_room {
	struct pv_database *database;
	struct pv_statement *statements[PV_LINK_ROOM_STATEMENTS];
	struct pv_link_ceilings ceilings;
	uint64_t known;
	unsigned left; /* why pages are marked */
	uint64_t last; /* that was marked ... */
	unsigned last_cause;
};

void pv_link_room_init(
    struct pv_link_room *room, struct pv_database *database, uint64_t known);
void pv_link_room_finish(struct pv_link_room *room);

/* Whether a link may be one that does not fit, should it be new. */
bool pv_link_room_is_tight(
    const struct pv_link_room *room, const struct pv_link *link);

/* Whether a new address fits, which then counts for its host; else its page is
 * marked. */
bool pv_link_room_take(struct pv_link_room *room, const struct pv_link *link);

/* Nothing counts any more that traps have refused. */
void pv_link_room_forget_traps(struct pv_link_room *room);

/* Sees which marks there are, of pages that are in scope. */
void pv_link_room_look(struct pv_link_room *room);

/* The next page in scope behind that one for whose links there may be room now,
 * its mark taken away; 0 if there is none. */
uint64_t pv_link_room_next(struct pv_link_room *room, uint64_t after);

#endif
