#include <stdint.h>
#include <stdlib.h>

#include "base/reader.h"
#include "parse/document.h"
#include "parse/feed.h"
#include "parse/manifest.h"

/* Reads feeds, and web app manifests. The input is a line with the header's
 * charset, and the document, which is read as both.
 *
 * What must hold: each link is a web address, there are no more than the
 * ceiling allows, and what is no feed or manifest has none; no document is
 * both; what the first bytes say is a feed is one.
 */

#define ADDRESS_LEN_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void count(void *ctx, const struct pv_url *url, bool is_page)
{
	size_t *links = ctx;
	struct pv_url again;
	(void)is_page;
	pv_url_init(&again, ADDRESS_LEN_MAX);
	require(pv_url_parse(&again, pv_url_text(url)) == PV_URL_OK);
	pv_url_finish(&again);
	++*links;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	struct pv_str charset = pv_reader_take_line(&reader);
	struct pv_str file = pv_reader_rest(&reader);
	struct pv_url address, room;
	size_t links = 0;
	pv_url_init(&address, ADDRESS_LEN_MAX);
	pv_url_init(&room, ADDRESS_LEN_MAX);
	pv_url_parse(&address, PV_STR("http://example.org/a/b"));
	bool is_feed =
	    pv_feed_read(file, &address, charset, &room, count, &links);
	require(links <= (is_feed ? PV_FEED_LINKS_MAX : 0));
	if (!charset.len)
		require(is_feed || pv_xml_sniff(file) != PV_XML_FEED);
	links = 0;
	bool is_manifest =
	    pv_manifest_read(file, &address, &room, count, &links);
	require(is_manifest || !links);
	require(!is_manifest || !is_feed || charset.len);
	pv_url_finish(&room);
	pv_url_finish(&address);
	return 0;
}
