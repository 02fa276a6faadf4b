#ifndef PAVANE_AUDIT_HANDOVERS_H
#define PAVANE_AUDIT_HANDOVERS_H

#include <stddef.h>
#include <stdint.h>

/* How hosts went from one worker to another: how often, and the smallest gap
 * between the start of a request and that of the one before it, which another
 * worker had made. */
struct pv_audit_handover {
	int64_t count;
	int64_t least_gap_ms; /* by the server's time; negative: none */
};

struct pv_audit_handovers {
	struct pv_audit_handover *by_host; /* of the terms' hosts */
	size_t host_count;
	int64_t count;
};

void pv_audit_handovers_add(
    struct pv_audit_handovers *handovers, uint32_t host, int64_t gap_ms);
struct pv_audit_handover pv_audit_handovers_of(
    const struct pv_audit_handovers *handovers, uint32_t host);
void pv_audit_handovers_finish(struct pv_audit_handovers *handovers);

#endif
