#ifndef PAVANE_FLEET_TAKING_NOTES_H
#define PAVANE_FLEET_TAKING_NOTES_H

#include "fleet/line/request.h"
#include "frontier/sqlite/handover_notes.h"

/* What is counted of hosts, on its way from PostgreSQL to the worker that takes them
 * over (fleet/taking/taking.h): before any of these hosts is owned, and so before
 * any of their addresses is asked.
 */
struct pv_fleet;

/* The step that asks for the notes of all hosts that are being taken over. */
struct pv_fleet_request *pv_notes_request(struct pv_fleet *fleet,
    void (*done)(void *ctx, struct pv_fleet_request *request,
	const struct pv_fleet_answer *answer));

/* They become parcels on their way into the state. */
void pv_notes_hear(
    struct pv_fleet *fleet, const struct pv_fleet_results *results);

/* Into the state, on the writer's thread: of hosts that are owned already this worker
 * knows better. How many made no sense. */
size_t pv_notes_put(struct pv_fleet *fleet);

/* The same of one that came as a message; false if it makes no sense. */
bool pv_notes_put_voucher(struct pv_fleet *fleet, struct pv_str bytes);

#endif
