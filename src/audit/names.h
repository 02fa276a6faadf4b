#ifndef PAVANE_AUDIT_NAMES_H
#define PAVANE_AUDIT_NAMES_H

#include "base/arena.h"
#include "base/map.h"

/* Names, each with a number: from 0, in the order in which they were first
 * heard. */
struct pv_audit_names {
	struct pv_arena arena;
	struct pv_map map;
	struct pv_str *items;
	size_t count;
	size_t size;
};

void pv_audit_names_init(struct pv_audit_names *names, struct pv_hash_key key);
void pv_audit_names_finish(struct pv_audit_names *names);

/* The number of a name, which is new if it is the count of before. */
uint32_t pv_audit_names_find(struct pv_audit_names *names, struct pv_str name);

#endif
