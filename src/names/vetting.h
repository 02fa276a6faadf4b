#ifndef PAVANE_NAMES_VETTING_H
#define PAVANE_NAMES_VETTING_H

#include "policy/policy.h"
#include "policy/values/resolve_table.h"

/* May this address be reached for this host?
 *
 * What is no host's address is never reached, nor what never.txt names. An
 * address on this machine or a private network is reached as fetch.private
 * says: always, never, or for hosts that somebody named: among the seeds, by
 * name in the domain table or in fetch.resolve, or by a range of private
 * addresses there. A range that goes beyond those names nobody: who sets
 * manners for 0.0.0.0/0 did not mean to open their own network.
 *
 * Where a stranger has handed the policy in, the owner's policy names hosts in
 * the place of the stranger's seeds and domains, and so does the list that the
 * owner lends (policy/values/private_list.h).
 */
struct pv_vetting {
	const struct pv_policy *policy;         /* outlives it */
	const struct pv_resolve_table *resolve; /* outlives it */
	struct pv_map named;                    /* of the seeds */
	struct pv_arena arena;
};

enum pv_vetted {
	PV_VETTED_YES,
	PV_VETTED_NO_HOST,
	PV_VETTED_ASKED_AWAY, /* by never.txt */
	PV_VETTED_UNNAMED,
	PV_VETTED_NO_PRIVATE, /* fetch.private: none */
};

void pv_vetting_init(struct pv_vetting *vetting, const struct pv_policy *policy,
    const struct pv_resolve_table *resolve);
void pv_vetting_finish(struct pv_vetting *vetting);

/* A host that the person named among the seeds. */
void pv_vetting_add_named(struct pv_vetting *vetting, struct pv_str host);

enum pv_vetted pv_vetting_judge(const struct pv_vetting *vetting,
    struct pv_str host, const struct pv_address *address);

/* Appends why an address was not let through, as a sentence that is safe to
 * print. */
void pv_vetting_explain(const struct pv_vetting *vetting, struct pv_str host,
    const struct pv_address *address, struct pv_buf *why);

#endif
