#ifndef PAVANE_CRAWL_X_ROBOTS_H
#define PAVANE_CRAWL_X_ROBOTS_H

#include "http/headers.h"

/* Whether X-Robots-Tag headers ask us not to follow the page's links. One may
 * be for somebody alone, "otherbot: nofollow"; `product` is our token, beside
 * "pavane". */
bool pv_x_robots_is_nofollow(
    const struct pv_headers *headers, struct pv_str product);

#endif
