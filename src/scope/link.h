#ifndef PAVANE_SCOPE_LINK_H
#define PAVANE_SCOPE_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/seeds.h"
#include "record/link_kind.h"
#include "url/url.h"

/* What is known of a link when it is asked whether it may be ours.
 *
 * A page lies one link deeper than where its link stands, a resource as deep as
 * that. A redirect is judged as the link that led to it, with where it leads to
 * as its address.
 */
struct pv_scope_link {
	const struct pv_url *url; /* its crawl identity */
	enum pv_link_kind kind;
	bool is_seed;     /* stands among the seeds themselves */
	bool is_redirect; /* where another visit was sent to */
	bool is_sitemap;  /* of a host that is ours, which names it */
	uint32_t depth;   /* links away from its seed, this one counted */
	uint32_t hops;    /* the verdict's on the page that it stands in */
	uint32_t chain;   /* of a resource: how many resources lie between
			     the page and it */
	const struct pv_seed *seed; /* that it comes from; NULL: unknown */
	int64_t wall_ms; /* the time, by which calendars are judged; 0: unknown,
			    and none is a trap */
};

#endif
