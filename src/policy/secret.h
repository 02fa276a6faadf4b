#ifndef PAVANE_POLICY_SECRET_H
#define PAVANE_POLICY_SECRET_H

#include "base/str.h"
#include "policy/seeds.h"
#include "policy/values/texts.h"

/* What a policy says in confidence: headers, and the credentials in the
 * addresses of seeds and of the proxy. It goes to the origins that the person
 * named and to nobody else. Headers are written down nowhere, credentials in a
 * file of their own alone (crawl/run/secrets.h). */
bool pv_header_is_secret(struct pv_str name);

/* Whether there is any among these. */
bool pv_headers_have_secret(const struct pv_pairs *headers);

/* Appends an address as people write it, without its user name and password;
 * whether there were any. */
bool pv_credentials_strip(struct pv_str address, struct pv_buf *buf);

/* Whether a seed says any. */
bool pv_seeds_have_credentials(const struct pv_seeds *seeds);

/* The seeds without any. */
struct pv_seeds pv_seeds_strip(
    const struct pv_seeds *seeds, struct pv_arena *arena);

#endif
