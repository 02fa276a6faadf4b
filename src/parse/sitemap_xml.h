#ifndef PAVANE_PARSE_SITEMAP_XML_H
#define PAVANE_PARSE_SITEMAP_XML_H

#include "parse/sitemap_giving.h"

/* Sitemaps in XML, and feeds as sitemaps: a table of which elements are
 * entries, and where in them an address and a date stand. */

/* Reads a file that is in no coding, whose header named that charset; `room` is
 * lent for addresses. */
void pv_sitemap_read_xml(struct pv_sitemap_giving *giving, struct pv_str file,
    struct pv_str charset, struct pv_url *room);

#endif
