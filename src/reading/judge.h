#ifndef PAVANE_READING_JUDGE_H
#define PAVANE_READING_JUDGE_H

#include "reading/context.h"
#include "record/link_kind.h"
#include "robots/matcher.h"

/* From an address that was found to a link with its verdict: all that can be
 * decided without knowing what else is known, so that any thread may do it. The
 * traps that are counted come last: what they admit counts. Behind them only the
 * shard is asked: what is admitted and another one's keeps its whole standing,
 * with that verdict, since it goes to that shard as it stands. */

/* The seed that leads deepest by its own depth, if that is deeper than the
 * scope's; NULL if there is none. */
const struct pv_seed *pv_judge_deepest(const struct pv_policy *policy);

struct pv_found {
	struct pv_url *url; /* becomes its crawl identity */
	enum pv_link_kind kind;
	bool is_redirect;
	enum pv_reason nofollow;     /* why it is not to be followed, where
					we were asked not to */
	const struct pv_visit *from; /* where it was found; NULL: a seed */
	const struct pv_seed *seed;  /* of a seed */
	int64_t wall_ms;             /* when; 0: unknown */

	/* Of a link that a kind of page follows, or a seed that names one */
	unsigned page_kind;  /* that it gives, from 1; 0: none */
	struct pv_str carry; /* what it brings along; empty for nothing */
	uint32_t line;       /* of the policy, where `nofollow` is its */

	/* Of what robots.txt or a sitemap names */
	enum pv_listing listing; /* it is a sitemap: wherever it lies */
	uint32_t reach;          /* how far a sitemap that neither a seed nor
				   another names leads (ground.h) */
	bool is_listed;          /* `from` lists it */
	bool is_not_vouched;     /* it may not do so for that host */
	int64_t lastmod_wall_ms; /* 0: it does not say */

	/* The rules of an authority: where it is this address's, they count.
	 * NULL where they are not known. */
	const struct pv_robots_rules *rules;
	struct pv_str rules_authority; /* "https://example.org" */
};

/* Whether the address is known so well that the link would add nothing to it,
 * whatever were decided about it: as most links of a site. */
bool pv_judge_is_known(
    const struct pv_reading_context *context, const struct pv_found *found);

/* Last of all: says of what is admitted whose shard it is, if that is another
 * one. */
void pv_judge_divide(const struct pv_reading_context *context,
    const struct pv_url *url, struct pv_standing *standing);

/* By what a link is known. Credentials are no part of it: those of a server are
 * not kept, ours are kept elsewhere (crawl/run/secrets.h), and links that differ
 * in nothing else lead to one address. */
void pv_judge_name(const struct pv_reading_context *context, struct pv_url *url,
    struct pv_link *link);

/* Adds the link to the list, where `found->url` may be reused then. Returns the
 * scope's verdict; false in `is_added` if the list is full. */
struct pv_scope_verdict pv_judge_add(const struct pv_reading_context *context,
    const struct pv_found *found, struct pv_link_list *links, bool *is_added);

#endif
