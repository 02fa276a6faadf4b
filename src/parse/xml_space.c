#include "parse/xml_space.h"

static const struct {
	struct pv_str name;
	enum pv_xml_space space;
} spaces[] = {
    {PV_STR("www.sitemaps.org/schemas/sitemap/0.9"), PV_SPACE_SITEMAP},
    {PV_STR("www.google.com/schemas/sitemap/0.84"), PV_SPACE_SITEMAP},
    {PV_STR("purl.org/rss/1.0"), PV_SPACE_RSS},
    {PV_STR("my.netscape.com/rdf/simple/0.9"), PV_SPACE_RSS},
    {PV_STR("channel.netscape.com/rdf/simple/0.9"), PV_SPACE_RSS},
    {PV_STR("www.w3.org/1999/02/22-rdf-syntax-ns#"), PV_SPACE_RDF},
    {PV_STR("www.w3.org/2005/Atom"), PV_SPACE_ATOM},
    {PV_STR("purl.org/atom/ns#"), PV_SPACE_ATOM},
    {PV_STR("purl.org/dc/elements/1.1"), PV_SPACE_DC},
    {PV_STR("www.w3.org/XML/1998/namespace"), PV_SPACE_XML},
};

enum pv_xml_space pv_xml_space_find(struct pv_str name)
{
	if (!name.len)
		return PV_SPACE_NONE;
	if (pv_str_starts(name, PV_STR("http://")))
		name = pv_str_from(name, strlen("http://"));
	else if (pv_str_starts(name, PV_STR("https://")))
		name = pv_str_from(name, strlen("https://"));
	if (pv_str_ends(name, PV_STR("/")))
		name.len--;
	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		if (pv_str_equal(spaces[i].name, name))
			return spaces[i].space;
	}
	return PV_SPACE_OTHER;
}
