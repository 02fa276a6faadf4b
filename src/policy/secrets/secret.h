#ifndef PAVANE_POLICY_SECRETS_SECRET_H
#define PAVANE_POLICY_SECRETS_SECRET_H

#include "base/str.h"
#include "policy/seeds.h"
#include "policy/values/texts.h"

struct pv_url;

/* What a policy says in confidence: headers, and the credentials in the
 * addresses of seeds and of the proxy. It goes to the origins that the person
 * named and to nobody else. Headers are written down nowhere, credentials in a
 * file of their own alone (crawl/run/secrets.h). */
bool pv_header_is_secret(struct pv_str name);

/* Whether there is any among these. */
bool pv_headers_have_secret(const struct pv_pairs *headers);

/* Whether it is a key of the domain table that is kept to its hosts: headers,
 * or a user with a password. */
struct pv_domain_setting;
bool pv_setting_is_secret(const struct pv_domain_setting *setting);

/* Whether a domain table has such keys. */
struct pv_domains;
bool pv_domains_have_secret(const struct pv_domains *domains);

/* Whether headers and users of a host's domain may go to an address: to an
 * origin that a seed names; where no seed is on its host, to a seed's scheme
 * and port, or to https at its own. So no redirect leads them astray. */
struct pv_named_seeds;
bool pv_domain_secrets_reach(
    const struct pv_named_seeds *seeds, const struct pv_url *url);

/* Appends an address as people write it, without its user name and password;
 * whether there were any. */
bool pv_credentials_strip(struct pv_str address, struct pv_buf *buf);

/* Whether a seed says any. */
bool pv_seeds_have_credentials(const struct pv_seeds *seeds);

/* The seeds without any. */
struct pv_seeds pv_seeds_strip(
    const struct pv_seeds *seeds, struct pv_arena *arena);

#endif
