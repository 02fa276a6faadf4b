#ifndef PAVANE_POLICY_IDENTITY_H
#define PAVANE_POLICY_IDENTITY_H

#include "base/buf.h"

struct pv_identity;

/* Who we say we are. */

/* The token that robots.txt is matched with: the agent up to its slash. */
struct pv_str pv_identity_product(const struct pv_identity *identity);

/* Appends the User-Agent header's value: "examplebot/1.2
 * (+https://example.org/bot)". */
void pv_identity_write_agent(
    const struct pv_identity *identity, struct pv_buf *buf);

/* Whether a contact lies in a domain that is kept for examples (RFC 2606), so
 * that it is nobody's. */
bool pv_contact_is_example(const char *contact);

#endif
