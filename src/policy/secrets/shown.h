#ifndef PAVANE_POLICY_SECRETS_SHOWN_H
#define PAVANE_POLICY_SECRETS_SHOWN_H

#include "base/arena.h"
#include "base/buf.h"

/* A policy without what it says in confidence: for policy.yaml, and for whoever
 * reads what it amounts to. Left out are secret headers, the headers of the
 * domain table, passwords of its users, and the credentials in addresses; names
 * of variables and files stay. */
struct pv_option;
struct pv_policy;

/* A copy to be written; it lives as long as the arena and the policy. */
struct pv_policy pv_policy_shown(
    const struct pv_policy *policy, struct pv_arena *arena);

/* Appends the value of a key for a person: of headers the names, of a user the
 * name, of proxies no login; all else as it is. */
void pv_shown_write(
    const struct pv_option *option, const void *field, struct pv_buf *buf);

#endif
