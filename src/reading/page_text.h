#ifndef PAVANE_READING_PAGE_TEXT_H
#define PAVANE_READING_PAGE_TEXT_H

#include "base/buf.h"
#include "url/encoding.h"

/* As much of a page as its fields are read from, in UTF-8.
 *
 * Of a page longer than `output.fields.max_page` the beginning counts, as it
 * came: a character that is cut in two there is left out. One after another is
 * read, by one thread.
 */
struct pv_policy;

struct pv_page_text {
	size_t bytes_max; /* of a page, as it came */
	struct pv_buf decoded;
	struct pv_str text; /* of the last page, or in `decoded` */
	bool is_cut;        /* there is more of it */
};

void pv_page_text_init(
    struct pv_page_text *text, const struct pv_policy *policy);
void pv_page_text_finish(struct pv_page_text *text);

/* `encoding` is NULL if nobody knows it. The page outlives `text->text`. */
void pv_page_text_read(struct pv_page_text *text,
    const struct pv_encoding *encoding, struct pv_str page);

#endif
