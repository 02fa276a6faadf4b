#include "parse/charset.h"

#include "tap.h"

#define META "<meta charset=windows-1251>"

static const struct {
	const char *claim;
	struct pv_str page;
	const char *label; /* of the header */
	const char *name;  /* "" if nobody knows */
	enum pv_charset_source source;
} pages[] = {
    {"nothing says anything", PV_STR("<p>"), "", "", PV_CHARSET_UNKNOWN},
    {"a mark of UTF-8", PV_STR("\xef\xbb\xbf" META), "koi8-r", "utf-8",
	PV_CHARSET_MARK},
    {"a mark of UTF-16, small end first", PV_STR("\xff\xfe<\0"), "", "utf-16le",
	PV_CHARSET_MARK},
    {"or last", PV_STR("\xfe\xff\0<"), "utf-8", "utf-16be", PV_CHARSET_MARK},
    {"the header before the page", PV_STR(META), " KOI8-R ", "koi8-r",
	PV_CHARSET_HEADER},
    {"a header that nobody knows", PV_STR(META), "evil", "windows-1251",
	PV_CHARSET_META},
    {"a header may say UTF-16", PV_STR("<\0p\0"), "utf-16", "utf-16le",
	PV_CHARSET_HEADER},
    {"the page", PV_STR(META), "", "windows-1251", PV_CHARSET_META},
    {"the page, elsewhere", PV_STR("<html><head x='>'>" META), "",
	"windows-1251", PV_CHARSET_META},
    {"in the old way",
	PV_STR("<META HTTP-EQUIV='Content-Type' "
	       "CONTENT='text/html; Charset = \"sjis\"'>"),
	"", "shift_jis", PV_CHARSET_META},
    {"whatever comes first",
	PV_STR("<meta content='text/html;charset=sjis' "
	       "http-equiv=content-type>"),
	"", "shift_jis", PV_CHARSET_META},
    {"not for another purpose",
	PV_STR("<meta http-equiv=refresh content='1;charset=sjis'>"), "", "",
	PV_CHARSET_UNKNOWN},
    {"not without a purpose", PV_STR("<meta content='x;charset=sjis'>"), "", "",
	PV_CHARSET_UNKNOWN},
    {"the newer way before the old",
	PV_STR("<meta http-equiv=content-type content='x;charset=sjis' "
	       "charset=koi8-r>"),
	"", "koi8-r", PV_CHARSET_META},
    {"a second attribute counts for nothing",
	PV_STR("<meta charset=koi8-r charset=sjis>"), "", "koi8-r",
	PV_CHARSET_META},
    {"an unknown one is passed over", PV_STR("<meta charset=evil>" META), "",
	"windows-1251", PV_CHARSET_META},
    {"a page that could be read so is no UTF-16",
	PV_STR("<meta charset=utf-16be>"), "", "utf-8", PV_CHARSET_META},
    {"nor x-user-defined", PV_STR("<meta charset='x-user-defined'>"), "",
	"windows-1252", PV_CHARSET_META},
    {"not within a comment", PV_STR("<!-- " META " --><p>"), "", "",
	PV_CHARSET_UNKNOWN},
    {"but behind one", PV_STR("<!-- > -->" META), "", "windows-1251",
	PV_CHARSET_META},
    {"or behind one that ends at once", PV_STR("<!-->" META), "",
	"windows-1251", PV_CHARSET_META},
    {"not within a value", PV_STR("<p x='" META "'><p>"), "", "",
	PV_CHARSET_UNKNOWN},
    {"behind what is no tag", PV_STR("<!doctype x><?y ?></ z>< </p>" META), "",
	"windows-1251", PV_CHARSET_META},
    {"even within a title", PV_STR("<title>" META), "", "windows-1251",
	PV_CHARSET_META},
    {"not by a longer name", PV_STR("<metadata charset=koi8-r>"), "", "",
	PV_CHARSET_UNKNOWN},
    {"with a slash", PV_STR("<meta/charset=koi8-r/>"), "", "",
	PV_CHARSET_UNKNOWN},
    {"or two", PV_STR("<meta/charset=koi8-r />"), "", "koi8-r",
	PV_CHARSET_META},
    {"a page that ends in its label", PV_STR("<meta charset='koi8-r"), "", "",
	PV_CHARSET_UNKNOWN},
    {"a declaration of XML",
	PV_STR("<?xml version='1.0' encoding = \"iso-8859-2\"?><p>"), "",
	"iso-8859-2", PV_CHARSET_META},
    {"which comes after the page's own word",
	PV_STR("<?xml encoding='iso-8859-2'?>" META), "", "windows-1251",
	PV_CHARSET_META},
    {"XML in UTF-16 without a mark", PV_STR("<\0?\0x\0m\0l\0"), "", "utf-16le",
	PV_CHARSET_META},
    {"also the other way around", PV_STR("\0<\0?\0x\0m"), "", "utf-16be",
	PV_CHARSET_META},
};

static const struct {
	const char *claim;
	const char *type;
	const char *label;
} types[] = {
    {"a header's charset", "text/html; charset=utf-8", "utf-8"},
    {"in quotes", "text/html;charset=\"utf-8\";x=y", "utf-8"},
    {"with space around", "text/html; CHARSET = utf-8 ; x", "utf-8"},
    {"up to a semicolon", "text/html; charset=utf-8;x=y", "utf-8"},
    {"behind a charset that is none", "charset x; charset=koi8-r", "koi8-r"},
    {"none", "text/html", ""},
    {"none behind the equals sign", "text/html; charset=", ""},
    {"quotes that never end", "text/html; charset=\"utf-8", ""},
};

static void check_far(void)
{
	static char page[2048];
	memset(page, ' ', sizeof(page));
	memcpy(page + 1024 - strlen(META), META, strlen(META));
	struct pv_str text = {page, sizeof(page)};
	ok(pv_charset_find(text, PV_STR("")).encoding != NULL,
	    "the first 1024 bytes are searched");
	memset(page, ' ', sizeof(page));
	memcpy(page + 1025 - strlen(META), META, strlen(META));
	ok(!pv_charset_find(text, PV_STR("")).encoding,
	    "and no further ones (P5)");
}

#define RULE "@charset \"windows-1251\";"

/* The same for style sheets. */
static const struct {
	const char *claim;
	struct pv_str sheet;
	const char *label;
	const char *name;
	enum pv_charset_source source;
} sheets[] = {
    {"a sheet of which nobody says anything", PV_STR("a{}"), "", "utf-8",
	PV_CHARSET_USUAL},
    {"an empty one", PV_STR(""), "evil", "utf-8", PV_CHARSET_USUAL},
    {"a sheet's mark", PV_STR("\xff\xfe@\0"), "koi8-r", "utf-16le",
	PV_CHARSET_MARK},
    {"its header before its rule", PV_STR(RULE), "koi8-r", "koi8-r",
	PV_CHARSET_HEADER},
    {"its rule", PV_STR(RULE "a{}"), "", "windows-1251", PV_CHARSET_META},
    {"which cannot be read in UTF-16", PV_STR("@charset \"utf-16be\";"), "",
	"utf-8", PV_CHARSET_META},
    {"and must be known", PV_STR("@charset \"evil\";"), "", "utf-8",
	PV_CHARSET_USUAL},
    {"and be the first", PV_STR(" " RULE), "", "utf-8", PV_CHARSET_USUAL},
    {"in small letters", PV_STR("@CHARSET \"windows-1251\";"), "", "utf-8",
	PV_CHARSET_USUAL},
    {"and double quotes", PV_STR("@charset 'windows-1251';"), "", "utf-8",
	PV_CHARSET_USUAL},
    {"and with one space", PV_STR("@charset  \"windows-1251\";"), "", "utf-8",
	PV_CHARSET_USUAL},
    {"and end", PV_STR("@charset \"windows-1251\" ;"), "", "utf-8",
	PV_CHARSET_USUAL},
    {"before the sheet does", PV_STR("@charset \"windows-1251"), "", "utf-8",
	PV_CHARSET_USUAL},
    {"what a page would say means nothing", PV_STR(META), "", "utf-8",
	PV_CHARSET_USUAL},
};

static void check_sheets(void)
{
	for (size_t i = 0; i < sizeof(sheets) / sizeof(*sheets); i++) {
		struct pv_charset charset = pv_charset_find_of_sheet(
		    sheets[i].sheet, pv_str_of(sheets[i].label));
		is_text(pv_str_of(charset.encoding->name), sheets[i].name, "%s",
		    sheets[i].claim);
		if (charset.source != sheets[i].source)
			ok(false, "%s: told by the right source",
			    sheets[i].claim);
	}
}

static const struct {
	const char *claim;
	struct pv_str file;
	const char *label;
	const char *name;
	enum pv_charset_source source;
} documents[] = {
    {"XML is UTF-8 where nobody says anything", PV_STR("<a/>"), "", "utf-8",
	PV_CHARSET_USUAL},
    {"its declaration tells",
	PV_STR("\n<?xml version='1.0' encoding='koi8-r'?><a/>"), "", "koi8-r",
	PV_CHARSET_META},
    {"the header goes before it",
	PV_STR("<?xml version='1.0' encoding='koi8-r'?><a/>"), "gbk", "gbk",
	PV_CHARSET_HEADER},
    {"a mark before both",
	PV_STR("\xef\xbb\xbf<?xml version='1.0' encoding='koi8-r'?><a/>"),
	"gbk", "utf-8", PV_CHARSET_MARK},
    {"UTF-16 shows itself", {"<\0a\0>\0", 6}, "", "utf-16le", PV_CHARSET_META},
    {"either way around", {"\0<\0a\0>", 6}, "", "utf-16be", PV_CHARSET_META},
    {"what a page would say means nothing", PV_STR(META), "", "utf-8",
	PV_CHARSET_USUAL},
};

static void check_documents(void)
{
	for (size_t i = 0; i < sizeof(documents) / sizeof(*documents); i++) {
		struct pv_charset charset = pv_charset_find_of_xml(
		    documents[i].file, pv_str_of(documents[i].label));
		is_text(pv_str_of(charset.encoding->name), documents[i].name,
		    "%s", documents[i].claim);
		if (charset.source != documents[i].source)
			ok(false, "%s: told by the right source",
			    documents[i].claim);
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		struct pv_charset charset =
		    pv_charset_find(pages[i].page, pv_str_of(pages[i].label));
		const char *name =
		    charset.encoding ? charset.encoding->name : "";
		is_text(pv_str_of(name), pages[i].name, "%s", pages[i].claim);
		if (charset.source != pages[i].source)
			ok(false, "%s: told by the right source",
			    pages[i].claim);
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		is_text(pv_charset_label(pv_str_of(types[i].type)),
		    types[i].label, "%s", types[i].claim);
	check_far();
	check_sheets();
	check_documents();
	return tap_done();
}
