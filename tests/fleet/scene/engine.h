#ifndef PAVANE_TESTS_FLEET_SCENE_ENGINE_H
#define PAVANE_TESTS_FLEET_SCENE_ENGINE_H

#include "frontier/scene.h"

/* A frontier whose engine is that of a fleet (fleet/fleet.h): one worker, by itself,
 * with a PostgreSQL of the test's own that all scenes of the program share, each
 * with a crawl of its own. Where a scene is closed and opened again the worker has
 * ended without a word, as if it had been killed, and comes back by its number.
 *
 * A paper that has come back is not all: what was found may be on its way to
 * PostgreSQL and back. So the scene settles when nothing is, and the worker has
 * looked once more for what it may claim.
 */

/* Why there is none: the word for tap_skip, or NULL. The first call starts the
 * server. */
const char *fleet_engine_absence(void);

/* For scene_init_engine. */
struct pv_frontier *fleet_engine_open(struct scene *scene, struct pv_why *why);

/* The same, but where a scene is opened again that is another worker, which knows
 * nothing but what the first one has passed on. */
struct pv_frontier *fleet_engine_open_other(
    struct scene *scene, struct pv_why *why);

/* What the next ones are opened with. */
struct fleet_engine_wish {
	const char *crawl; /* its name; NULL: each scene has one of its own */
	int64_t ttl_ms;    /* of leases; 0: as usual */
};
void fleet_engine_wish(const struct fleet_engine_wish *wish);

/* Goes on with what there is to do, and waits for nothing. */
void fleet_engine_turn(struct scene *scene);

/* As cluster_ask. */
const char *fleet_engine_ask(const char *sql);

/* Somebody else runs these statements, as one transaction, and then is gone. Returns
 * when the last one of them, which has to be a pg_sleep, has begun. */
bool fleet_engine_hold(const char *sql);

/* The server ends. After all scenes; it need not run. */
void fleet_engine_finish(void);

#endif
