#ifndef PAVANE_URL_CRAWL_IDENTITY_H
#define PAVANE_URL_CRAWL_IDENTITY_H

#include "base/arena.h"
#include "url/aliases.h"
#include "url/query.h"
#include "url/url.h"

/* Crawl identity: which addresses are one and the same to a crawl.
 *
 * It is the canonical text without its fragment, and beyond that what somebody
 * asked for, in this order: the name that an alias of a host stands for;
 * without a default document; without some query parameters; with the others in
 * order. What is left is also what is asked for, so an alias is asked for
 * nothing. Nothing else is merged, because a server may tell it apart: neither
 * "?" and no query, nor %7E and ~, nor what stands in another case.
 *
 * Scheme, credentials and port stay, and so does a dot at the end of a host. A
 * default document is dropped where the last segment of the path is its name,
 * whatever the query. Parameters (url/query.h) keep their bytes, and where none
 * is left, no question mark is; an empty one has an empty name, so it comes
 * first where they are sorted. An address that does not fit its ceiling with
 * its host's other name, which is longer than any that is asked for, stays.
 */
struct pv_crawl_identity {
	struct pv_aliases aliases;
	struct pv_str *documents;
	size_t document_count;
	struct pv_query_names stripped;
	bool is_sorted;

	/* The names that are stripped at one host, where not all are alike:
	 * NULL, or a function that any thread may call. The host is trimmed of
	 * its dot; its address is NULL for a name. */
	const struct pv_query_names *(*stripped_at)(const void *ctx,
	    struct pv_str host, const struct pv_address *address);
	const void *stripped_ctx;

	struct pv_arena arena;
};

/* Nothing but fragments is dropped yet. */
void pv_crawl_identity_init(struct pv_crawl_identity *identity);
void pv_crawl_identity_finish(struct pv_crawl_identity *identity);

/* What a person wrote, as canonical addresses hold it; it lives as long as the
 * identity. */
struct pv_query_names pv_crawl_identity_names(
    struct pv_crawl_identity *identity, const char *const *globs, size_t count);

void pv_crawl_identity_set_documents(struct pv_crawl_identity *identity,
    const char *const *documents, size_t count);

/* What has changed an address, but for its fragment. */
enum pv_identity_change {
	PV_IDENTITY_ALIAS = 1,
	PV_IDENTITY_DOCUMENT = 2,
	PV_IDENTITY_STRIPPED = 4,
	PV_IDENTITY_SORTED = 8,
};

/* Makes an address into the one that stands for all that are the same; returns
 * what has changed it (enum pv_identity_change), or 0. */
unsigned pv_crawl_identity_apply(
    const struct pv_crawl_identity *identity, struct pv_url *url);

#endif
