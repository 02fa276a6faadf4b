#ifndef PAVANE_POLICY_DOMAIN_ENTRY_H
#define PAVANE_POLICY_DOMAIN_ENTRY_H

#include "policy/domains.h"
#include "policy/option.h"

/* Building the domain table, for the loader. */

/* One key of an entry. */
struct pv_domain_setting {
	const struct pv_option *option;
	union pv_value value;
	struct pv_origin origin;
};

/* The entry for a pattern as a person wrote it, made if it is new; NULL, and a
 * problem reported at the node's key, where that is none. `is_new` says whether
 * it was made. */
struct pv_domain_entry *pv_domains_entry(struct pv_domains *domains,
    struct pv_reading *reading, const struct pv_node *node,
    struct pv_str pattern, bool *is_new);

/* Sets a key of an entry, over what an earlier source said. */
void pv_domain_entry_set(struct pv_domain_entry *entry, struct pv_arena *arena,
    const struct pv_option *option, const union pv_value *value,
    struct pv_origin origin);

/* The value that the entry has for an option; NULL if it says nothing. */
const struct pv_domain_setting *pv_domain_entry_get(
    const struct pv_domain_entry *entry, const struct pv_option *option);

/* Ends a key that stands only where it makes sense: share with a star, robots
 * for what is one's own. False, with a problem told, if it does not. */
bool pv_domain_setting_fits(struct pv_reading *reading,
    const struct pv_node *node, const struct pv_domain_entry *entry,
    const struct pv_option *option, const union pv_value *value);

#endif
