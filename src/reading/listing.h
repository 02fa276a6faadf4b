#ifndef PAVANE_READING_LISTING_H
#define PAVANE_READING_LISTING_H

#include "reading/body_kind.h"
#include "reading/link_collector.h"

/* What answers list that are no pages: sitemaps, feeds, manifests of apps; and
 * the sitemaps that a robots.txt names.
 *
 * What a sitemap lists lies as deep as it does. An index names sitemaps, and of
 * those none may be an index itself. What lies on another host than the sitemap
 * does is admitted only if that host's robots.txt vouches for it (vouchers.h),
 * or a person named the sitemap among the seeds.
 */

/* An answer of one of these kinds. */
void pv_listing_read(
    struct pv_link_collector *collector, enum pv_body_kind kind);

/* An answer was moved to the address on the desk: what that is to be as a list
 * that goes where its host sends it. Elsewhere it is a page as any other, for
 * which may be spoken as was for this one. */
enum pv_listing pv_listing_move(struct pv_link_collector *collector);

/* The sitemaps of an authority whose robots.txt has been answered: those that
 * it names (`named`; NULL where there is none), and /sitemap.xml. They are
 * reported with it. */
struct pv_robots_sitemaps;
void pv_listing_read_robots(struct pv_link_collector *collector,
    const struct pv_robots_sitemaps *named);

#endif
