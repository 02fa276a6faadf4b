#ifndef PAVANE_READING_PAGE_TERMS_H
#define PAVANE_READING_PAGE_TERMS_H

#include "http/headers.h"
#include "parse/links.h"
#include "record/terms.h"
#include "robots/matcher.h"

/* What was said of what may be done with an answer, gathered from its headers,
 * from the page that it is, and from the robots.txt in force. Most say nothing,
 * and are asked in one walk through their headers. */
struct pv_page_terms {
	unsigned fields; /* that its headers have, of those that say so */
	struct pv_robots_words robots;
	struct pv_tdm tdm;
};

void pv_page_terms_init(struct pv_page_terms *terms);
void pv_page_terms_finish(struct pv_page_terms *terms);

/* Reads the headers of an answer, forgetting the one before. `product` is our
 * name to robots, beside "pavane". */
void pv_page_terms_read(struct pv_page_terms *terms,
    const struct pv_headers *headers, struct pv_str product);

/* Where else something is said. */
struct pv_page_terms_sources {
	const struct pv_headers *headers;
	const struct pv_links *links; /* of the page; NULL if it is none */
	const struct pv_robots_matcher *matcher; /* NULL for none */
	struct pv_str target;                    /* as in a request line */
};

/* Records all of it: what stands in the page goes before what its headers
 * say, and what asks of robots adds up. */
void pv_page_terms_record(struct pv_page_terms *terms,
    const struct pv_page_terms_sources *sources, struct pv_terms *said);

#endif
