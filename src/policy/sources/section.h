#ifndef PAVANE_POLICY_SOURCES_SECTION_H
#define PAVANE_POLICY_SOURCES_SECTION_H

#include "policy/option.h"

struct pv_policy;
struct pv_domain_entry;

/* Where values go that are read from a mapping: into the policy itself, or
 * into an entry of its domain table. */
struct pv_target {
	struct pv_policy *policy;
	struct pv_domain_entry *entry; /* NULL for the policy itself */
};

/* Reads the mapping that stands for a section ("" for the whole) by the options
 * table. False if a problem was reported. */
bool pv_section_read(struct pv_reading *reading, struct pv_target target,
    struct pv_str section, const struct pv_node *node);

/* Reads one value, of a key that may itself be a section. */
bool pv_section_read_key(struct pv_reading *reading, struct pv_target target,
    struct pv_str name, const struct pv_node *node);

/* Reads a mapping of domain entries. */
bool pv_section_read_domains(struct pv_reading *reading,
    struct pv_policy *policy, const struct pv_node *node);

#endif
