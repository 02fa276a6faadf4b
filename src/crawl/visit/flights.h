#ifndef PAVANE_CRAWL_VISIT_FLIGHTS_H
#define PAVANE_CRAWL_VISIT_FLIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* All visits that are open, and the memory of some that were, to be used
 * again. */
#define PV_SPARE_BODIES 128

struct pv_open;

struct pv_flights {
	struct pv_open *first; /* of all that are open */
	size_t count;
	size_t fetching;   /* on the wire */
	size_t reading;    /* in the pool ... */
	size_t settling;   /* ... or on their way to their commit */
	uint64_t bytes;    /* of answers that have ended */
	bool is_urgent;    /* what waits for its commit */
	const char *spill; /* directory for large bodies */

	struct pv_open *spare;
	size_t spare_bytes;
	struct pv_buf spare_bodies[PV_SPARE_BODIES];
	size_t spare_body_count;
};

#endif
