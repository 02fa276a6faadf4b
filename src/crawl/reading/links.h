#ifndef PAVANE_CRAWL_READING_LINKS_H
#define PAVANE_CRAWL_READING_LINKS_H

#include "crawl/reading/judge.h"
#include "crawl/reading/page_terms.h"
#include "mirror/links/rewriter.h"
#include "parse/joiner.h"

/* The links of an answer: those in a page, a style sheet or a drawing, and those
 * that its headers name, each joined, judged and added to what is reported of the open
 * visit.
 *
 * Of a page those count that lead to pages and to resources; of what was asked
 * for as a resource only those to resources, as style sheets and drawings have them. Where
 * that leaves something out, or where the way to it was too long for all of
 * them, it is noted that the address may lead further, should it be found again
 * in a better place.
 */
struct pv_open;

/* What reading needs over and over; one for each thread of the pool. */
struct pv_reader_desk {
	struct pv_links links;
	enum pv_document_kind read_as; /* the last body whose links these are */
	struct pv_joiner joiner;
	struct pv_url url;
	struct pv_buf words; /* of a header */
	struct pv_buf file;  /* that a page is kept in */
	struct pv_rewriter rewriter;
	bool has_rewritten; /* the page, by that */
	struct pv_page_terms terms;
	struct pv_digester *digester;
};

/* The links of an answer that is a success. */
void pv_answer_links_read(struct pv_open *open, struct pv_reader_desk *desk);

/* The redirect to the address on the desk. */
void pv_answer_links_read_redirect(
    struct pv_open *open, struct pv_reader_desk *desk);

#endif
