#ifndef PAVANE_SINK_CHANGE_LINE_H
#define PAVANE_SINK_CHANGE_LINE_H

#include "record/page.h"

/* A line of the report of changes: what an update has found out about an
 * address, as one JSON object that programs read for years.
 *
 * Keys come in this order, and those with nothing to say are left out:
 *
 *   round    of the crawl; its first update is 2
 *   time     when it was asked: "2026-03-01T09:30:00.250Z"
 *   url      without credentials
 *   change   "new", "changed", "gone" or "same" (record/change.h)
 *   status   of HTTP
 *   digest   "sha256:" and 64 digits, of what there is now
 *   was      the same, of what there was
 *   by       how one knows that it is as it was, or is not: "304", "digest", or
 *            "sitemap" where it was not asked for
 */
void pv_change_line_write(
    const struct pv_page *page, uint64_t round, struct pv_buf *line);

#endif
