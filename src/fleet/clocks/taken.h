#ifndef PAVANE_FLEET_CLOCKS_TAKEN_H
#define PAVANE_FLEET_CLOCKS_TAKEN_H

#include "base/arena.h"
#include "base/map.h"

/* Clocks, or hosts, that are being taken over (fleet/taking/taking.h): each once, by
 * its name. */
struct pv_taken_name {
	struct pv_str name;
	bool was_owned; /* a clock: by another worker or run */
	bool is_new;    /* a host: it was not owned before */
	bool is_listed; /* a host: it has just come */
	bool has_more;  /* a host: addresses, behind that one */
	int64_t behind;
};

struct pv_taken {
	struct pv_arena texts;
	struct pv_map map;
	struct pv_taken_name *items;
	size_t count;
	size_t size;
};

void pv_taken_init(struct pv_taken *taken, struct pv_hash_key key);
void pv_taken_finish(struct pv_taken *taken);

/* The one of that name, which is added if it is not there. Valid until the next
 * is added. */
struct pv_taken_name *pv_taken_add(struct pv_taken *taken, struct pv_str name);

/* NULL if it is not there. */
const struct pv_taken_name *pv_taken_find(
    const struct pv_taken *taken, struct pv_str name);

/* Empty again. */
void pv_taken_clear(struct pv_taken *taken);

/* Their names; to be freed. */
struct pv_str *pv_taken_list(const struct pv_taken *taken);

#endif
