#ifndef PAVANE_PARSE_DOCUMENT_LINK_H
#define PAVANE_PARSE_DOCUMENT_LINK_H

#include "url/url.h"

/* A link of a document that is no page: a feed, a manifest. */

/* Gets its address, whole and borrowed for the call, and whether a page is
 * there; else it is a resource. */
typedef void (*pv_document_link_fn)(
    void *ctx, const struct pv_url *url, bool is_page);

#endif
