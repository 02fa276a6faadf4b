#include "reading/body_kind.h"

#include "http/media_type.h"
#include "parse/document.h"

static const struct {
	const char *type;
	enum pv_body_kind kind;
} kinds[] = {
    {"text/html", PV_BODY_HTML},
    {"application/xhtml+xml", PV_BODY_XHTML},
    {"image/svg+xml", PV_BODY_DRAWING},
    {"text/css", PV_BODY_SHEET},
    {"application/manifest+json", PV_BODY_MANIFEST},
};

static bool is_xml(const struct pv_media_type *type)
{
	return pv_media_type_is(type, PV_STR("text/xml")) ||
	       pv_media_type_is(type, PV_STR("application/xml")) ||
	       pv_str_ends(type->subtype, PV_STR("+xml"));
}

static enum pv_body_kind xml_kind(struct pv_str text)
{
	switch (pv_xml_sniff(text)) {
	case PV_XML_SITEMAP:
		return PV_BODY_SITEMAP;
	case PV_XML_FEED:
		return PV_BODY_FEED;
	default:
		return PV_BODY_OTHER;
	}
}

static enum pv_body_kind kind_by_type(struct pv_str said, struct pv_str text)
{
	struct pv_media_type type;
	if (!pv_media_type_read(said, &type))
		return PV_BODY_HTML;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (pv_media_type_is(&type, pv_str_of(kinds[i].type)))
			return kinds[i].kind;
	}
	return is_xml(&type) ? xml_kind(text) : PV_BODY_OTHER;
}

/* A page of a server that answers anything with its start page is none. */
static enum pv_body_kind list_kind(
    const struct pv_standing *standing, enum pv_body_kind by_type)
{
	if (by_type != PV_BODY_HTML && by_type != PV_BODY_XHTML)
		return PV_BODY_SITEMAP;
	return standing->is_only_list ? PV_BODY_OTHER : by_type;
}

enum pv_body_kind pv_body_kind_of(
    const struct pv_answer *answer, struct pv_str type)
{
	const struct pv_standing *standing = &answer->visit->standing;
	enum pv_body_kind kind = kind_by_type(type, answer->text);
	if (!standing->listing)
		return kind;
	if (xml_kind(answer->text) != PV_BODY_OTHER)
		return PV_BODY_SITEMAP;
	return list_kind(standing, kind);
}
