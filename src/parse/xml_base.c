#include "parse/xml_base.h"

void pv_xml_base_init(
    struct pv_xml_base *base, const struct pv_url *address, size_t ceiling)
{
	*base = (struct pv_xml_base){.address = address};
	for (size_t i = 0; i < PV_XML_BASES_MAX; i++)
		pv_url_init(&base->bases[i], ceiling);
}

void pv_xml_base_finish(struct pv_xml_base *base)
{
	for (size_t i = 0; i < PV_XML_BASES_MAX; i++)
		pv_url_finish(&base->bases[i]);
}

void pv_xml_base_enter(struct pv_xml_base *base, const struct pv_xml_tag *tag)
{
	struct pv_str value = pv_xml_get(tag, PV_SPACE_XML, PV_STR("base"));
	if (!value.ptr || base->count == PV_XML_BASES_MAX)
		return;
	struct pv_url *next = &base->bases[base->count];
	if (tag->is_damaged || !pv_xml_base_join(base, value, next))
		pv_url_parse(next, PV_STR("")); /* empties it */
	base->depths[base->count++] = tag->depth;
}

void pv_xml_base_leave(struct pv_xml_base *base, unsigned depth)
{
	if (base->count && base->depths[base->count - 1] == depth)
		base->count--;
}

bool pv_xml_base_join(
    struct pv_xml_base *base, struct pv_str reference, struct pv_url *url)
{
	const struct pv_url *from =
	    base->count ? &base->bases[base->count - 1] : base->address;
	if (base->joins == PV_XML_JOINS_MAX)
		return false;
	base->joins++;
	return pv_url_join(url, from, reference, NULL) == PV_URL_OK;
}
