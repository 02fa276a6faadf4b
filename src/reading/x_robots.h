#ifndef PAVANE_READING_X_ROBOTS_H
#define PAVANE_READING_X_ROBOTS_H

#include "http/headers.h"
#include "parse/robots_words.h"

/* Adds what X-Robots-Tag headers ask of us. One may be for somebody alone,
 * "otherbot: nofollow"; `product` is our token, beside "pavane". */
void pv_x_robots_read(const struct pv_headers *headers, struct pv_str product,
    struct pv_robots_words *words);

#endif
