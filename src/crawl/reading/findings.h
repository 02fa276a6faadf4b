#ifndef PAVANE_CRAWL_READING_FINDINGS_H
#define PAVANE_CRAWL_READING_FINDINGS_H

#include "crawl/reading/links.h"

/* An answer whose links are being found, in a thread of the pool: for the files
 * that find them. Each is judged, and added to what is reported of the open
 * visit, unless nothing is new about it. */
struct pv_findings {
	struct pv_open *open;
	struct pv_reader_desk *desk;
	bool is_page;          /* that it was asked for as one */
	bool is_read;          /* that its body was, as a page or a sheet */
	enum pv_reason closed; /* why no link to a page is to be followed */
	bool is_left_out;      /* a link to a page, since this is none */
	bool has_links;
};

/* Adds the address on the desk, found in a way that the caller says. */
void pv_findings_add(struct pv_findings *findings, struct pv_found found);

/* The same for a link that stands in the answer. */
void pv_findings_add_link(
    struct pv_findings *findings, bool is_page, bool is_nofollow);

/* Not all of them were taken. */
void pv_findings_tell_cut(struct pv_findings *findings);

#endif
