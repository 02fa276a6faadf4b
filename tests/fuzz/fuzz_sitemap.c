#include <stdint.h>
#include <stdlib.h>

#include "base/reader.h"
#include "parse/document.h"
#include "parse/sitemap.h"

/* Reads sitemaps. The input is a line with the header's charset, and the file.
 *
 * What must hold: each entry is a web address, and is given once; there are no
 * more than the ceiling allows; what is no sitemap has no entries; and what the
 * first bytes say is a sitemap is read as one.
 */

#define ADDRESS_LEN_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void count(void *ctx, const struct pv_sitemap_entry *entry)
{
	size_t *entries = ctx;
	struct pv_url again;
	pv_url_init(&again, ADDRESS_LEN_MAX);
	require(pv_url_parse(&again, pv_url_text(entry->url)) == PV_URL_OK);
	require(entry->lastmod_wall_ms >= 0);
	pv_url_finish(&again);
	++*entries;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	struct pv_url address, room;
	size_t entries = 0;
	struct pv_sitemap_source source = {.address = &address};
	source.charset = pv_reader_take_line(&reader);
	source.file = pv_reader_rest(&reader);
	source.may_be_text = source.charset.len % 2 == 0;
	pv_url_init(&address, ADDRESS_LEN_MAX);
	pv_url_init(&room, ADDRESS_LEN_MAX);
	pv_url_parse(&address, PV_STR("http://example.org/sitemap.xml"));
	struct pv_sitemap_result result =
	    pv_sitemap_read(&source, &room, count, &entries);
	require(result.count == entries);
	require(result.count + result.skipped <= PV_SITEMAP_ENTRIES_MAX);
	require(result.kind != PV_SITEMAP_NONE || !entries);
	if (!source.charset.len)
		require(pv_xml_sniff(source.file) == PV_XML_OTHER ||
			result.kind != PV_SITEMAP_NONE);
	pv_url_finish(&room);
	pv_url_finish(&address);
	return 0;
}
