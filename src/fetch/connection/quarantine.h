#ifndef PAVANE_FETCH_CONNECTION_QUARANTINE_H
#define PAVANE_FETCH_CONNECTION_QUARANTINE_H

#include <stdbool.h>
#include <stdint.h>

/* The hosts that have kept a lane from the others: they are asked on a lane of
 * their own from then on.
 *
 * A host is known by a hash. There is room for so many, each in its place; one
 * that comes to a place that is taken takes it, and the other is forgotten,
 * which costs no more than being found out again.
 */
#define PV_QUARANTINE_PLACES 4096

struct pv_quarantine {
	uint64_t *hosts; /* NULL: there is none */
};

void pv_quarantine_finish(struct pv_quarantine *quarantine);

void pv_quarantine_add(struct pv_quarantine *quarantine, uint64_t host);
bool pv_quarantine_has(const struct pv_quarantine *quarantine, uint64_t host);

#endif
