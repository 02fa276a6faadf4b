#include "parse/document.h"

#include "base/buf.h"
#include "tap.h"

static const struct {
	const char *claim;
	struct pv_str file;
	enum pv_xml_document document;
} files[] = {
    {"urlset is a sitemap",
	PV_STR("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"),
	PV_XML_SITEMAP},
    {"so is sitemapindex", PV_STR("<sitemapindex>"), PV_XML_SITEMAP},
    {"rss is a feed", PV_STR("<rss version='2.0'>"), PV_XML_FEED},
    {"so is RDF with RSS",
	PV_STR("<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
	       "xmlns='http://purl.org/rss/1.0/'>"),
	PV_XML_FEED},
    {"RDF without is not",
	PV_STR("<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"),
	PV_XML_OTHER},
    {"feed is one in Atom's namespace",
	PV_STR("<feed xmlns='http://www.w3.org/2005/Atom'>"), PV_XML_FEED},
    {"and in no other", PV_STR("<feed>"), PV_XML_OTHER},
    {"before it there may be a mark, a declaration, comments and instructions",
	PV_STR("\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <html> --><?x <y> ?>\n"
	       "<rss>"),
	PV_XML_FEED},
    {"a page is neither", PV_STR("<html><rss></rss></html>"), PV_XML_OTHER},
    {"nor is what has a DOCTYPE", PV_STR("<!DOCTYPE rss><rss>"), PV_XML_OTHER},
    {"nor what is no XML", PV_STR("rss <rss>"), PV_XML_OTHER},
    {"nor nothing", PV_STR(""), PV_XML_OTHER},
};

static void check_beginning(void)
{
	struct pv_buf file;
	pv_buf_init(&file, (size_t)1 << 20);
	pv_buf_append_text(&file, "<!--");
	for (unsigned i = 0; i < 5000; i++)
		pv_buf_append_char(&file, 'x');
	pv_buf_append_text(&file, "--><rss>");
	ok(pv_xml_sniff(pv_buf_str(&file)) == PV_XML_FEED,
	    "a root may stand behind some KiB");
	pv_buf_clear(&file);
	pv_buf_append_text(&file, "<!--");
	for (unsigned i = 0; i < 50000; i++)
		pv_buf_append_char(&file, 'x');
	pv_buf_append_text(&file, "--><rss>");
	ok(pv_xml_sniff(pv_buf_str(&file)) == PV_XML_OTHER,
	    "but is not looked for any further");
	pv_buf_finish(&file);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		ok(pv_xml_sniff(files[i].file) == files[i].document, "%s",
		    files[i].claim);
	check_beginning();
	return tap_done();
}
