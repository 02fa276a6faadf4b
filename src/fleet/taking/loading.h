#ifndef PAVANE_FLEET_TAKING_LOADING_H
#define PAVANE_FLEET_TAKING_LOADING_H

#include <stdbool.h>

#include "fleet/line/request.h"

/* What PostgreSQL is asked for, to be taken over (fleet/taking/taking.h), and what it
 * answers: one request for each step, and what comes is put among the parcels that are
 * on their way into the state.
 */
struct pv_fleet;

/* For links, and for clocks that are free. */
void pv_loading_look(struct pv_fleet *fleet, pv_fleet_request_fn done);

/* For what it owns already. */
void pv_loading_look_at_claimed(
    struct pv_fleet *fleet, pv_fleet_request_fn done);

/* Of the clocks that are being taken over: their hosts; addresses of some of these,
 * unless none has any left, which is false; links to them; and what is counted of
 * them. */
void pv_loading_ask_hosts(struct pv_fleet *fleet, pv_fleet_request_fn done);
bool pv_loading_ask_addresses(struct pv_fleet *fleet, pv_fleet_request_fn done);
void pv_loading_ask_links(struct pv_fleet *fleet, pv_fleet_request_fn done);
void pv_loading_ask_notes(struct pv_fleet *fleet, pv_fleet_request_fn done);

/* The answer to the last of these. */
void pv_loading_hear(
    struct pv_fleet *fleet, const struct pv_fleet_results *results);

#endif
