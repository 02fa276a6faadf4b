#ifndef PAVANE_READING_PROGRAM_GIVEN_H
#define PAVANE_READING_PROGRAM_GIVEN_H

#include "pavane/events.h"
#include "reading/answer.h"
#include "reading/context.h"
#include "reading/desk.h"
#include "reading/findings.h"

/* What the program that runs the crawl gives to an answer that it is shown, in the
 * thread of the pool that has read it: rows and links, which are judged as those
 * that were found in it, and are among its findings from then on.
 *
 * Each returns false if it takes nothing, and says why in a sentence.
 */
struct pv_giving {
	const struct pv_reading_context *context;
	const struct pv_answer *answer;
	struct pv_reader_desk *desk;
	struct pv_findings *findings;
	struct pv_buf *why; /* empty */
};

/* A row of that kind of page, as a JSON object (fields/given_row.h). All rows of a
 * page are of one kind: of that which it has, or else of the first row's. */
bool pv_given_add_row(
    const struct pv_giving *giving, struct pv_str kind, struct pv_str json);

/* An address, as a link that the page has: what asks of robots not to follow does
 * not count, all else does. True even if the link is refused then, or known. */
bool pv_given_add_link(const struct pv_giving *giving, struct pv_str address,
    enum pavane_place place);

#endif
