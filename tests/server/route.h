#ifndef PAVANE_TESTS_SERVER_ROUTE_H
#define PAVANE_TESTS_SERVER_ROUTE_H

#include "base/arena.h"
#include "base/map.h"
#include "server/server.h"

/* How often each address was asked for, which makes a request the first, the
 * second and so on. Past a million addresses each counts as asked for once. */
struct visit_counts {
	struct pv_map places;
	struct pv_arena texts;
	struct pv_buf key;
	uint32_t *counts;
	size_t count;
	size_t size;
};

void visit_counts_init(struct visit_counts *counts);
void visit_counts_finish(struct visit_counts *counts);

/* Counts a request, and says which of its host and target it is. */
uint32_t visit_counts_add(
    struct visit_counts *counts, struct pv_str host, struct pv_str target);

/* The first route that fits; NULL if none does. */
const struct server_route *route_find(
    const struct server_plan *plan, const struct server_request *request);

#endif
