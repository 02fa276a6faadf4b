#ifndef PAVANE_POLICY_SOURCES_ASSIGNMENT_H
#define PAVANE_POLICY_SOURCES_ASSIGNMENT_H

#include "policy/sources/section.h"

/* KEY=VALUE, of which the value is read as the YAML that it would be in a
 * file. */

/* False if there is no key. */
bool pv_assignment_split(
    struct pv_str text, struct pv_str *key, struct pv_str *value);

/* Whether there is such a key; if not, a problem says which was probably
 * meant. */
bool pv_assignment_knows(struct pv_reading *reading,
    const struct pv_names *names, struct pv_str key);

/* Reads the value of a known key into a policy. False if a problem was
 * reported. */
bool pv_assignment_read(struct pv_reading *reading, struct pv_target target,
    struct pv_str key, struct pv_str value);

#endif
