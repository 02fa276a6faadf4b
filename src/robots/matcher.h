#ifndef PAVANE_ROBOTS_MATCHER_H
#define PAVANE_ROBOTS_MATCHER_H

#include <stdatomic.h>

#include "robots/merged.h"

/* What a robots.txt says to us.
 *
 * We go by the groups of our product token, or by those of "*" where none names
 * it. If the token is not "pavane", but a group names that, then it is meant
 * for us too, under any product token: both must allow, and the longer delay
 * holds. A matcher is made from a file once, owns all that it needs, and may be
 * asked by several threads at a time.
 */
struct pv_robots_matcher;

struct pv_robots_decision {
	bool is_allowed;
	uint32_t number;    /* of the line that decides; 0 if none does */
	struct pv_str line; /* as it stands in the file; the matcher's */
};

/* `agent` is a product token or begins with one: "examplebot/1.2". */
struct pv_robots_matcher *pv_robots_matcher_create(
    const struct pv_robots *robots, struct pv_str agent);
void pv_robots_matcher_destroy(struct pv_robots_matcher *matcher);

/* What its rules take of memory, about. */
size_t pv_robots_matcher_bytes(const struct pv_robots_matcher *matcher);

/* May this be asked for? `target` is path and query, as in a request line.
 * /robots.txt itself always may. */
struct pv_robots_decision pv_robots_decide(
    const struct pv_robots_matcher *matcher, struct pv_str target);

/* The groups that we go by: of our token or of "*", and then that of pavane
 * where that is another one. There is always the first, which is empty where
 * no line names it. */
size_t pv_robots_group_count(const struct pv_robots_matcher *matcher);
const struct pv_robots_merged *pv_robots_group_at(
    const struct pv_robots_matcher *matcher, size_t i);

/* The delay that is asked for; 0 if none is. */
int64_t pv_robots_delay_ms(const struct pv_robots_matcher *matcher);

/* How long from the given wall time until an hour at which we may come; 0 if
 * we may now. Ask again when it is there. */
int64_t pv_robots_visit_wait_ms(
    const struct pv_robots_matcher *matcher, int64_t wall_ms);

/* Shuts those minutes of a day at which we may not come. */
void pv_robots_shut(
    const struct pv_robots_matcher *matcher, struct pv_robots_day *day);

/* The preferences in force; places are under the count. */
size_t pv_robots_preference_count(const struct pv_robots_matcher *matcher);
const struct pv_robots_preference *pv_robots_preference_at(
    const struct pv_robots_matcher *matcher, size_t i);

/* Appends what those of a kind say of a target, without paths: the longest path
 * that matches wins, as among rules. Where several have it, all count, "; "
 * between them; and so do both where two groups are meant for us. */
void pv_robots_preference_write(const struct pv_robots_matcher *matcher,
    enum pv_robots_kind kind, struct pv_str target, struct pv_buf *buf);

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
