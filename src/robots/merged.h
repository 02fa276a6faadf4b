#ifndef PAVANE_ROBOTS_MERGED_H
#define PAVANE_ROBOTS_MERGED_H

#include "robots/robots.h"

/* All groups of a file that name one token, as the one group that they are
 * (RFC 9309, 2.2.1), and what all runs of agents ask in which the token is. */
struct pv_robots_merged {
	struct pv_str token; /* that they name, as the first of them has it */
	uint32_t number;     /* of the line that does; 0 if there is none */
	struct pv_robots_index rules;
	struct pv_robots_timing asks;
	struct pv_robots_preference *preferences;
	size_t preference_count;
	struct pv_arena texts;
};

/* Whether any group names the token, whatever the case. */
bool pv_robots_names(const struct pv_robots *robots, struct pv_str token);

/* Merges the groups that name the token, which may be none; what is needed of
 * them is copied. */
void pv_robots_merged_init(struct pv_robots_merged *merged,
    const struct pv_robots *robots, struct pv_str token);
void pv_robots_merged_finish(struct pv_robots_merged *merged);

#endif
