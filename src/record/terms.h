#ifndef PAVANE_RECORD_TERMS_H
#define PAVANE_RECORD_TERMS_H

#include "base/buf.h"

/* What was said of what may be done with a page, by itself and by the
 * robots.txt in force when it was asked for: recorded as it was said, for those
 * who use what was fetched, and decided by nobody here.
 *
 * All of it is from strangers: it is made visible, and each has a ceiling.
 */
enum pv_term {
	PV_TERM_ROBOTS_TAG, /* of meta robots and X-Robots-Tag, for us */
	PV_TERM_CONTENT_USAGE,
	PV_TERM_CONTENT_SIGNAL,
	PV_TERM_ROBOTS_CONTENT_USAGE, /* of robots.txt, for its path */
	PV_TERM_ROBOTS_CONTENT_SIGNAL,
	PV_TERM_TDM_RESERVATION, /* "1" or "0" */
	PV_TERM_TDM_POLICY,
	PV_TERM_COUNT,
};

/* So many bytes are kept of each. */
#define PV_TERM_BYTES 300

struct pv_terms {
	struct pv_buf text; /* all of them, one behind the other */
	struct {
		enum pv_term term;
		size_t start;
		size_t len;
	} items[PV_TERM_COUNT];
	size_t count;
};

void pv_terms_init(struct pv_terms *terms);
void pv_terms_finish(struct pv_terms *terms);

/* As after pv_terms_init, the memory kept. */
void pv_terms_clear(struct pv_terms *terms);

/* Adds one that is not there yet, unless the text is empty. */
void pv_terms_add(
    struct pv_terms *terms, enum pv_term term, struct pv_str text);

/* The term at that place (under the count) with what was said. */
enum pv_term pv_terms_at(
    const struct pv_terms *terms, size_t place, struct pv_str *text);

/* The word for it in journals. */
const char *pv_term_word(enum pv_term term);

#endif
