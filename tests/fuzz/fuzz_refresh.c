#include <stdint.h>
#include <stdlib.h>

#include "parse/joiner.h"
#include "parse/refresh.h"

/* Reads the value of a Refresh header, or of the meta tag that says the same,
 * and joins the address in it.
 *
 * What must hold: the address is a piece of the value that is not blank, behind
 * a time and what separates it; a value that is read again from what stands
 * before the address on gives the same one; and a page that says so in a tag
 * has that one link.
 */

#define ADDRESS_LEN_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static bool is_safe(struct pv_str value)
{
	return pv_str_find(value, '"') == PV_NOT_FOUND;
}

static void check_address(struct pv_str value, struct pv_str address)
{
	struct pv_str again;
	size_t start = (size_t)(address.ptr - value.ptr);
	require(address.len > 0 && !pv_value_is_blank(address));
	require(start >= 1 && start + address.len <= value.len);
	require(pv_refresh_read(value, &again));
	require(pv_str_equal(address, again));
}

static void check_page(struct pv_str value, bool is_found)
{
	const struct pv_page_facts facts = {.charset = PV_STR("utf-8")};
	struct pv_links links;
	struct pv_joiner joiner;
	struct pv_url page, url;
	struct pv_buf text;
	pv_buf_init(&text, value.len + 64);
	pv_buf_append_text(&text, "<meta http-equiv=refresh content=\"");
	pv_buf_append(&text, value);
	pv_buf_append_text(&text, "\">");
	pv_links_init(&links, 2, 0);
	pv_links_read(&links, pv_buf_str(&text), &facts);
	require(links.count == is_found);
	pv_joiner_init(&joiner, ADDRESS_LEN_MAX);
	pv_url_init(&page, ADDRESS_LEN_MAX);
	pv_url_init(&url, ADDRESS_LEN_MAX);
	pv_url_parse(&page, PV_STR("http://example.org/a/b"));
	pv_joiner_turn(&joiner, &links, &page);
	if (links.count) {
		enum pv_url_result result =
		    pv_joiner_join(&joiner, &url, links.items);
		require((result == PV_URL_OK) == (url.text.len > 0));
	}
	pv_url_finish(&url);
	pv_url_finish(&page);
	pv_joiner_finish(&joiner);
	pv_links_finish(&links);
	pv_buf_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str value = {(const char *)data, size};
	struct pv_str address;
	bool is_found = pv_refresh_read(value, &address);
	if (is_found)
		check_address(value, address);
	if (is_safe(value))
		check_page(value, is_found);
	return 0;
}
