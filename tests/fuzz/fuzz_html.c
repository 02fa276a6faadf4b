#include <stdint.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "parse/joiner.h"
#include "parse/title.h"
#include "parse/tokenizer.h"

/* Reads the links of pages. The input is a line with the header's charset, and
 * the page.
 *
 * What must hold: each value is a piece of the text, the ceilings are kept, no
 * page has more tags than "<", whoever skips attributes finds the same tags as
 * who reads them, and a title is one line that fits.
 */

#define LINKS_MAX 64
#define TEXT_MAX 65536
#define ADDRESS_LEN_MAX 4096
#define TITLE_LEN_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void require_within(struct pv_str piece, struct pv_str text)
{
	require(piece.ptr >= text.ptr);
	require(piece.len <= text.len);
	require((size_t)(piece.ptr - text.ptr) <= text.len - piece.len);
}

static void check_tags(struct pv_str page)
{
	struct pv_tokenizer skipping, reading;
	struct pv_attribute attribute;
	enum pv_element element;
	size_t places = 0, tags = 0;
	for (size_t i = 0; i < page.len; i++)
		places += page.ptr[i] == '<';
	pv_tokenizer_init(&skipping, page);
	pv_tokenizer_init(&reading, page);
	while ((element = pv_tokenizer_next(&reading))) {
		tags++;
		require(pv_tokenizer_next(&skipping) == element);
		require_within(reading.name, page);
		while (pv_tokenizer_attribute(&reading, &attribute)) {
			require(attribute.name.len > 0);
			require_within(attribute.name, page);
			require_within(attribute.value, page);
		}
	}
	require(!pv_tokenizer_next(&skipping));
	require(tags <= places);
}

static void check_links(const struct pv_links *links)
{
	struct pv_joiner joiner;
	struct pv_url page, url;
	pv_joiner_init(&joiner, ADDRESS_LEN_MAX);
	pv_url_init(&page, ADDRESS_LEN_MAX);
	pv_url_init(&url, ADDRESS_LEN_MAX);
	pv_url_parse(&page, PV_STR("http://example.org/a/b"));
	pv_joiner_turn(&joiner, links, &page);
	for (size_t i = 0; i < links->count; i++) {
		require_within(links->items[i].value, links->text);
		enum pv_url_result result =
		    pv_joiner_join(&joiner, &url, &links->items[i]);
		require((result == PV_URL_OK) == (url.text.len > 0));
	}
	pv_url_finish(&url);
	pv_url_finish(&page);
	pv_joiner_finish(&joiner);
}

static void check_title(struct pv_str page)
{
	struct pv_buf title;
	pv_buf_init(&title, TITLE_LEN_MAX);
	bool is_read = pv_title_read(page, &title);
	require(is_read == (title.len > 0) && !title.is_full);
	for (size_t i = 0; i < title.len; i++)
		require(!pv_is_control((unsigned char)title.ptr[i]));
	pv_buf_finish(&title);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str text = {(const char *)data, size};
	struct pv_reader reader = pv_reader_of(text);
	struct pv_page_facts facts = {.product = PV_STR("bot")};
	struct pv_links links;
	facts.charset = pv_reader_take_line(&reader);
	struct pv_str page = pv_reader_rest(&reader);
	pv_links_init(&links, LINKS_MAX, TEXT_MAX);
	pv_links_read(&links, page, &facts);
	require(links.count <= LINKS_MAX && links.converted.len <= TEXT_MAX);
	check_tags(page);
	check_title(page);
	check_links(&links);
	facts.is_xml = true;
	pv_links_read(&links, page, &facts);
	check_links(&links);
	pv_links_finish(&links);
	return 0;
}
