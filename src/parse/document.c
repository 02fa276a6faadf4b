#include "parse/document.h"

/* A root tag that stands further back is not looked for. */
#define HEAD_LEN 8192

enum pv_xml_document pv_xml_document_of(const struct pv_xml_tag *root)
{
	static const struct {
		struct pv_str name;
		enum pv_xml_space space;
		enum pv_xml_document document;
	} roots[] = {
	    {PV_STR("urlset"), PV_SPACE_SITEMAP, PV_XML_SITEMAP},
	    {PV_STR("urlset"), PV_SPACE_NONE, PV_XML_SITEMAP},
	    {PV_STR("sitemapindex"), PV_SPACE_SITEMAP, PV_XML_SITEMAP},
	    {PV_STR("sitemapindex"), PV_SPACE_NONE, PV_XML_SITEMAP},
	    {PV_STR("rss"), PV_SPACE_NONE, PV_XML_FEED},
	    {PV_STR("RDF"), PV_SPACE_RDF, PV_XML_FEED},
	    {PV_STR("feed"), PV_SPACE_ATOM, PV_XML_FEED},
	};
	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		if (roots[i].space != root->space ||
		    !pv_str_equal(roots[i].name, root->name))
			continue;
		bool is_rdf = root->space == PV_SPACE_RDF;
		return !is_rdf || pv_xml_declares(root, PV_SPACE_RSS)
			   ? roots[i].document
			   : PV_XML_OTHER;
	}
	return PV_XML_OTHER;
}

static enum pv_xml_wish note_root(void *ctx, const struct pv_xml_tag *tag)
{
	enum pv_xml_document *document = ctx;
	*document = pv_xml_document_of(tag);
	return PV_XML_STOP;
}

static bool on_end(void *ctx, unsigned depth, const struct pv_xml_text *text)
{
	(void)ctx;
	(void)depth;
	(void)text;
	return false;
}

enum pv_xml_document pv_xml_sniff(struct pv_str file)
{
	enum pv_xml_document document = PV_XML_OTHER;
	const struct pv_xml_hearer hearer = {note_root, on_end, &document};
	if (file.len > HEAD_LEN)
		file.len = HEAD_LEN;
	pv_xml_read(file, PV_STR(""), &hearer);
	return document;
}
