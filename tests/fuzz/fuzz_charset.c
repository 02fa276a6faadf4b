#include <stdint.h>
#include <stdlib.h>

#include "base/reader.h"
#include "base/utf8.h"
#include "parse/charset.h"
#include "parse/decoder.h"

/* Finds out the encoding of a page and decodes it. The input is a line with
 * the header's charset, and the page.
 *
 * What must hold: where the encoding is known, all that is decoded is UTF-8,
 * without NULs and within its ceiling; what is said to be unchanged, is.
 */

#define TEXT_MAX 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check(const struct pv_encoding *encoding, struct pv_str page)
{
	struct pv_decoder decoder;
	struct pv_buf text;
	pv_decoder_init(&decoder, encoding);
	pv_buf_init(&text, TEXT_MAX);
	pv_decoder_append(&decoder, &text, page);
	require(text.len <= TEXT_MAX);
	require(pv_str_find(pv_buf_str(&text), '\0') == PV_NOT_FOUND);
	if (encoding)
		require(
		    pv_utf8_find_invalid(pv_buf_str(&text)) == PV_NOT_FOUND);
	if (!text.is_full && !pv_decoder_must_come_first(encoding) &&
	    !pv_decoder_changes(&decoder, page))
		require(pv_str_equal(pv_buf_str(&text), page));
	pv_buf_finish(&text);
	pv_decoder_finish(&decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str text = {(const char *)data, size};
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str header = pv_reader_take_line(&reader);
	struct pv_str page = pv_reader_rest(&reader);
	struct pv_str label = pv_charset_label(header);
	struct pv_charset charset =
	    pv_charset_find(page, label.len ? label : header);
	require((charset.source == PV_CHARSET_UNKNOWN) == !charset.encoding);
	check(charset.encoding, page);
	return 0;
}
