#include "parse/sitemap.h"

#include <stdint.h>
#include <zlib.h>

#include "tap.h"

#define ADDRESS_LEN_MAX 2000
#define SM "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
#define END "</urlset>"
#define LOC(text) "<url><loc>" text "</loc></url>"
#define EMPTY "<url/><url><lastmod>2004</lastmod></url>"
#define RSS "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'>"
#define ATOM "<feed xmlns='http://www.w3.org/2005/Atom'>"
#define RDF                                                             \
	"<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' " \
	"xmlns='http://purl.org/rss/1.0/' "                             \
	"xmlns:dc='http://purl.org/dc/elements/1.1/'>"

/* A line for an entry: "p", or "s" for a sitemap, a "!" where it is elsewhere,
 * its address, and its date in seconds if it has one. */
static void write_entry(void *ctx, const struct pv_sitemap_entry *entry)
{
	struct pv_buf *buf = ctx;
	pv_buf_append_format(buf, "%c%s ", entry->is_sitemap ? 's' : 'p',
	    entry->is_elsewhere ? "!" : "");
	pv_buf_append(buf, pv_url_text(entry->url));
	if (entry->lastmod_wall_ms)
		pv_buf_append_format(
		    buf, " %lld", (long long)entry->lastmod_wall_ms / 1000);
	pv_buf_append_char(buf, '\n');
}

struct reading {
	struct pv_str charset;
	const char *address;
	bool is_no_text;
};

static struct pv_sitemap_result read_file(
    struct pv_str file, const struct reading *reading, struct pv_buf *buf)
{
	struct pv_url room, address;
	pv_url_init(&room, ADDRESS_LEN_MAX);
	pv_url_init(&address, ADDRESS_LEN_MAX);
	pv_url_parse(&address,
	    pv_str_of(reading->address ? reading->address
				       : "http://a.example/sitemap.xml"));
	const struct pv_sitemap_source source = {
	    .file = file,
	    .address = &address,
	    .charset = reading->charset,
	    .may_be_text = !reading->is_no_text,
	};
	pv_buf_clear(buf);
	struct pv_sitemap_result result =
	    pv_sitemap_read(&source, &room, write_entry, buf);
	pv_url_finish(&address);
	pv_url_finish(&room);
	return result;
}

static const struct {
	const char *claim;
	struct pv_str file;
	const char *entries;
	enum pv_sitemap_kind kind;
	enum pv_sitemap_end end;
	size_t skipped;
} files[] = {
    {"an entry is an url's loc",
	PV_STR("<?xml version='1.0' encoding='UTF-8'?>" SM LOC(
	    "http://a.example/1") LOC("https://a.example/2") END),
	"p http://a.example/1\np https://a.example/2\n", PV_SITEMAP_PAGES,
	PV_SITEMAP_WHOLE, 0},
    {"an index has sitemaps",
	PV_STR("<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/"
	       "0.9'><sitemap><loc>http://a.example/1.xml</loc><lastmod>"
	       "2004-10-01T18:23:17+00:00</lastmod></sitemap></sitemapindex>"),
	"s http://a.example/1.xml 1096654997\n", PV_SITEMAP_INDEX,
	PV_SITEMAP_WHOLE, 0},
    {"the namespace may have any prefix",
	PV_STR("<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/"
	       "0.9'><s:url><s:loc>http://a.example/</s:loc></s:url>"
	       "</s:urlset>"),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"it may be Google's old one",
	PV_STR(
	    "<urlset xmlns='http://www.google.com/schemas/sitemap/0.84'>" LOC(
		"http://a.example/") END),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"it may be written with https",
	PV_STR(
	    "<urlset xmlns='https://www.sitemaps.org/schemas/sitemap/0.9'>" LOC(
		"http://a.example/") END),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"there may be none", PV_STR("<urlset>" LOC("http://a.example/") END),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"another one makes no sitemap",
	PV_STR(
	    "<urlset xmlns='http://a.example/'>" LOC("http://a.example/") END),
	"", PV_SITEMAP_NONE, PV_SITEMAP_WHOLE, 0},
    {"what is in another namespace is no entry",
	PV_STR("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' "
	       "xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' "
	       "xmlns:xhtml='http://www.w3.org/1999/xhtml'><url><image:loc>"
	       "http://a.example/i</image:loc><loc>http://a.example/</loc>"
	       "<xhtml:link rel='alternate' href='http://a.example/de'/>"
	       "<image:image><image:loc>http://a.example/j</image:loc>"
	       "</image:image></url></urlset>"),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"nor is what has a prefix that nobody declared",
	PV_STR(SM "<url><image:loc>http://a.example/i</image:loc>"
		  "<loc>http://a.example/</loc></url></urlset>"),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"a loc counts only directly in an url",
	PV_STR(SM "<loc>http://a.example/1</loc><url><x><loc>"
		  "http://a.example/2</loc></x></url></urlset>"),
	"", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 1},
    {"white space around a loc is nothing",
	PV_STR(SM LOC("\r\n\t http://a.example/ \n") END),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"CDATA, entities and character references are read",
	PV_STR(SM LOC("<![CDATA[http://a.example/?a&b]]>") LOC(
	    "http://a.example/?a&amp;b&#38;c&#x26;d&lt;&gt;&quot;&apos;") END),
	"p http://a.example/?a&b\n"
	"p http://a.example/?a&b&c&d%3C%3E%22%27\n",
	PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"comments within an address are nothing",
	PV_STR(SM LOC("http://a.example<!-- x -->/1<?x y?>2") END),
	"p http://a.example/12\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"an entry without a valid absolute web address is skipped and counted",
	PV_STR(SM LOC("/1") LOC("") LOC("ftp://a.example/") LOC("http://")
		EMPTY LOC("http://a.example/") END),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 6},
    {"of several locs the first that is valid counts",
	PV_STR(SM "<url><loc>x</loc><loc>http://a.example/1</loc>"
		  "<loc>http://a.example/2</loc></url></urlset>"),
	"p http://a.example/1\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"a date may stand before its loc, and one that is none is nothing",
	PV_STR(SM "<url><lastmod>2004-10-01</lastmod><loc>http://a.example/1"
		  "</loc></url><url><loc>http://a.example/2</loc><lastmod>"
		  "yesterday</lastmod></url></urlset>"),
	"p http://a.example/1 1096588800\np http://a.example/2\n",
	PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"a date before 1970 is nothing",
	PV_STR(SM "<url><lastmod>1960</lastmod><loc>http://a.example/</loc>"
		  "</url>" END),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"an entry elsewhere is given as such, in any scheme",
	PV_STR(SM LOC("http://b.example/") LOC("http://www.a.example/")
		LOC("http://a.example:8080/") LOC("https://a.example/")
		    LOC("http://A.EXAMPLE:80/") END),
	"p! http://b.example/\np! http://www.a.example/\n"
	"p! http://a.example:8080/\np https://a.example/\n"
	"p http://a.example/\n",
	PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},

    {"an address in which the XML is damaged is skipped, others are not",
	PV_STR(SM LOC("http://a.example/1") LOC("http://a.example/?a=1&b=2")
		LOC("http://a.example/3") END),
	"p http://a.example/1\np http://a.example/3\n", PV_SITEMAP_PAGES,
	PV_SITEMAP_BROKEN, 1},
    {"also by an entity that nobody declared",
	PV_STR(
	    SM LOC("http://a.example/&eacute;") LOC("http://a.example/2") END),
	"p http://a.example/2\n", PV_SITEMAP_PAGES, PV_SITEMAP_BROKEN, 1},
    {"a byte that is not UTF-8",
	PV_STR(SM LOC("http://a.example/\xff") LOC("http://a.example/\xc3\xa9")
		END),
	"p http://a.example/%C3%A9\n", PV_SITEMAP_PAGES, PV_SITEMAP_BROKEN, 1},
    {"a NUL",
	PV_STR(SM LOC("http://a.example/\0x") LOC("http://a.example/2") END),
	"p http://a.example/2\n", PV_SITEMAP_PAGES, PV_SITEMAP_BROKEN, 1},
    {"a control character",
	PV_STR(SM LOC("http://a.example/\x02x") LOC("http://a.example/2") END),
	"p http://a.example/2\n", PV_SITEMAP_PAGES, PV_SITEMAP_BROKEN, 1},
    {"a sign",
	PV_STR(SM LOC("http://a.example/<1") LOC("http://a.example/2") END),
	"p http://a.example/2\n", PV_SITEMAP_PAGES, PV_SITEMAP_BROKEN, 1},
    {"an element",
	PV_STR(SM LOC("http://a.example/<b/>1") LOC("http://a.example/2") END),
	"p http://a.example/2\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 1},
    {"an end that is another's",
	PV_STR(SM "<url><loc>http://a.example/1</lock></url>" LOC(
	    "http://a.example/2") END),
	"p http://a.example/2\n", PV_SITEMAP_PAGES, PV_SITEMAP_BROKEN, 1},
    {"an entry that is not closed ends where the next begins",
	PV_STR(SM "<url><loc>http://a.example/1</loc>" LOC("http://a.example/2")
		END),
	"p http://a.example/1\np http://a.example/2\n", PV_SITEMAP_PAGES,
	PV_SITEMAP_BROKEN, 0},
    {"where the file breaks off, what was whole is given",
	PV_STR(SM LOC("http://a.example/1") "<url><loc>http://a.example/2"),
	"p http://a.example/1\n", PV_SITEMAP_PAGES, PV_SITEMAP_BROKEN, 0},
    {"a date that is damaged spoils no address",
	PV_STR(SM "<url><loc>http://a.example/</loc><lastmod>2004&x;"
		  "</lastmod></url></urlset>"),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_BROKEN, 0},
    {"a DOCTYPE ends the reading, and nothing of it is used",
	PV_STR("<!DOCTYPE urlset [<!ENTITY h 'http://a.example/'>]>" SM LOC(
	    "&h;") LOC("http://a.example/2") END),
	"", PV_SITEMAP_NONE, PV_SITEMAP_DOCTYPE, 0},
    {"an empty line before the declaration is put up with",
	PV_STR("\n<?xml version='1.0'?>\n" SM LOC("http://a.example/") END),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"a byte order mark, too",
	PV_STR("\xef\xbb\xbf<?xml version='1.0' encoding='iso-8859-1'?>" SM LOC(
	    "http://a.example/\xc3\xa9") END),
	"p http://a.example/%C3%A9\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"and two of them, as joined files have, with white space between",
	PV_STR("\xef\xbb\xbf\n\xef\xbb\xbf<?xml version='1.0'?>" SM LOC(
	    "http://a.example/") END),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"two marks before a feed are put up with",
	PV_STR("\xef\xbb\xbf\xef\xbb\xbf" RSS
	       "<channel><item><link>http://a.example/1</link></item>"
	       "</channel></rss>"),
	"p http://a.example/1\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"an encoding that is declared is read",
	PV_STR("<?xml version='1.0' encoding='iso-8859-1'?>" SM LOC(
	    "http://a.example/\xe9") END),
	"p http://a.example/%C3%A9\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"a page is no sitemap", PV_STR("<html><body>http://a.example/</html>"), "",
	PV_SITEMAP_NONE, PV_SITEMAP_WHOLE, 0},

    {"a feed of RSS 2.0 is one: each item's link",
	PV_STR(
	    RSS "<channel><link>http://a.example/</link><item><title>x</title>"
		"<link> http://a.example/1 </link><pubDate>Sat, 07 Sep 2002 "
		"09:42:31 +0000</pubDate></item><item><link>http://a.example/2"
		"</link><dc:date>2004-10-01</dc:date></item></channel></rss>"),
	"p http://a.example/1 1031391751\np http://a.example/2 1096588800\n",
	PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"or else its guid, unless it says that this is none",
	PV_STR(RSS "<channel><item><guid>http://a.example/1</guid></item>"
		   "<item><guid>http://a.example/no</guid><link>"
		   "http://a.example/2</link></item><item><guid isPermaLink="
		   "'false'>http://a.example/3</guid></item><item><guid>4"
		   "</guid></item></channel></rss>"),
	"p http://a.example/1\np http://a.example/2\n", PV_SITEMAP_PAGES,
	PV_SITEMAP_WHOLE, 2},
    {"so is one of RSS 1.0",
	PV_STR(RDF "<channel r:about='x'><link>http://a.example/</link>"
		   "</channel><item r:about='y'><link>http://a.example/1</link>"
		   "<dc:date>2004-10-01</dc:date></item></r:RDF>"),
	"p http://a.example/1 1096588800\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE,
	0},
    {"RDF of anything else is none",
	PV_STR("<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
	       "<item><link>http://a.example/</link></item></r:RDF>"),
	"", PV_SITEMAP_NONE, PV_SITEMAP_WHOLE, 0},
    {"so is one of Atom: each entry's link, relative to xml:base",
	PV_STR(
	    ATOM "<link href='/feed'/><entry xml:base='/b/'><link rel='self' "
		 "href='self'/><link href='1'/><link href='no'/><updated>"
		 "2003-12-13T18:30:02.25+01:00</updated></entry><entry><link "
		 "rel='alternate' href='2?a&amp;b'/></entry><entry/></feed>"),
	"p http://a.example/b/1 1071336602\np http://a.example/2?a&b\n",
	PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 1},

    {"in a text a line is an address",
	PV_STR("http://a.example/\nhttp://b.example/x\r\n\r\n/relative\n"),
	"p http://a.example/\np! http://b.example/x\n", PV_SITEMAP_PAGES,
	PV_SITEMAP_WHOLE, 1},
    {"with a mark at the start", PV_STR("\xef\xbb\xbfhttp://a.example/"),
	"p http://a.example/\n", PV_SITEMAP_PAGES, PV_SITEMAP_WHOLE, 0},
    {"a text without any is no sitemap", PV_STR("Not found\n"), "",
	PV_SITEMAP_NONE, PV_SITEMAP_WHOLE, 1},
    {"nothing is none", PV_STR(""), "", PV_SITEMAP_NONE, PV_SITEMAP_WHOLE, 0},
};

static void check_files(struct pv_buf *buf)
{
	const struct reading plain = {.charset = PV_STR("")};
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct pv_sitemap_result result =
		    read_file(files[i].file, &plain, buf);
		is_text(
		    pv_buf_str(buf), files[i].entries, "%s", files[i].claim);
		if (!ok(result.kind == files[i].kind &&
			    result.end == files[i].end &&
			    result.skipped == files[i].skipped,
			"and what it is, how it ends and what is skipped"))
			printf("# kind %d, end %d, %zu skipped\n", result.kind,
			    result.end, result.skipped);
	}
}

static void check_headers(struct pv_buf *buf)
{
	struct reading reading = {.charset = PV_STR("iso-8859-1")};
	struct pv_str file =
	    PV_STR("<?xml version='1.0' encoding='utf-8'?>" SM LOC(
		"http://a.example/\xe9") END);
	read_file(file, &reading, buf);
	is_text(pv_buf_str(buf), "p http://a.example/%C3%A9\n",
	    "the header's charset goes before the declaration");
	reading = (struct reading){.is_no_text = true};
	struct pv_sitemap_result result =
	    read_file(PV_STR("http://a.example/\n"), &reading, buf);
	ok(result.kind == PV_SITEMAP_NONE && !buf->len,
	    "only what may be text is read as text");
	reading = (struct reading){.address = "https://a.example:8443/s.xml"};
	read_file(PV_STR("https://a.example:8443/\nhttp://a.example:8443/\n"
			 "https://a.example/\n"),
	    &reading, buf);
	is_text(pv_buf_str(buf),
	    "p https://a.example:8443/\np http://a.example:8443/\n"
	    "p! https://a.example/\n",
	    "a port that is written belongs to the host");
	reading = (struct reading){.charset = PV_STR("")};
	const char wide[] = "\xff\xfe<\0u\0r\0l\0s\0e\0t\0>\0<\0u\0r\0l\0>\0<\0"
			    "l\0o\0c\0>\0h\0t\0t\0p\0:\0/\0/\0a\0.\0e\0x\0a\0"
			    "m\0p\0l\0e\0<\0/\0l\0o\0c\0>\0<\0/\0u\0r\0l\0>\0"
			    "<\0/\0u\0r\0l\0s\0e\0t\0>\0";
	read_file((struct pv_str){wide, sizeof(wide) - 1}, &reading, buf);
	is_text(pv_buf_str(buf), "p http://a.example/\n", "UTF-16 is read");
}

/* As gzip. */
static void zip(struct pv_str text, struct pv_buf *zipped)
{
	z_stream stream = {.next_in = (Bytef *)(uintptr_t)text.ptr,
	    .avail_in = (uInt)text.len};
	pv_buf_clear(zipped);
	deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	size_t len = deflateBound(&stream, (uLong)text.len);
	stream.next_out = (Bytef *)pv_buf_reserve(zipped, len);
	stream.avail_out = (uInt)len;
	deflate(&stream, Z_FINISH);
	zipped->len = len - stream.avail_out;
	deflateEnd(&stream);
}

static void write_many(struct pv_buf *file, unsigned count)
{
	pv_buf_clear(file);
	pv_buf_append_text(file, SM);
	for (unsigned i = 0; i < count; i++)
		pv_buf_append_format(file,
		    "<url><loc>http://a.example/%u</loc><lastmod>2004-10-%02u"
		    "</lastmod></url>\n",
		    i * 2654435761u, 1 + i % 28);
	pv_buf_append_text(file, END);
}

static void check_gzip(struct pv_buf *buf)
{
	const struct reading plain = {.charset = PV_STR("")};
	struct pv_buf file, zipped, twice;
	pv_buf_init(&file, (size_t)8 << 20);
	pv_buf_init(&zipped, (size_t)8 << 20);
	pv_buf_init(&twice, (size_t)8 << 20);
	write_many(&file, 10000);
	zip(pv_buf_str(&file), &zipped);
	struct pv_sitemap_result result =
	    read_file(pv_buf_str(&zipped), &plain, buf);
	ok(result.count == 10000 && result.end == PV_SITEMAP_WHOLE,
	    "gzip is undone, whatever the name says");
	result = read_file(
	    pv_str_head(pv_buf_str(&zipped), zipped.len / 2), &plain, buf);
	ok(result.count > 4000 && result.count < 6000 &&
		result.end == PV_SITEMAP_BROKEN,
	    "where it breaks off, what was whole is given");
	zip(pv_buf_str(&zipped), &twice);
	result = read_file(pv_buf_str(&twice), &plain, buf);
	ok(result.count == 10000 && result.end == PV_SITEMAP_WHOLE,
	    "also where it was done twice");
	zip(pv_str_head(pv_buf_str(&zipped), zipped.len / 2), &twice);
	result = read_file(pv_buf_str(&twice), &plain, buf);
	ok(result.count > 4000 && result.end == PV_SITEMAP_BROKEN,
	    "of which the inner one may break off");
	zip(pv_buf_str(&zipped), &twice);
	zip(pv_buf_str(&twice), &zipped);
	result = read_file(pv_buf_str(&zipped), &plain, buf);
	ok(result.kind == PV_SITEMAP_NONE && !buf->len,
	    "nobody does it three times");
	zip(PV_STR("\x1f\x8b\nhttp://a.example/\n"), &zipped);
	result = read_file(pv_buf_str(&zipped), &plain, buf);
	ok(result.kind == PV_SITEMAP_NONE && !buf->len,
	    "what only begins like gzip in gzip is none");
	zip(PV_STR("http://a.example/1\nhttp://a.example/2"), &zipped);
	read_file(pv_buf_str(&zipped), &plain, buf);
	is_text(pv_buf_str(buf), "p http://a.example/1\np http://a.example/2\n",
	    "a text may be gzipped, too");
	result = read_file(
	    pv_str_head(pv_buf_str(&zipped), zipped.len - 1), &plain, buf);
	ok(result.count == 1 && result.end == PV_SITEMAP_BROKEN,
	    "where that breaks off, its last line may be a part of one");
	zip(pv_buf_str(&zipped), &twice);
	read_file(pv_buf_str(&twice), &plain, buf);
	is_text(pv_buf_str(buf), "p http://a.example/1\np http://a.example/2\n",
	    "and twice");
	result = read_file(PV_STR("\x1f\x8bhttp://a.example/\n"), &plain, buf);
	ok(result.kind == PV_SITEMAP_NONE && !buf->len,
	    "what only begins like gzip is none");
	pv_buf_finish(&twice);
	pv_buf_finish(&zipped);
	pv_buf_finish(&file);
}

static void check_ceilings(struct pv_buf *buf)
{
	const struct reading plain = {.charset = PV_STR("")};
	struct pv_buf file;
	pv_buf_init(&file, (size_t)64 << 20);
	write_many(&file, PV_SITEMAP_ENTRIES_MAX);
	struct pv_sitemap_result result =
	    read_file(pv_buf_str(&file), &plain, buf);
	ok(result.count == PV_SITEMAP_ENTRIES_MAX &&
		result.end == PV_SITEMAP_WHOLE,
	    "P5: 50,000 entries are taken");
	write_many(&file, PV_SITEMAP_ENTRIES_MAX + 1);
	result = read_file(pv_buf_str(&file), &plain, buf);
	ok(result.count == PV_SITEMAP_ENTRIES_MAX &&
		result.end == PV_SITEMAP_MANY,
	    "and no more, with a word");
	pv_buf_clear(&file);
	for (unsigned i = 0; i <= PV_SITEMAP_ENTRIES_MAX; i++)
		pv_buf_append_format(&file, "http://a.example/%u\n", i);
	result = read_file(pv_buf_str(&file), &plain, buf);
	ok(result.count == PV_SITEMAP_ENTRIES_MAX &&
		result.end == PV_SITEMAP_MANY,
	    "of a text neither");
	pv_buf_clear(&file);
	pv_buf_append_text(&file, SM LOC("http://a.example/1") "<!--");
	for (size_t i = file.len; i < PV_SITEMAP_BYTES_MAX - 100; i += 100)
		pv_buf_append_format(&file, "%100s", i % 5000 ? "" : "--><!--");
	pv_buf_append_text(&file, "-->" LOC("http://a.example/2"));
	pv_buf_append_format(&file, "%200s", LOC("http://a.example/3"));
	pv_buf_append_text(&file, END);
	result = read_file(pv_buf_str(&file), &plain, buf);
	is_text(pv_buf_str(buf), "p http://a.example/1\np http://a.example/2\n",
	    "P5: what stands before 50 MB is given, and what stands behind is not");
	ok(result.end == PV_SITEMAP_LARGE, "with a word");
	pv_buf_finish(&file);
}

/* Files of gzip that hold nothing, one behind the other. */
static void check_bomb(struct pv_buf *buf)
{
	const struct reading plain = {.charset = PV_STR("")};
	struct pv_buf one, many, bomb;
	pv_buf_init(&one, 1000);
	pv_buf_init(&many, PV_SITEMAP_BYTES_MAX * 2);
	pv_buf_init(&bomb, PV_SITEMAP_BYTES_MAX * 2);
	zip(PV_STR(""), &one);
	while (many.len < PV_SITEMAP_BYTES_MAX + ((size_t)4 << 20))
		pv_buf_append(&many, pv_buf_str(&one));
	zip(pv_buf_str(&many), &bomb);
	struct pv_sitemap_result result =
	    read_file(pv_buf_str(&bomb), &plain, buf);
	ok(result.kind == PV_SITEMAP_NONE && result.end == PV_SITEMAP_LARGE,
	    "P5: gzip within gzip is not undone for longer than that is read "
	    "(%zu bytes)",
	    bomb.len);
	pv_buf_finish(&one);
	pv_buf_finish(&many);
	pv_buf_finish(&bomb);
}

static void check_lengths(struct pv_buf *buf)
{
	const struct reading plain = {.charset = PV_STR("")};
	struct pv_buf file;
	pv_buf_init(&file, (size_t)1 << 20);
	pv_buf_append_text(&file, SM "<url><loc>http://a.example/");
	for (unsigned i = 0; i < ADDRESS_LEN_MAX; i++)
		pv_buf_append_char(&file, 'x');
	pv_buf_append_text(&file, "</loc></url>" LOC("http://a.example/2") END);
	struct pv_sitemap_result result =
	    read_file(pv_buf_str(&file), &plain, buf);
	is_text(pv_buf_str(buf), "p http://a.example/2\n",
	    "an address that is too long is skipped");
	ok(result.skipped == 1 && result.end == PV_SITEMAP_WHOLE,
	    "and counted");
	pv_buf_finish(&file);
}

static void check_words(void)
{
	ok(!pv_sitemap_word(PV_SITEMAP_WHOLE)[0],
	    "what is whole needs no word");
	is_text(pv_str_of(pv_sitemap_word(PV_SITEMAP_MANY)),
	    "it has more than 50,000 entries", "what is not gets some");
}

int main(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, (size_t)16 << 20);
	check_files(&buf);
	check_headers(&buf);
	check_gzip(&buf);
	check_ceilings(&buf);
	check_bomb(&buf);
	check_lengths(&buf);
	check_words();
	pv_buf_finish(&buf);
	return tap_done();
}
