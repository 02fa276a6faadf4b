#ifndef PAVANE_PARSE_SITEMAP_TEXT_H
#define PAVANE_PARSE_SITEMAP_TEXT_H

#include "base/reader.h"
#include "url/url.h"

/* A sitemap that is plain text (https://www.sitemaps.org/protocol.html): an
 * address a line, in UTF-8, at most 50,000 of them. Lines that are no web
 * address are passed over. */
#define PV_SITEMAP_ENTRIES_MAX 50000

struct pv_sitemap_text {
	struct pv_reader reader;
	size_t count;
};

/* Begins with a file, which lives as long as it is read. */
void pv_sitemap_text_init(struct pv_sitemap_text *sitemap, struct pv_str file);

/* Fills in the next address; false at the end, or past the last entry that is
 * taken. */
bool pv_sitemap_text_next(struct pv_sitemap_text *sitemap, struct pv_url *url);

#endif
