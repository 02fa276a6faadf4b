#ifndef PAVANE_PARSE_SITEMAP_XML_H
#define PAVANE_PARSE_SITEMAP_XML_H

#include "parse/sitemap.h"

/* The entries of a sitemap on their way to who asked for them: counted, and
 * held against where the sitemap lies. For the readers of sitemaps. */
struct pv_sitemap_giving {
	const struct pv_url *address; /* the sitemap's */
	pv_sitemap_fn on_entry;
	void *ctx;
	struct pv_sitemap_result result;
};

/* Gives an entry with that address, of which the rest is filled in; where the
 * address is empty the entry is skipped. False if there are so many already
 * that this one is left out, and all that follow. */
bool pv_sitemap_give(struct pv_sitemap_giving *giving,
    struct pv_sitemap_entry entry, const struct pv_url *url);

/* Sitemaps in XML, and feeds as sitemaps: a table of which elements are
 * entries, and where in them an address and a date stand. */

/* Reads a file that is in no coding, whose header named that charset; `room` is
 * lent for addresses. */
void pv_sitemap_read_xml(struct pv_sitemap_giving *giving, struct pv_str file,
    struct pv_str charset, struct pv_url *room);

#endif
