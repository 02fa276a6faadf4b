#include "mirror/kept/document_kind.h"

#include "tap.h"

static const struct {
	const char *file;
	enum pv_document_kind kind;
} files[] = {
    {"site/a/b.html", PV_DOCUMENT_HTML},
    {"site/a/B.HTM", PV_DOCUMENT_HTML},
    {"site/a/b.shtml", PV_DOCUMENT_HTML},
    {"site/a/b.xhtml", PV_DOCUMENT_XML},
    {"site/a/b.XHT", PV_DOCUMENT_XML},
    {"site/a/b.svg", PV_DOCUMENT_XML},
    {"site/a/b.min.CSS", PV_DOCUMENT_SHEET},
    {"site/a/b.html.gz", PV_DOCUMENT_NONE},
    {"site/a/html", PV_DOCUMENT_NONE},
    {"site/a/b.", PV_DOCUMENT_NONE},
    {"html", PV_DOCUMENT_NONE},
    {"", PV_DOCUMENT_NONE},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		ok(pv_document_kind_of(pv_str_of(files[i].file)) ==
			files[i].kind,
		    "\"%s\" is a document of its kind, or none", files[i].file);
	return tap_done();
}
