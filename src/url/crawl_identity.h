#ifndef PAVANE_URL_CRAWL_IDENTITY_H
#define PAVANE_URL_CRAWL_IDENTITY_H

#include "base/arena.h"
#include "url/url.h"

/* Crawl identity: which addresses are one and the same to a crawl.
 *
 * It is the canonical text without its fragment, and without the query
 * parameters that the policy's strip_query names; what is left is also what is
 * asked for. Nothing else is merged, because a server may tell it apart:
 * neither "/" and "/index.html", nor "?" and no query, nor %7E and ~, nor
 * parameters in another order.
 *
 * Parameters stand between "&"; the name of one is what stands before its
 * first "=", byte by byte as in the address. Those that stay keep their order
 * and their bytes; where none does, no question mark is left.
 */
struct pv_crawl_identity {
	struct pv_str *stripped; /* globs */
	size_t stripped_count;
	struct pv_arena arena;
};

/* The globs are those of strip_query (base/glob.h), and copied. */
void pv_crawl_identity_init(struct pv_crawl_identity *identity,
    const char *const *strip_query, size_t count);
void pv_crawl_identity_finish(struct pv_crawl_identity *identity);

/* Makes an address into the one that stands for all that are the same. */
void pv_crawl_identity_apply(
    const struct pv_crawl_identity *identity, struct pv_url *url);

#endif
