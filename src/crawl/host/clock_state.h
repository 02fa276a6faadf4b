#ifndef PAVANE_CRAWL_HOST_CLOCK_STATE_H
#define PAVANE_CRAWL_HOST_CLOCK_STATE_H

#include "record/host.h"
#include "schedule/host_clock.h"

/* A host's clock as the frontier keeps it, and back: two rooms that do not know
 * of one another say the same thing. */
struct pv_host_state pv_clock_state_with(
    struct pv_host_state state, const struct pv_saved_clock *clock);
struct pv_saved_clock pv_clock_state_clock(const struct pv_host_state *state);

#endif
