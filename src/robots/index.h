#ifndef PAVANE_ROBOTS_INDEX_H
#define PAVANE_ROBOTS_INDEX_H

#include "robots/rule.h"

/* Rules in an order in which the one that decides is found soon.
 *
 * Most patterns have no wildcard: the beginnings of a path among them are
 * found by halving, however many there are. Those with wildcards are tried one
 * by one, the heaviest first, up to a ceiling of rules and of bytes; past it
 * a Disallow forbids all that begins like it, and an Allow allows nothing. So a
 * file cannot make a path cost what it likes.
 */
struct pv_robots_index {
	struct pv_robots_rule *plain; /* in the order of their bytes */
	uint32_t *parents; /* for each the longest other that it begins with,
			      counted from 1; 0 if there is none */
	size_t plain_count;
	struct pv_robots_rule *wild; /* the heaviest first */
	size_t wild_count;
	char *text;   /* what the rules say */
	size_t bytes; /* that all of it takes */
};

/* Room for rules with wildcards. */
struct pv_robots_wild_room {
	size_t rules;
	size_t bytes; /* of their patterns */
};

/* Makes an index of the rules, whose texts are copied. */
void pv_robots_index_init(struct pv_robots_index *index,
    const struct pv_robots_rule *const rules[], size_t count,
    struct pv_robots_wild_room room);
void pv_robots_index_finish(struct pv_robots_index *index);

/* The rule that decides about a path in its normal form; NULL if none
 * matches. */
const struct pv_robots_rule *pv_robots_index_find(
    const struct pv_robots_index *index, struct pv_str path);

#endif
