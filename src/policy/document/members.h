#ifndef PAVANE_POLICY_DOCUMENT_MEMBERS_H
#define PAVANE_POLICY_DOCUMENT_MEMBERS_H

#include "policy/document/reading.h"

/* A mapping that is read by a table of its keys: for what stands in a policy
 * and not in the options table. */
struct pv_member_key {
	const char *name;

	/* False where it has told a problem; NULL: the key is known, and
	 * somebody else reads it. */
	bool (*read)(
	    struct pv_reading *reading, const struct pv_node *node, void *ctx);
};

struct pv_member_table {
	const struct pv_member_key *keys;
	size_t count;
	const char *known; /* "a seed has url, sitemap or file": what is told
			      of a key that resembles none */
};

/* Reads all members, each with its key in the path; false if a problem was
 * told. */
bool pv_members_read(struct pv_reading *reading, const struct pv_node *map,
    const struct pv_member_table *table, void *ctx);

/* The member of that name, or NULL. */
const struct pv_node *pv_member_find(
    const struct pv_node *map, const char *name);

/* Adds a problem with the member of that name, which the mapping has. Returns
 * false. */
bool pv_member_fail(struct pv_reading *reading, const struct pv_node *map,
    const char *name, const char *sentence);

/* Whether it is a name for a kind of page or a field: a letter, then letters,
 * digits, - and _, at most 63 in all, as files and tables may be called. */
bool pv_member_name_is_right(struct pv_str name);
#define PV_MEMBER_NAME_SCHEMA "^[A-Za-z][A-Za-z0-9_-]{0,62}$"

#endif
