#ifndef PAVANE_ROBOTS_ROBOTS_RULES_H
#define PAVANE_ROBOTS_ROBOTS_RULES_H

#include <stdatomic.h>

#include "robots/matcher.h"

/* The rules of a robots.txt, shared by all who still work by them: the
 * authority, and pages whose links are being judged in other threads. */
struct pv_robots_rules {
	atomic_uint owners;
	struct pv_robots_matcher *matcher;
};

/* Those of a robots.txt for an agent, a product token; the caller is the first
 * owner. */
struct pv_robots_rules *pv_robots_rules_of(
    const struct pv_robots *robots, struct pv_str agent);

/* Reads a robots.txt, of which the end may be missing; the caller is the first
 * owner. `agent` is a product token; `why` gets notes of what was passed over,
 * and may be NULL. */
struct pv_robots_rules *pv_robots_rules_create(
    struct pv_str text, bool is_cut, struct pv_str agent, struct pv_why *why);

/* One owner more, and one less; NULL is fine. */
struct pv_robots_rules *pv_robots_rules_share(struct pv_robots_rules *rules);
void pv_robots_rules_release(struct pv_robots_rules *rules);

#endif
