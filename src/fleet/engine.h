#ifndef PAVANE_FLEET_ENGINE_H
#define PAVANE_FLEET_ENGINE_H

struct pv_frontier_engine;

/* The engine that the frontier has while it is a fleet's: the one below it, but for
 * some functions. */
struct pv_frontier_engine pv_fleet_engine_over(
    const struct pv_frontier_engine *inner);

#endif
