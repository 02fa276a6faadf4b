#ifndef PAVANE_POLICY_SAMENESS_H
#define PAVANE_POLICY_SAMENESS_H

#include "policy/policy.h"
#include "policy/values/host_index.h"
#include "url/crawl_identity.h"

/* Which addresses a policy takes for the same: the crawl identity as its keys
 * (scope.aliases, default_documents, strip_query, sort_query) and its domain
 * table ask for it.
 *
 * Where no entry of the table has a strip_query, no host is looked up; else
 * each address with a query costs one look-up among those entries that have
 * one. Where a name leads is not known yet when an address is found, so an
 * entry for a range of addresses holds only for hosts that are written as
 * addresses.
 */
struct pv_sameness {
	struct pv_crawl_identity identity;
	struct pv_host_index index;      /* of the entries with a strip_query */
	struct pv_query_names *stripped; /* theirs, by number */
};

/* The policy must outlive it; and it stays where it is. */
void pv_sameness_init(
    struct pv_sameness *sameness, const struct pv_policy *policy);
void pv_sameness_finish(struct pv_sameness *sameness);

/* The key that asks for one change; and all those that ask for some, such as
 * "scope.aliases and scope.strip_query". */
const char *pv_sameness_key(enum pv_identity_change change);
void pv_sameness_write_keys(unsigned changes, struct pv_buf *buf);

/* The hosts' other names alone, for who asks before a policy is known to be
 * right. */
void pv_sameness_add_aliases(
    struct pv_aliases *aliases, const struct pv_pairs *pairs);

#endif
