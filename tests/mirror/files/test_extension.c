#include "mirror/files/extension.h"

#include "tap.h"

static void test_list(void)
{
	bool is_sorted = true, is_found = true, is_short = true;
	size_t count = 0;
	for (; pv_extension_at(count); count++) {
		struct pv_str this = pv_str_of(pv_extension_at(count));
		is_found = is_found && pv_extension_is_known(this);
		is_short = is_short && this.len <= PV_EXTENSION_LEN_MAX;
		is_sorted =
		    is_sorted &&
		    (!count ||
			pv_str_compare(
			    pv_str_of(pv_extension_at(count - 1)), this) < 0);
	}
	ok(count > 80, "there are many extensions: %zu", count);
	ok(is_sorted, "they stand in their order");
	ok(is_found, "and are all found");
	ok(is_short, "none is longer than they say");
}

static const struct {
	struct pv_str extension;
	bool is_known;
} words[] = {
    {PV_STR("html"), true},
    {PV_STR("HtMl"), true},
    {PV_STR("zst"), true},
    {PV_STR("3gp"), true},
    {PV_STR("htmll"), false},
    {PV_STR("htm l"), false},
    {PV_STR("ht"), false},
    {PV_STR(""), false},
    {PV_STR("c\0"), false},
    {PV_STR("\xff"), false},
    {PV_STR("zzzz"), false},
    {PV_STR("0"), false},
    {PV_STR("php"), false},
    {PV_STR("asp"), false},
    {PV_STR("cgi"), false},
    {PV_STR("webmanifests"), false},
};

static void test_words(void)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		ok(pv_extension_is_known(words[i].extension) ==
			words[i].is_known,
		    "\"%.*s\" is %s", PV_STR_ARG(words[i].extension),
		    words[i].is_known ? "known" : "not known");
}

/* Whatever a server says, the end of a file is one of the list. */
static void test_types(void)
{
	static const char *const types[] = {"text/html", "image/svg+xml",
	    "application/x-new", "application/x-new+xml",
	    "application/x-new+json", "application/x-new+zip", "text/x-new",
	    "IMAGE/PNG ; q=1", "", "/", "text", "application/pdf,text/html",
	    "application/vnd.oasis.opendocument.text"};
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		const char *extension = pv_extension_for(pv_str_of(types[i]));
		ok(pv_extension_is_known(pv_str_of(extension)),
		    "\"%s\" ends in %s", types[i], extension);
	}
}

static const struct {
	const char *extension;
	const char *type;
	bool suits;
} pairs[] = {
    /* pages */
    {"html", "text/html", true},
    {"HTM", "TEXT/HTML; charset=utf-8", true},
    {"shtml", "text/html", true},
    {"jpg", "text/html", false},
    {"js", "text/html", false},
    {"md", "text/html", false},
    {"txt", "text/html", false},
    {"xml", "text/html", false},
    {"mhtml", "text/html", false},
    {"xhtml", "text/html", false},
    {"xhtml", "application/xhtml+xml", true},
    {"XHT", "application/xhtml+xml", true},
    {"html", "application/xhtml+xml", true},
    {"xml", "application/xhtml+xml", false},
    {"png", "application/xhtml+xml", false},

    /* what is none */
    {"html", "image/png", false},
    {"xhtml", "image/svg+xml", false},
    {"HTM", "text/css", false},
    {"html", "text/javascript", false},
    {"html", "font/woff2", false},
    {"html", "audio/mpeg", false},
    {"html", "video/mp4", false},
    {"html", "application/pdf", false},

    /* what may be anything */
    {"html", "text/plain", true},
    {"html", "application/xml", true},
    {"html", "text/xml", true},
    {"html", "application/octet-stream", true},
    {"html", "application/x-new", true},
    {"html", "", true},
    {"html", "nonsense", true},
    {"jpg", "", true},

    /* all else, of which the address knows best */
    {"jpg", "image/webp", true},
    {"css", "text/plain", true},
    {"js", "text/css", true},
    {"svg", "application/xml", true},
};

static void test_suits(void)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		ok(pv_extension_suits(pv_str_of(pairs[i].extension),
		       pv_str_of(pairs[i].type)) == pairs[i].suits,
		    "what is \"%s\" may %sbe called .%s", pairs[i].type,
		    pairs[i].suits ? "" : "not ", pairs[i].extension);
}

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

static void test_documents(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		ok(pv_document_kind_of(pv_str_of(files[i].file)) ==
			files[i].kind,
		    "\"%s\" is a document of its kind, or none", files[i].file);
}

int main(void)
{
	test_list();
	test_words();
	test_suits();
	test_types();
	test_documents();
	return tap_done();
}
