#include "http/first_bytes.h"

#include "base/buf.h"
#include "tap.h"

#define TEXT "text/plain"
#define BYTES "application/octet-stream"

static const struct {
	const char *claim;
	struct pv_str body;
	const char *type; /* "" is markup that is not known */
	bool is_signature;
} cases[] = {
    {"PNG", PV_STR("\x89PNG\r\n\x1a\n...."), "image/png", true},
    {"JPEG", PV_STR("\xff\xd8\xff\xe0"), "image/jpeg", true},
    {"GIF", PV_STR("GIF89a\1\0"), "image/gif", true},
    {"WebP", PV_STR("RIFF\1\2\0\0WEBPVP8L"), "image/webp", true},
    {"AVIF",
	PV_STR("\0\0\0\x20"
	       "ftypavif"),
	"image/avif", true},
    {"BMP", PV_STR("BM\1\2\3\4\0\0\0\0x"), "image/bmp", true},
    {"an icon", PV_STR("\0\0\1\0\1"), "image/x-icon", true},
    {"WOFF", PV_STR("wOFF\0\1\0\0"), "font/woff", true},
    {"WOFF2", PV_STR("wOF2\0\1\0\0"), "font/woff2", true},
    {"OpenType", PV_STR("OTTO\0"), "font/otf", true},
    {"TrueType", PV_STR("\0\1\0\0\0"), "font/ttf", true},
    {"MP3", PV_STR("ID3\3"), "audio/mpeg", true},
    {"WAVE", PV_STR("RIFF\1\2\0\0WAVEfmt"), "audio/wav", true},
    {"MP4",
	PV_STR("\0\0\0\x20"
	       "ftypisom"),
	"video/mp4", true},
    {"PDF", PV_STR("%PDF-1.7\n"), "application/pdf", true},
    {"gzip", PV_STR("\x1f\x8b\x08\0"), "application/gzip", true},
    {"ZIP", PV_STR("PK\3\4\x14"), "application/zip", true},
    {"a signature that breaks off is none", PV_STR("\x89PNG\r\n\x1a"), BYTES,
	false},
    {"BM alone begins words", PV_STR("BMWs and other cars"), TEXT, false},
    {"so do others", PV_STR("RIFFRAFF of WEBP"), TEXT, false},

    {"a DOCTYPE tells HTML", PV_STR("<!DOCTYPE html><p>"), "text/html", false},
    {"in small letters", PV_STR("<!doctype HTML PUBLIC \"\""), "text/html",
	false},
    {"a tag does", PV_STR("<html lang=en>"), "text/html", false},
    {"in capitals", PV_STR("<TITLE>x"), "text/html", false},
    {"white space before it does not matter", PV_STR("\r\n\t <p>x"),
	"text/html", false},
    {"nor a mark of UTF-8", PV_STR("\xef\xbb\xbf<html>"), "text/html", false},
    {"nor a comment", PV_STR("<!-- x --><body\n>"), "text/html", false},
    {"a tag must end", PV_STR("<html"), "", false},
    {"as it begins", PV_STR("<broken>"), "", false},
    {"another tag is some markup", PV_STR("<gpx version='1'>"), "", false},
    {"so is a comment alone", PV_STR("<!--\nfunction x() {}\n//-->"), "",
	false},
    {"or one without an end", PV_STR("<!-- <html>"), "", false},
    {"or a thing that is none", PV_STR("<"), "", false},
    {"or a declaration that is none", PV_STR("<!ELEMENT html>"), "", false},

    {"a declaration tells XML", PV_STR("<?xml version='1.0'?><x>"), "text/xml",
	false},
    {"also a broken one", PV_STR("<?xml version"), "text/xml", false},
    {"another instruction does not", PV_STR("<?xml-x ?><x>"), "", false},
    {"in XML HTML is XHTML", PV_STR("<?xml version='1.0'?>\n<html xmlns=''>"),
	"application/xhtml+xml", false},
    {"by its DOCTYPE", PV_STR("<?xml version='1.0'?><!DOCTYPE html PUBLIC>"),
	"application/xhtml+xml", false},
    {"a drawing is one", PV_STR("<svg xmlns=''>"), "image/svg+xml", false},
    {"in declared XML", PV_STR("<?xml version='1.0'?><!--x-->\n<svg>"),
	"image/svg+xml", false},
    {"behind its DOCTYPE", PV_STR("<?xml ?><!DOCTYPE svg PUBLIC \"\">"),
	"image/svg+xml", false},
    {"with a prefix", PV_STR("<svg:svg xmlns:svg=''>"), "image/svg+xml", false},

    {"all else is text", PV_STR("function() { return '<html>' }"), TEXT, false},
    {"in any encoding", PV_STR("caf\xe9\t\f\n"), TEXT, false},
    {"with escapes, too", PV_STR("\x1b$B\x1b(B"), TEXT, false},
    {"also in UTF-16", PV_STR("\xff\xfeh\0i\0"), TEXT, false},
    {"nothing is, too", PV_STR(""), TEXT, false},
    {"but not what has other bytes", PV_STR("abc\0"), BYTES, false},
    {"of any kind", PV_STR("abc\x0b"), BYTES, false},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_str body = cases[i].body;
		is_text(pv_first_bytes_type(body), cases[i].type, "%s",
		    cases[i].claim);
		is_text(pv_first_bytes_signature(body),
		    cases[i].is_signature ? cases[i].type : "",
		    cases[i].is_signature ? "by its signature"
					  : "which has no signature");
	}
}

/* However large it is, no more than its beginning is read. */
static void test_beginning(void)
{
	struct pv_buf body;
	pv_buf_init(&body, (size_t)1 << 20);
	for (unsigned i = 0; i < 1445; i++)
		pv_buf_append_char(&body, 'x');
	pv_buf_append_char(&body, '\0');
	is_text(pv_first_bytes_type(pv_buf_str(&body)), TEXT,
	    "what stands further back does not count");
	pv_buf_clear(&body);
	pv_buf_append_text(&body, "<!--");
	for (unsigned i = 0; i < 8192; i++)
		pv_buf_append_char(&body, 'x');
	pv_buf_append_text(&body, "--><html>");
	is_text(pv_first_bytes_type(pv_buf_str(&body)), "",
	    "nor does a tag behind a long comment");
	pv_buf_finish(&body);
}

int main(void)
{
	test_cases();
	test_beginning();
	return tap_done();
}
