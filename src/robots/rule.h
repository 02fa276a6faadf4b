#ifndef PAVANE_ROBOTS_RULE_H
#define PAVANE_ROBOTS_RULE_H

#include "base/arena.h"
#include "robots/line.h"

/* A rule: a pattern that the beginning of a path is held against, in which *
 * stands for anything and a $ at the end for the end (RFC 9309, 2.2.2, 2.2.3).
 *
 * Where we know only the beginning of a rule, because the file was cut, it is
 * taken for the worst: a Disallow forbids all that begins with what there is
 * of it, and an Allow allows nothing.
 */
struct pv_robots_rule {
	struct pv_str line;    /* as it stands in the file */
	struct pv_str pattern; /* in its normal form; no asterisk at its end */
	uint32_t number;       /* of the line */
	uint32_t weight;       /* its length: of those that match the heaviest
				  decides */
	uint32_t group;
	bool is_allow;
	bool is_anchored; /* matches only whole paths */
};

enum pv_robots_rule_result {
	PV_ROBOTS_RULE_READ,
	PV_ROBOTS_RULE_EMPTY,    /* matches nothing */
	PV_ROBOTS_RULE_CUT,      /* an Allow of which the end is missing */
	PV_ROBOTS_RULE_NO_SLASH, /* an Allow that does not begin with one */
};

/* Reads an Allow or Disallow line; its texts are copied to the arena. */
enum pv_robots_rule_result pv_robots_rule_read(
    const struct pv_robots_line *line, struct pv_arena *arena,
    struct pv_robots_rule *rule);

bool pv_robots_rule_has_wildcard(const struct pv_robots_rule *rule);

/* Whether the rule matches a path in its normal form: one walk through the
 * path, however many wildcards there are. */
bool pv_robots_rule_matches(
    const struct pv_robots_rule *rule, struct pv_str path);

/* Whether the first rule decides where both match (RFC 9309, 2.2.2). */
bool pv_robots_rule_outweighs(
    const struct pv_robots_rule *rule, const struct pv_robots_rule *other);

#endif
