#ifndef PAVANE_FLEET_LINE_EXEC_H
#define PAVANE_FLEET_LINE_EXEC_H

#include "base/line.h"
#include "fleet/line/connection.h"
#include "fleet/line/line.h"

/* Texts of SQL that are run one after another, before the connection is in
 * pipeline mode: what makes the schema. Each text is one transaction. */
struct pv_fleet_execs {
	struct pv_line waiting; /* the first one is under way, if is_busy */
	struct pv_line lost;
	bool is_busy;
	PGresult
	    *result; /* the last one of the first text; NULL for none yet */
};

void pv_fleet_execs_add(struct pv_fleet_execs *execs, const char *text,
    pv_fleet_exec_fn on_answer, void *ctx);

/* Begins with the first one, if none is under way. False if the connection is
 * lost. */
bool pv_fleet_execs_start(
    struct pv_fleet_execs *execs, const struct pv_fleet_connection *connection);

/* Reads what has come, and answers, once at most: a callback may close the
 * line. False if the connection is lost. */
bool pv_fleet_execs_read(
    struct pv_fleet_execs *execs, const struct pv_fleet_connection *connection);

/* Answers all as lost. */
void pv_fleet_execs_lose(struct pv_fleet_execs *execs);

/* Without a word. */
void pv_fleet_execs_finish(struct pv_fleet_execs *execs);

#endif
