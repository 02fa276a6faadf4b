#include <stdint.h>
#include <stdlib.h>

#include "parse/css.h"
#include "parse/css_escape.h"
#include "parse/joiner.h"

/* Reads style sheets and style attributes. The input is a line with the
 * header's charset, and the sheet.
 *
 * What must hold: links are pieces of the sheet, in order and apart; there are
 * no more tokens than bytes; where nothing is to be decoded and there are no
 * references, the attribute of the same text has the same links; and what
 * escapes mean is no longer than a small multiple of how they are written.
 */

#define LINKS_MAX 64
#define TEXT_MAX 65536
#define ADDRESS_LEN_MAX 4096
#define TIMES_MAX 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

/* The address is a piece of the text, and behind `*end`, which moves on. */
static void require_behind(
    struct pv_str address, struct pv_str text, const char **end)
{
	require(address.ptr >= *end);
	*end = address.ptr + address.len;
	require(address.len > 0 && *end <= text.ptr + text.len);
}

static void check_tokens(struct pv_str sheet)
{
	struct pv_css_tokenizer tokenizer;
	size_t count = 0;
	pv_css_tokenizer_init(&tokenizer, sheet, NULL);
	while (pv_css_tokenizer_next(&tokenizer).kind != PV_CSS_END)
		count++;
	require(count <= sheet.len);
	require(pv_reader_is_end(&tokenizer.reader));
}

static void check_style(struct pv_str text, const struct pv_encoding *encoding)
{
	struct pv_css css;
	struct pv_style style;
	struct pv_buf scratch;
	struct pv_str address, same;
	const char *end = text.ptr;
	bool is_plain = pv_str_find(text, '&') == PV_NOT_FOUND;
	pv_buf_init(&scratch, TEXT_MAX);
	pv_css_init(&css, text, encoding);
	pv_style_init(&style, text, encoding, &scratch);
	while (pv_style_next(&style, &address)) {
		require_behind(address, text, &end);
		require(!is_plain ||
			(pv_css_next(&css, &same) && same.ptr == address.ptr &&
			    same.len == address.len));
	}
	require(!is_plain || !pv_css_next(&css, &same));
	require(scratch.len <= text.len);
	pv_buf_finish(&scratch);
}

static void check_links(const struct pv_links *links)
{
	struct pv_joiner joiner;
	struct pv_url page, url;
	const char *end = links->text.ptr;
	pv_joiner_init(&joiner, ADDRESS_LEN_MAX);
	pv_url_init(&page, ADDRESS_LEN_MAX);
	pv_url_init(&url, ADDRESS_LEN_MAX);
	pv_url_parse(&page, PV_STR("http://example.org/a/b"));
	pv_joiner_turn(&joiner, links, &page);
	for (size_t i = 0; i < links->count; i++) {
		require_behind(links->items[i].value, links->text, &end);
		enum pv_url_result result =
		    pv_joiner_join(&joiner, &url, &links->items[i]);
		require((result == PV_URL_OK) == (url.text.len > 0));
	}
	pv_url_finish(&url);
	pv_url_finish(&page);
	pv_joiner_finish(&joiner);
}

static void check_escapes(struct pv_str text)
{
	struct pv_buf buf;
	pv_buf_init(&buf, (size_t)-1);
	pv_css_unescape(text, &buf);
	require(buf.len <= text.len * TIMES_MAX);
	pv_buf_finish(&buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str text = {(const char *)data, size};
	struct pv_reader reader = pv_reader_of(text);
	struct pv_page_facts facts = {.product = PV_STR("bot")};
	struct pv_links links;
	facts.charset = pv_reader_take_line(&reader);
	struct pv_str sheet = pv_reader_rest(&reader);
	pv_links_init(&links, LINKS_MAX, TEXT_MAX);
	pv_links_read_sheet(&links, sheet, &facts);
	require(links.count <= LINKS_MAX && links.converted.len <= TEXT_MAX);
	check_links(&links);
	check_tokens(sheet);
	check_style(sheet, links.charset.encoding);
	check_escapes(sheet);
	pv_links_finish(&links);
	return 0;
}
