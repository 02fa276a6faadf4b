#ifndef PAVANE_READING_LINK_COLLECTOR_H
#define PAVANE_READING_LINK_COLLECTOR_H

#include "reading/answer.h"
#include "reading/desk.h"
#include "reading/findings.h"
#include "reading/judge.h"

/* Collects the links of one answer, in a thread of the pool: for the files that
 * find them. Each is judged, and added to the findings, unless nothing is new
 * about it. */
struct pv_link_collector {
	const struct pv_reading_context *context;
	const struct pv_answer *answer;
	struct pv_reader_desk *desk;
	struct pv_findings *findings;
	bool is_page;          /* that it was asked for as one */
	bool is_read;          /* that its body was, as a page or a sheet */
	enum pv_reason closed; /* why no link to a page is to be followed */
	const struct pv_page_kind *leads_only; /* of which kind it is, if that
						  follows links of its own */
	const struct pv_url *base;  /* of the links that this follows ... */
	struct pv_encoder *encoder; /* ... and how they are written */
	bool is_left_out;           /* a link to a page, since this is none */
	bool has_links;
};

/* Adds the address on the desk, found in a way that the caller says. */
void pv_link_collector_add(
    struct pv_link_collector *collector, struct pv_found found);

/* The same for a link that stands in the answer. */
void pv_link_collector_add_link(
    struct pv_link_collector *collector, bool is_page, bool is_nofollow);

/* Not all of them were taken. */
void pv_link_collector_note_cut(struct pv_link_collector *collector);

#endif
