#ifndef PAVANE_PARSE_SITEMAP_H
#define PAVANE_PARSE_SITEMAP_H

#include <stdint.h>

#include "parse/xml.h"
#include "url/url.h"

/* Sitemaps (https://www.sitemaps.org/protocol.html): in XML, as plain text
 * with an address a line, or a feed (RSS, Atom), each of them perhaps gzipped,
 * once or twice.
 * What it is its content tells, whatever its name.
 *
 * A sitemap is read in one pass, as far as it is whole, and within the
 * protocol's own ceilings: 50 MB decoded, 50,000 entries. What lies beyond is
 * left out, and how the reading ended says so. An address in whose text the
 * XML is damaged is skipped, never given out mangled.
 */
#define PV_SITEMAP_BYTES_MAX PV_XML_BYTES_MAX
#define PV_SITEMAP_ENTRIES_MAX 50000

enum pv_sitemap_kind {
	PV_SITEMAP_NONE, /* it is none */
	PV_SITEMAP_PAGES,
	PV_SITEMAP_INDEX,
};

enum pv_sitemap_end {
	PV_SITEMAP_WHOLE,
	PV_SITEMAP_BROKEN,  /* breaks off, or is damaged somewhere */
	PV_SITEMAP_LARGE,   /* more than 50 MB, decoded */
	PV_SITEMAP_MANY,    /* more than 50,000 entries */
	PV_SITEMAP_DOCTYPE, /* has one, at which the reading ended */
};

struct pv_sitemap_source {
	struct pv_str file;           /* as it came, perhaps gzip */
	const struct pv_url *address; /* where it lies */
	struct pv_str charset;        /* that its header named, or empty */
	bool may_be_text;             /* else only XML is one */
};

struct pv_sitemap_entry {
	const struct pv_url *url; /* maybe with a fragment */
	bool is_sitemap;          /* else it is a page */
	bool is_elsewhere;        /* on another host than the sitemap's */
	int64_t lastmod_wall_ms;  /* 0: not said */
};

/* Gets an entry, borrowed for the call. */
typedef void (*pv_sitemap_fn)(void *ctx, const struct pv_sitemap_entry *entry);

struct pv_sitemap_result {
	enum pv_sitemap_kind kind; /* NONE, too, where a DOCTYPE hides it */
	enum pv_sitemap_end end;
	size_t count;   /* of entries that were given */
	size_t skipped; /* of those without an address that is any */
};

/* Gives the entries in their order. `room` is lent for the addresses, of which
 * none is longer than its ceiling; it is none of the source's. */
struct pv_sitemap_result pv_sitemap_read(const struct pv_sitemap_source *source,
    struct pv_url *room, pv_sitemap_fn on_entry, void *ctx);

/* What it means, for a journal: "it has more than 50,000 entries"; "" for what
 * is whole. */
const char *pv_sitemap_word(enum pv_sitemap_end end);

#endif
