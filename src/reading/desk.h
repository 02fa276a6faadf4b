#ifndef PAVANE_READING_DESK_H
#define PAVANE_READING_DESK_H

#include "base/digest.h"
#include "mirror/links/rewriter.h"
#include "parse/joiner.h"
#include "reading/page_terms.h"

/* What reading needs over and over; each thread of the pool has a desk of its
 * own. */
struct pv_policy;

struct pv_reader_desk {
	struct pv_links links;
	enum pv_document_kind read_as; /* the last body whose links these are */
	struct pv_joiner joiner;
	struct pv_url url;
	struct pv_buf words; /* of a header */
	struct pv_buf file;  /* that a page is kept in */
	struct pv_rewriter rewriter;
	struct pv_page_terms terms;
	struct pv_digester *digester;
};

struct pv_reader_desk *pv_reader_desks_create(
    const struct pv_policy *policy, size_t count);
void pv_reader_desks_destroy(struct pv_reader_desk *desks, size_t count);

#endif
