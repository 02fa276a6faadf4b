#ifndef PAVANE_POLICY_EFFECTIVE_H
#define PAVANE_POLICY_EFFECTIVE_H

#include "policy/policy.h"

struct pv_names;

/* Appends the whole policy as YAML, every default written out, with a comment
 * behind each value that says where it comes from. Read again, it is the same
 * policy, and writes the same text: the comments are read as well
 * (PV_EFFECTIVE_MARK). */
void pv_effective_write(const struct pv_policy *policy, struct pv_buf *buf);

/* The same lines, without the first, of what another table of options
 * describes. */
void pv_effective_write_fields(const struct pv_names *names, const void *fields,
    const struct pv_origin *origins, struct pv_buf *buf);

/* The entries of the domain table, as lines. */
void pv_effective_write_domains(
    const struct pv_domains *domains, int indent, struct pv_buf *buf);

#endif
