#include "fetch/connection/quarantine.h"

#include <stdlib.h>

#include "base/alloc.h"

void pv_quarantine_finish(struct pv_quarantine *quarantine)
{
	free(quarantine->hosts);
}

/* 0 is an empty place, and one host in 2^64. */
void pv_quarantine_add(struct pv_quarantine *quarantine, uint64_t host)
{
	if (!quarantine->hosts)
		quarantine->hosts =
		    pv_alloc_array(PV_QUARANTINE_PLACES, sizeof(host));
	quarantine->hosts[host % PV_QUARANTINE_PLACES] = host;
}

bool pv_quarantine_has(const struct pv_quarantine *quarantine, uint64_t host)
{
	return quarantine->hosts &&
	       quarantine->hosts[host % PV_QUARANTINE_PLACES] == host;
}
