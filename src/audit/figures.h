#ifndef PAVANE_AUDIT_FIGURES_H
#define PAVANE_AUDIT_FIGURES_H

#include "audit/evidence.h"

/* What a host has seen of us, as the journal tells it: its ledger, reckoned
 * anew, and what else its owner may want to know. */
#define PV_AUDIT_DIGEST_SIZE 80

struct pv_audit_figures {
	struct pv_str host;
	uint32_t number; /* of the terms' hosts */
	int64_t pages;   /* answers of 2xx to visits */
	int64_t unsent;  /* requests of which nothing went out */
	int64_t first_wall_ms;
	int64_t last_wall_ms;
	char robots_digest[PV_AUDIT_DIGEST_SIZE]; /* of the last; or "" */
	struct pv_ledger ledger;
};

typedef void (*pv_audit_figures_fn)(
    void *ctx, const struct pv_audit_figures *figures);

/* Calls it with each host. */
void pv_audit_each_host(
    struct pv_audit *audit, pv_audit_figures_fn on_host, void *ctx);

#endif
