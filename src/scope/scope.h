#ifndef PAVANE_SCOPE_SCOPE_H
#define PAVANE_SCOPE_SCOPE_H

#include "scope/link.h"
#include "scope/verdict.h"

/* May this link be ours? The answer is a verdict with its reason.
 *
 * These are asked in turn, and the first that decides has decided:
 *
 *   1. never.txt, which no policy overrides
 *   2. max_url, of the address without its fragment
 *   3. the port: none that is another protocol's, unless a person named it
 *      (scope/ports.h)
 *   4. credentials: only those that a seed gives, where it gives them
 *   5. traps by shape, and resources of resources of resources; what a person
 *      wrote among the seeds is none. Which dates are too far is a question
 *      of the time that the link gives
 *   6. fetch.accept: a resource whose name tells that its answer would not be
 *      taken is not asked for
 *   7. the rules: the first that matches denies, or admits wherever the page
 *      lies and however deep. A pattern that reaches the limit of a match
 *      denies
 *   8. a seed is admitted
 *   9. sitemaps: so is one that a host in scope names, wherever it is
 *  10. requisites: so is a resource of a page in scope, wherever it is
 *  11. hosts and below; where they say no, hops may still admit a page
 *  12. depth, for pages in scope and off
 *
 * An address on a host under two names, one with a dot at its end, counts as
 * on one. The address judged is the crawl identity (url/crawl_identity.h): the
 * parameters of strip_query are gone from it, and its host is no alias. Seeds,
 * and hosts that are listed, are taken by the same names.
 *
 * Nothing here depends on what was asked before but for the hosts that seeds
 * redirect to; any thread may ask at any time.
 */
struct pv_scope;

/* How many resources may lie between a page and what its resources ask for, as
 * style sheets that import one another; the web could go on for ever. */
#define PV_SCOPE_CHAIN_MAX 8

/* The scope of a policy, which must outlive it. */
struct pv_scope *pv_scope_create(const struct pv_policy *policy);
void pv_scope_destroy(struct pv_scope *scope);

/* Learns where the seeds of the policy lie, before the first link is judged.
 * Returns NULL, or the seed whose file cannot be opened (errno says why); lines
 * that are no addresses are passed over. */
const struct pv_seed *pv_scope_add_seeds(struct pv_scope *scope);

/* Learns where a seed redirects to: its host, and what lies below, are in
 * scope as if it had been the seed. The address becomes its crawl identity. */
void pv_scope_add_redirect(struct pv_scope *scope, struct pv_url *url);

/* The same of one that a fleet has told of, be it our own, in the loop's thread;
 * whether it is the first to make the scope wider in that way: so what was refused
 * before may be in scope. */
bool pv_scope_hear_redirect(struct pv_scope *scope, struct pv_url *url);

/* Credentials that a seed had when the crawl began: before anything is
 * asked. */
void pv_scope_add_login(struct pv_scope *scope, const struct pv_url *url);

/* Whether sitemaps of the host are to be read: it is in scope, and a seed leads
 * on from there, as far as `reach` says (UINT32_MAX: without end). */
bool pv_scope_reads_sitemaps(const struct pv_scope *scope,
    const struct pv_url *authority, uint32_t *reach);

/* Whether nothing is asked for there, since its port is another protocol's and
 * nobody named it; for who goes where a redirect leads without asking more. */
bool pv_scope_refuses_port(
    const struct pv_scope *scope, const struct pv_url *url);

/* The number of the kind of page, from 1, that the address is of by the
 * policy's `match`; 0: of none. */
unsigned pv_scope_page_kind(
    const struct pv_scope *scope, const struct pv_url *url);

struct pv_scope_verdict pv_scope_judge(
    const struct pv_scope *scope, const struct pv_scope_link *link);

#endif
