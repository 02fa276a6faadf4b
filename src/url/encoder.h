#ifndef PAVANE_URL_ENCODER_H
#define PAVANE_URL_ENCODER_H

#include <iconv.h>

#include "base/buf.h"

/* How a page that is not UTF-8 writes its queries: in its own encoding, and
 * as "&#NNNN;" what that cannot write ("percent-encode after encoding" of the
 * URL Standard).
 *
 * Make one for a page and join its links with it; iconv is asked only when a
 * link needs it.
 */
struct pv_encoder {
	const struct pv_encoding *encoding; /* NULL: UTF-8 */
	iconv_t converter;
	bool is_open;
};

/* For a page's encoding, under any label of the Encoding Standard. Labels
 * that nobody knows count as UTF-8, and so does UTF-16: no query is written
 * in it. */
void pv_encoder_init(struct pv_encoder *encoder, struct pv_str label);
void pv_encoder_finish(struct pv_encoder *encoder);

/* Appends a query that is given in UTF-8, encoded and percent-encoded. What
 * does not fit is left to buf->is_full. */
void pv_encoder_append(
    struct pv_encoder *encoder, struct pv_buf *buf, struct pv_str query);

#endif
