#ifndef PAVANE_POLICY_PROXIES_H
#define PAVANE_POLICY_PROXIES_H

#include "base/why.h"

/* The proxies that a policy names: fetch.proxy, and those of its domain
 * table. */
struct pv_policy;

/* Calls for each, as it is written, with where it stands; some come more than
 * once. */
typedef void (*pv_proxy_fn)(
    void *ctx, const char *proxy, const struct pv_place *place);
void pv_proxies_each(
    const struct pv_policy *policy, pv_proxy_fn each, void *ctx);

/* Notes variables that are not set, and what a proxy takes away: where it looks
 * names up, nobody sees whether they lead to a private network. */
void pv_proxies_check(const struct pv_policy *policy, struct pv_why *why);

#endif
