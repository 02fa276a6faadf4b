#ifndef PAVANE_FLEET_LINE_GREETING_H
#define PAVANE_FLEET_LINE_GREETING_H

#include <libpq-fe.h>

#include "fleet/line/line.h"

/* What is said and asked when a connection is there: how it is to be used, and
 * whether the server keeps what it promises.
 *
 * A fleet relies on a commit that was reported: so the server must sync it
 * (fsync), survive a torn page (full_page_writes), and wait for its own disk
 * (synchronous_commit), which is set here. Time limits end a transaction whose
 * worker was stopped in its midst.
 */
enum pv_fleet_greeted {
	PV_FLEET_GREETING, /* it goes on: more has to be read */
	PV_FLEET_GREETED,
	PV_FLEET_UNGREETED, /* not now: try again */
	PV_FLEET_UNFIT,     /* and never, until a person changes something */
};

struct pv_fleet_greeting {
	PGconn *pg;
	struct pv_fleet_server server;
	enum {
		PV_FLEET_ASKED_CHECKS,
		PV_FLEET_HAS_CHECKS,
		PV_FLEET_ASKED_TIME,
		PV_FLEET_HAS_TIME,
	} stage;
	uint64_t asked_ns;
};

/* How a connection is used: it is said first. */
extern const char pv_fleet_session[];

/* Asks the first question. */
enum pv_fleet_greeted pv_fleet_greeting_start(
    struct pv_fleet_greeting *greeting, PGconn *pg, struct pv_buf *why);

/* Reads what has come; `now_ns` is of a clock that never jumps. `why` is filled
 * with a sentence that is safe to print, if it fails. */
enum pv_fleet_greeted pv_fleet_greeting_read(
    struct pv_fleet_greeting *greeting, uint64_t now_ns, struct pv_buf *why);

/* An error of SQL that says something about the server's state at the moment, not
 * about what was asked of it. */
bool pv_fleet_is_passing(const char *sqlstate);

#endif
