#ifndef PAVANE_API_FLEET_VISIT_H
#define PAVANE_API_FLEET_VISIT_H

#include "fleet/visit/visitor.h"
#include "pavane/core.h"

/* One look at a fleet, from which the functions of pavane/fleet.h begin. */
struct pv_fleet_visit {
	const struct pv_fleet_visitor_kind *kind;
	struct pv_fleet_visitor *visitor;
	struct pv_visited_crawl crawl;
	struct pv_why why;
	pavane_line_fn on_line;
	void *ctx;
};

/* False, with the reason in its `why`, if that cannot be; to be closed then, too. */
bool pv_visit_open(
    struct pv_fleet_visit *visit, const char *fleet, const char *name);

/* Looks once more. */
bool pv_visit_again(struct pv_fleet_visit *visit, const char *name);

/* Tells what is in its `why`. */
void pv_visit_close(struct pv_fleet_visit *visit);

/* Whether the worker has neither left nor been silent for too long. */
static inline bool pv_visited_is_living(const struct pv_visited_worker *worker)
{
	return worker->is_alive && worker->seen_ms < PV_FLEET_SILENT_MS;
}

#endif
