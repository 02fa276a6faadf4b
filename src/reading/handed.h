#ifndef PAVANE_READING_HANDED_H
#define PAVANE_READING_HANDED_H

#include "reading/context.h"

/* A link that another shard of the crawl has found, and that has come to us as a
 * line (sink/outbound_line.h).
 *
 * It keeps its standing, as far as this policy lets pages lie, and is judged by
 * this policy: what the other shard admitted by another one may be refused here.
 * A seed of the other shard is none here: it has to be in scope, which its reader
 * widens to it first (pv_handed_widens), and it may not lie on a private network
 * that this policy does not name.
 */
struct pv_handed {
	struct pv_url *url;          /* becomes its crawl identity */
	struct pv_standing standing; /* with its kind of page by this policy */
	struct pv_str tag;
	struct pv_str carry;
	int64_t lastmod_wall_ms; /* 0: nobody says */
	int64_t wall_ms;         /* now */
};

/* Whether what lies below it is to be in scope from now on: it is a seed, or
 * where one was redirected to. */
bool pv_handed_widens(const struct pv_handed *handed);

/* Adds the link with its verdict to the list; false if that is full. */
bool pv_handed_add(const struct pv_reading_context *context,
    const struct pv_handed *handed, struct pv_link_list *links);

#endif
