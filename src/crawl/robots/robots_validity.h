#ifndef PAVANE_CRAWL_ROBOTS_ROBOTS_VALIDITY_H
#define PAVANE_CRAWL_ROBOTS_ROBOTS_VALIDITY_H

#include <stdbool.h>
#include <stdint.h>

#include "record/response.h"

/* How long a robots.txt is valid, and what holds if it cannot be fetched.
 *
 * It is asked for again at three quarters of robots.ttl, or of a day where that
 * is less. Where that fails, the last good answer counts until it is a day old
 * (RFC 9309, 2.4), and it is asked for again after a rest that grows, but not
 * before something else, since the host rests as long after the failure. Then
 * every page is forbidden until it can be fetched, and after robots.give_up the
 * pages that wait for it are given up. A good answer is also that there is
 * none.
 *
 * These set the authority's state and when it is to be asked again; who waits
 * for it is the caller's concern.
 */
struct pv_authority;
struct pv_crawl;
struct pv_robots_rules;

/* It was answered well. The rules are taken; NULL where it has none. */
void pv_robots_validity_renew(struct pv_crawl *crawl,
    struct pv_authority *authority, struct pv_robots_rules *rules);

/* It could not be fetched, and why, in words, too. */
struct pv_robots_failure {
	enum pv_outcome outcome;
	enum pv_unreached unreached;
	const char *why;
};
void pv_robots_validity_fail(struct pv_crawl *crawl,
    struct pv_authority *authority, const struct pv_robots_failure *failure);

/* It was nobody's fault but ours that nothing was heard of it. */
void pv_robots_validity_put_off(
    struct pv_crawl *crawl, struct pv_authority *authority);

/* Closes the authority where the answer that counted, since there was no other,
 * has become too old. */
void pv_robots_validity_look(
    struct pv_crawl *crawl, struct pv_authority *authority);

/* Whether what counts is an earlier answer, since there is no other. */
bool pv_robots_validity_is_kept(const struct pv_authority *authority);

/* When the answer that counts came, by the wall clock. */
int64_t pv_robots_validity_since(
    const struct pv_crawl *crawl, const struct pv_authority *authority);

#endif
