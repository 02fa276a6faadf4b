#ifndef PAVANE_PARSE_DECODER_H
#define PAVANE_PARSE_DECODER_H

#include <iconv.h>

#include "base/buf.h"
#include "url/encoding.h"

/* Text in the encoding of a page, turned into UTF-8 (iconv).
 *
 * What the encoding has no meaning for becomes U+FFFD, as in a browser. Where
 * nobody knows the encoding, bytes stay what they are.
 */
struct pv_decoder {
	const struct pv_encoding *encoding; /* NULL: unknown */
	bool is_wide;                       /* two bytes a character */
	iconv_t converter;
	bool is_open;
};

void pv_decoder_init(
    struct pv_decoder *decoder, const struct pv_encoding *encoding);
void pv_decoder_finish(struct pv_decoder *decoder);

/* Whether markup can be found only after decoding, because in the encoding
 * the bytes of "<", quotes and the like may mean something else. */
bool pv_decoder_must_come_first(const struct pv_encoding *encoding);

/* Whether decoding would make anything else of the text. */
bool pv_decoder_changes(const struct pv_decoder *decoder, struct pv_str text);

/* Appends the text, decoded; what does not fit is left to buf->is_full. */
void pv_decoder_append(
    struct pv_decoder *decoder, struct pv_buf *buf, struct pv_str text);

#endif
