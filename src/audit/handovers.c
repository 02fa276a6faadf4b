#include "audit/handovers.h"

#include <stdlib.h>

#include "base/alloc.h"

static const struct pv_audit_handover none = {0, -1};

void pv_audit_handovers_add(
    struct pv_audit_handovers *handovers, uint32_t host, int64_t gap_ms)
{
	if (host >= handovers->host_count) {
		size_t size = ((size_t)host + 1) * 2;
		handovers->by_host = pv_realloc_array(
		    handovers->by_host, size, sizeof(*handovers->by_host));
		while (handovers->host_count < size)
			handovers->by_host[handovers->host_count++] = none;
	}
	struct pv_audit_handover *handover = &handovers->by_host[host];
	if (!handover->count || gap_ms < handover->least_gap_ms)
		handover->least_gap_ms = gap_ms > 0 ? gap_ms : 0;
	handover->count++;
	handovers->count++;
}

struct pv_audit_handover pv_audit_handovers_of(
    const struct pv_audit_handovers *handovers, uint32_t host)
{
	return host < handovers->host_count ? handovers->by_host[host] : none;
}

void pv_audit_handovers_finish(struct pv_audit_handovers *handovers)
{
	free(handovers->by_host);
}
