#ifndef PAVANE_PARSE_FEED_H
#define PAVANE_PARSE_FEED_H

#include "parse/document_link.h"

/* The links of a feed that is fetched as a page: RSS 0.9x, 1.0 and 2.0, Atom
 * (RFC 4287).
 *
 * They are joined to the nearest xml:base, or the feed's address. One pass; an
 * address in whose text the XML is damaged is left out.
 */
#define PV_FEED_LINKS_MAX 100000

/* Gives the links in their order, some maybe twice, and no more than that
 * many; false if it is no feed. `charset` is what its header named, or empty;
 * `room` is lent for the addresses and is not `address`. */
bool pv_feed_read(struct pv_str file, const struct pv_url *address,
    struct pv_str charset, struct pv_url *room, pv_document_link_fn on_link,
    void *ctx);

#endif
