#include "mirror/kept/document_kind.h"

static const struct {
	struct pv_str extension;
	enum pv_document_kind kind;
} kinds[] = {
    {PV_STR("html"), PV_DOCUMENT_HTML},
    {PV_STR("htm"), PV_DOCUMENT_HTML},
    {PV_STR("shtml"), PV_DOCUMENT_HTML},
    {PV_STR("xhtml"), PV_DOCUMENT_XML},
    {PV_STR("xht"), PV_DOCUMENT_XML},
    {PV_STR("svg"), PV_DOCUMENT_XML},
    {PV_STR("css"), PV_DOCUMENT_SHEET},
};

enum pv_document_kind pv_document_kind_of(struct pv_str file)
{
	size_t dot = pv_str_find_last(file, '.');
	if (dot == PV_NOT_FOUND)
		return PV_DOCUMENT_NONE;
	struct pv_str extension = pv_str_from(file, dot + 1);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (pv_str_equal_nocase(kinds[i].extension, extension))
			return kinds[i].kind;
	}
	return PV_DOCUMENT_NONE;
}
