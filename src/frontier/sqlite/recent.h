#ifndef PAVANE_FRONTIER_SQLITE_RECENT_H
#define PAVANE_FRONTIER_SQLITE_RECENT_H

#include <stdatomic.h>
#include <stddef.h>

#include "record/link.h"

/* A memory of the links that came last, of fixed size.
 *
 * Most links of a site lead to what is known; this answers them before the
 * disk is asked. It may forget, and then says that a link is news. One thread
 * tells it of links; others may look on. As long as there are few it keeps to
 * few of its places, which the processor has at hand.
 */
struct pv_recent {
	struct pv_recent_slot *slots;
	size_t count;       /* a power of two */
	size_t limit;       /* as many of them are used at most; another one */
	atomic_size_t mask; /* of those that are used, which become more */
	size_t used;        /* how often one was taken */
};

void pv_recent_init(struct pv_recent *recent, size_t count);
void pv_recent_finish(struct pv_recent *recent);

/* From now on it uses no more of its places than fit into so many bytes, but a few
 * at least; the memory of the others goes back to the system. For who tells it of
 * links. */
void pv_recent_limit(struct pv_recent *recent, size_t bytes);

/* Whether so much, or more, was said of that address before, as far as is
 * remembered. In any thread. */
bool pv_recent_is_known(const struct pv_recent *recent,
    struct pv_fingerprint fingerprint, const struct pv_standing *standing);

/* The link of that fingerprint is asked about next but some: by then its place
 * is at hand. */
void pv_recent_expect(
    const struct pv_recent *recent, struct pv_fingerprint fingerprint);

/* Whether the link may say more of its address than those before; from now on
 * it is one of them. When something was changed is always news, and so is that it is
 * to be asked for anew. */
bool pv_recent_is_news(struct pv_recent *recent, const struct pv_link *link);

#endif
