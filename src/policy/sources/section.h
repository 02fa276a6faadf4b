#ifndef PAVANE_POLICY_SOURCES_SECTION_H
#define PAVANE_POLICY_SOURCES_SECTION_H

#include "policy/option.h"

struct pv_policy;
struct pv_domain_entry;

/* Where values go that are read from a mapping: into the fields that a table
 * of options describes, or into an entry of a policy's domain table. */
struct pv_target {
	const struct pv_names *names;
	void *fields;                  /* the struct that the offsets are of */
	struct pv_origin *origins;     /* of each option, by its number */
	struct pv_policy *policy;      /* NULL where no policy is read */
	struct pv_domain_entry *entry; /* NULL for the fields themselves */
};

struct pv_target pv_target_of_policy(struct pv_policy *policy);
struct pv_target pv_target_of_entry(
    struct pv_policy *policy, struct pv_domain_entry *entry);

/* Sets all fields to their defaults: each option's preset, read as if a person
 * had written it. */
void pv_section_presets(
    struct pv_target target, struct pv_arena *arena, struct pv_why *why);

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
