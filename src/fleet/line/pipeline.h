#ifndef PAVANE_FLEET_LINE_PIPELINE_H
#define PAVANE_FLEET_LINE_PIPELINE_H

#include "fleet/line/connection.h"
#include "fleet/line/request.h"
#include "fleet/line/rest.h"

/* The requests of a line: those that wait, those that are sent and not answered,
 * and those that rest before they are sent again.
 *
 * libpq is given the next one only when it has sent all before, so that it holds
 * one at a time, and in one turn only as many as the loop can spare the time for.
 * Answers are read in the same way. All that it has is its own.
 */
enum pv_fleet_flow {
	PV_FLEET_FLOW_IDLE,    /* until the socket can be read */
	PV_FLEET_FLOW_BLOCKED, /* ... or written */
	PV_FLEET_FLOW_MORE,   /* it has been enough for this turn of the loop */
	PV_FLEET_FLOW_BROKEN, /* the connection is of no use any more */
};

struct pv_fleet_pipeline {
	struct pv_fleet_connection *connection; /* the line's */
	const struct pv_fleet_statement *statements;
	struct pv_fleet_rest rest;
	struct pv_line waiting;
	uint64_t answers; /* so far */
	struct pv_line sent;
	struct pv_line resting;
	struct pv_line lost;
	size_t bytes; /* of all of them */

	/* Set and cleared by the line: the connection is there, in pipeline mode,
	 * and the statements are prepared. */
	bool is_up;
};

void pv_fleet_pipeline_init(struct pv_fleet_pipeline *pipeline,
    struct pv_fleet_connection *connection,
    const struct pv_fleet_statement *statements, uint64_t random);

/* Also within an answer; what is under way is destroyed without a word. */
void pv_fleet_pipeline_finish(struct pv_fleet_pipeline *pipeline);

/* Behind all others; nothing is sent within the call. */
void pv_fleet_pipeline_add(
    struct pv_fleet_pipeline *pipeline, struct pv_fleet_request *request);

/* Sends what waits. `why` says why the connection is broken, safe to print. */
enum pv_fleet_flow pv_fleet_pipeline_write(
    struct pv_fleet_pipeline *pipeline, struct pv_buf *why);

/* Reads what has come, and gives requests back. Where a callback has taken the
 * line down, it ends as idle. */
enum pv_fleet_flow pv_fleet_pipeline_read(
    struct pv_fleet_pipeline *pipeline, int64_t now_ms, struct pv_buf *why);

/* When a request has rested enough; -1 if none rests. */
int64_t pv_fleet_pipeline_due(const struct pv_fleet_pipeline *pipeline);

/* Those that have rested enough wait to be sent again. */
void pv_fleet_pipeline_wake(struct pv_fleet_pipeline *pipeline, int64_t now_ms);

/* Gives all of them back as lost. */
void pv_fleet_pipeline_lose(struct pv_fleet_pipeline *pipeline);

#endif
