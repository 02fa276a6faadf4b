#ifndef PAVANE_POLICY_VALUES_PRIVATE_LIST_H
#define PAVANE_POLICY_VALUES_PRIVATE_LIST_H

#include "base/address.h"
#include "base/buf.h"
#include "policy/values/host_pattern.h"

/* Which hosts of this machine and of private networks the owner of a service lets
 * others reach: names, "*." suffixes and ranges of addresses.
 *
 * Link-local addresses, at one of which a cloud gives its machines their secrets
 * (169.254.169.254), are in no range but one of their own. */
struct pv_private_list {
	struct pv_private_item *items;
	size_t count;
	size_t size;
};

void pv_private_list_init(struct pv_private_list *list);
void pv_private_list_finish(struct pv_private_list *list);

/* NULL if it was added, else what is wrong with it. */
const char *pv_private_list_add(
    struct pv_private_list *list, struct pv_str text);

bool pv_private_list_has(const struct pv_private_list *list, struct pv_str host,
    const struct pv_address *address);

#endif
