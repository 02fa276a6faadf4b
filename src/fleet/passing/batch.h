#ifndef PAVANE_FLEET_PASSING_BATCH_H
#define PAVANE_FLEET_PASSING_BATCH_H

#include "fleet/line/request.h"
#include "frontier/sqlite/parcels.h"

/* A batch of rows that a worker passes on, as PostgreSQL is told of it: one request,
 * behind the fence, with a step or two for each kind of parcel, which has the rows of
 * that kind by columns.
 */
struct pv_fleet;

enum { PV_BATCH_STEPS_MAX = 20, PV_BATCH_VALUES_MAX = 8 };

/* Texts are borrowed of the parcels. */
struct pv_batch_columns {
	struct pv_str *hosts, *clocks, *names, *bytes;
	int64_t *host_keys, *name_keys, *states, *left, *rests, *pages, *sizes;
	size_t count;
};

struct pv_batch {
	struct pv_fleet_step steps[PV_BATCH_STEPS_MAX];
	struct pv_fleet_value values[PV_BATCH_STEPS_MAX][PV_BATCH_VALUES_MAX];
	size_t count;
	size_t links_step; /* PV_SAY_ADD_LINKS; 0: there are none */
	struct pv_batch_columns columns[PV_PARCEL_KINDS];
};

/* Links that were taken over and go with it. Where there are some it is busy. */
struct pv_batch_drops {
	const int64_t *links;
	size_t count;
	int64_t activity;
};

/* It looks again at the links of the batch before. To be finished, before the parcels
 * are. */
void pv_batch_init(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_parcels *parcels, const struct pv_batch_drops *drops);
void pv_batch_finish(struct pv_batch *batch);

#endif
