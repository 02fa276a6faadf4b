#ifndef PAVANE_TREE_BOUNDS_H
#define PAVANE_TREE_BOUNDS_H

#include "base/buf.h"

/* A page's text, made fit for libxml2.
 *
 * libxml2 compares the attributes of a tag with one another, so that a tag with
 * 100,000 of them takes 18 s: all behind a number are left out before it sees
 * them. NULs, where it would see the end, are left out as well, and what is not
 * UTF-8 becomes U+FFFD. Reading is linear, and knows comments, quotes, scripts
 * and styles as libxml2 does. Where a page manages to be seen otherwise by
 * libxml2, tree.c stops it.
 */
#define PV_ATTRIBUTES_MAX 256

/* The text itself, or in `buf` where it changes. */
struct pv_str pv_bounds_apply(
    struct pv_str html, struct pv_buf *buf, bool *has_dropped);

#endif
