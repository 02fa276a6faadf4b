#ifndef PAVANE_FLEET_LINE_TARGETS_H
#define PAVANE_FLEET_LINE_TARGETS_H

#include "base/address.h"
#include "fleet/line/url.h"

/* Where to connect to: each address of each place in a URL, in its order, as what
 * libpq is to be given.
 *
 * Names are looked up by `names`, one after another, since libpq would block. A
 * place that cannot be found is left out, and the reason kept. One address is
 * connected to at a time, so that each has its own time limit.
 */
struct pv_names;

#define PV_FLEET_TARGETS_MAX 64
#define PV_FLEET_KEYWORDS_MAX (PV_FLEET_PARAMETERS_MAX + 16)

struct pv_fleet_target {
	const struct pv_fleet_place *place;
	struct pv_address address;
	bool has_address; /* found by name; else the place says enough */
};

typedef void (*pv_fleet_targets_fn)(void *ctx);

struct pv_fleet_targets {
	const struct pv_fleet_url *url; /* outlives it */
	struct pv_names *names;         /* outlives it */
	pv_fleet_targets_fn on_found;
	void *ctx;
	struct pv_fleet_target items[PV_FLEET_TARGETS_MAX];
	size_t count;
	size_t looked_at;  /* places */
	struct pv_buf why; /* what was not found: sentences, safe to print */
};

/* What one connect is made with: arrays for PQconnectStartParams, which point
 * into the url, the target and themselves. */
struct pv_fleet_keywords {
	const char *keywords[PV_FLEET_KEYWORDS_MAX + 1];
	const char *values[PV_FLEET_KEYWORDS_MAX + 1];
	size_t count;
	struct pv_buf address;
};

void pv_fleet_targets_init(struct pv_fleet_targets *targets,
    const struct pv_fleet_url *url, struct pv_names *names,
    pv_fleet_targets_fn on_found, void *ctx);
void pv_fleet_targets_finish(struct pv_fleet_targets *targets);

/* Looks for all of them anew; on_found is called once, maybe within the call. */
void pv_fleet_targets_find(struct pv_fleet_targets *targets);

void pv_fleet_keywords_init(struct pv_fleet_keywords *keywords,
    const struct pv_fleet_targets *targets, size_t target);
void pv_fleet_keywords_finish(struct pv_fleet_keywords *keywords);

#endif
