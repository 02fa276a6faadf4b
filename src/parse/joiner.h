#ifndef PAVANE_PARSE_JOINER_H
#define PAVANE_PARSE_JOINER_H

#include "parse/decoder.h"
#include "parse/links.h"
#include "url/encoder.h"
#include "url/url.h"

/* From the links of a page to addresses: encoding, references and escapes are
 * read, and what is left is joined to the page's base
 * (https://html.spec.whatwg.org/#document-base-url).
 *
 * The base is the page's own address, unless the first `<base href>` says
 * otherwise. That holds for all links, those before it too, which is why they
 * are joined only when the page has been read.
 */
struct pv_joiner {
	struct pv_url base; /* empty: that of a foreign scheme */
	struct pv_encoder encoder;
	struct pv_decoder decoder;
	struct pv_buf scratch;
	struct pv_buf inlaid;
	struct pv_buf unescaped;
	size_t value_max;
};

/* For addresses of at most `ceiling` bytes. */
void pv_joiner_init(struct pv_joiner *joiner, size_t ceiling);
void pv_joiner_finish(struct pv_joiner *joiner);

/* Turns to the links of another page, whose address is given. */
void pv_joiner_turn(struct pv_joiner *joiner, const struct pv_links *links,
    const struct pv_url *page);

/* What a link of that page says, in UTF-8, until the next is read; false if it
 * is too long to be read to its end. */
bool pv_joiner_read(struct pv_joiner *joiner, const struct pv_page_link *link,
    struct pv_str *text);

/* Fills in the address that a link of that page leads to. */
enum pv_url_result pv_joiner_join(struct pv_joiner *joiner, struct pv_url *url,
    const struct pv_page_link *link);

#endif
