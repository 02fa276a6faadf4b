#include <stdint.h>
#include <zlib.h>

#include "parse/sitemap.h"
#include "tap.h"

/* Sitemaps of hell (P5): read in one pass and in bounded memory, and what
 * stands before is kept.
 *
 * No clock is asked whether the work only grows with the file: the files are so
 * large that anything quadratic would not be done in hours.
 */

#define ADDRESS_LEN_MAX 2000
#define FILE_BYTES_MAX ((size_t)64 << 20)
#define FIRST "<urlset><url><loc>http://a.example/</loc></url>"

/* The file is an entry, a beginning, one piece again and again, and an end. */
static const struct {
	const char *claim;
	const char *start;
	struct pv_str piece;
	unsigned times;
	const char *end;
	size_t count; /* beside the first */
	enum pv_sitemap_end how;
} files[] = {
    {"a million entries", "", PV_STR("<url><loc>http://a.example/</loc></url>"),
	1000000, "</urlset>", PV_SITEMAP_ENTRIES_MAX - 1, PV_SITEMAP_MANY},
    {"a million without an address", "", PV_STR("<url/>"), 1000000, "</urlset>",
	0, PV_SITEMAP_MANY},
    {"a million attributes", "<a ", PV_STR("b='' "), 1000000,
	"/><url><loc>http://a.example/</loc></url>", 0, PV_SITEMAP_BROKEN},
    {"a million namespaces", "<a ", PV_STR("xmlns:b='c' "), 1000000, "/>", 0,
	PV_SITEMAP_BROKEN},
    {"a million attributes that are none", "<a ", PV_STR("b="), 1000000, "/>",
	0, PV_SITEMAP_BROKEN},
    {"200,000 nested elements", "", PV_STR("<a>"), 200000, "", 0,
	PV_SITEMAP_BROKEN},
    {"200,000 nested entries", "", PV_STR("<url><loc>http://a.example/</loc>"),
	200000, "", 254, PV_SITEMAP_BROKEN},
    {"a million names that nobody declared", "", PV_STR("<a:b c:d=''/>"),
	1000000, "</urlset>", 0, PV_SITEMAP_BROKEN},
    {"10 MB of ampersands", "", PV_STR("&"), 10000000, "", 0,
	PV_SITEMAP_BROKEN},
    {"of entities that are none", "", PV_STR("&a;"), 3000000, "", 0,
	PV_SITEMAP_BROKEN},
    {"of references in an attribute", "<a b='", PV_STR("&#38;"), 2000000,
	"'/></urlset>", 0, PV_SITEMAP_BROKEN},
    {"of nothing but <", "", PV_STR("<"), 10000000, "", 0, PV_SITEMAP_BROKEN},
    {"of bytes that are no UTF-8", "", PV_STR("\xff"), 10000000, "", 0,
	PV_SITEMAP_BROKEN},
    {"of controls", "", PV_STR("\x01"), 10000000, "", 0, PV_SITEMAP_BROKEN},
    {"of NULs", "", PV_STR("\0"), 10000000, "", 0, PV_SITEMAP_BROKEN},
    {"of a comment that never ends", "<!--", PV_STR("- ->"), 3000000, "", 0,
	PV_SITEMAP_BROKEN},
    {"of comments that nearly end", "", PV_STR("<!-- -- > -->"), 1000000, "", 0,
	PV_SITEMAP_BROKEN},
    {"of CDATA that never ends", "<![CDATA[", PV_STR("]] >"), 3000000, "", 0,
	PV_SITEMAP_BROKEN},
    {"of an instruction that never ends", "<?x ", PV_STR("? >"), 3000000, "", 0,
	PV_SITEMAP_BROKEN},
    {"of a tag's name", "<", PV_STR("a"), 10000000, "", 0, PV_SITEMAP_BROKEN},
    {"of ends that are nobody's", "", PV_STR("</a>"), 3000000, "", 0,
	PV_SITEMAP_BROKEN},
    {"of an address", "<url><loc>http://a.example/", PV_STR("x"), 10000000,
	"</loc></url></urlset>", 0, PV_SITEMAP_WHOLE},
    {"of white space in one", "<url><loc>", PV_STR(" "), 10000000,
	"http://a.example/</loc></url></urlset>", 1, PV_SITEMAP_WHOLE},
};

static void count(void *ctx, const struct pv_sitemap_entry *entry)
{
	(void)entry;
	++*(size_t *)ctx;
}

static struct pv_sitemap_result read_file(struct pv_str file, size_t *entries)
{
	struct pv_url address, room;
	pv_url_init(&address, ADDRESS_LEN_MAX);
	pv_url_init(&room, ADDRESS_LEN_MAX);
	pv_url_parse(&address, PV_STR("http://a.example/sitemap.xml"));
	const struct pv_sitemap_source source = {
	    .file = file, .address = &address, .may_be_text = true};
	*entries = 0;
	struct pv_sitemap_result result =
	    pv_sitemap_read(&source, &room, count, entries);
	pv_url_finish(&room);
	pv_url_finish(&address);
	return result;
}

static void check_files(struct pv_buf *file)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		size_t entries;
		pv_buf_clear(file);
		pv_buf_append_text(file, FIRST);
		pv_buf_append_text(file, files[i].start);
		for (unsigned times = 0; times < files[i].times; times++)
			pv_buf_append(file, files[i].piece);
		pv_buf_append_text(file, files[i].end);
		struct pv_sitemap_result result =
		    read_file(pv_buf_str(file), &entries);
		if (!ok(entries == files[i].count + 1 &&
			    result.end == files[i].how,
			"%s", files[i].claim))
			printf("# %zu entries, end %d\n", entries, result.end);
	}
}

static void check_names(struct pv_buf *file)
{
	size_t entries;
	pv_buf_clear(file);
	pv_buf_append_text(file, FIRST);
	for (unsigned i = 0; i < 500000; i++)
		pv_buf_append_format(file, "<a%x/>", i);
	pv_buf_append_text(file, "</urlset>");
	struct pv_sitemap_result result = read_file(pv_buf_str(file), &entries);
	ok(entries == 1 && result.end == PV_SITEMAP_BROKEN,
	    "half a million names, of which not all are remembered");
}

/* Entities that stand for one another, a thousand million in the end. */
static void check_bomb(struct pv_buf *file)
{
	size_t entries;
	pv_buf_clear(file);
	pv_buf_append_text(file, "<!DOCTYPE urlset [<!ENTITY a0 'x'>");
	for (unsigned i = 1; i < 10; i++)
		pv_buf_append_format(file,
		    "<!ENTITY a%u '&a%u;&a%u;&a%u;&a%u;&a%u;&a%u;&a%u;&a%u;"
		    "&a%u;&a%u;'>",
		    i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1,
		    i - 1, i - 1);
	pv_buf_append_text(file,
	    "]><urlset><url><loc>http://a.example/&a9;</loc></url></urlset>");
	struct pv_sitemap_result result = read_file(pv_buf_str(file), &entries);
	ok(!entries && result.end == PV_SITEMAP_DOCTYPE,
	    "entities of entities are not even declared");
}

/* So many bytes of one kind, as gzip, behind an entry. */
static void zip(struct pv_buf *zipped, const char *start, uint64_t bytes)
{
	static const unsigned char zeros[65536];
	z_stream stream = {.next_in = (Bytef *)(uintptr_t)start,
	    .avail_in = (uInt)strlen(start)};
	deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	pv_buf_clear(zipped);
	char *room = pv_buf_reserve(zipped, (size_t)4 << 20);
	stream.next_out = (Bytef *)room;
	stream.avail_out = 4U << 20;
	deflate(&stream, Z_NO_FLUSH);
	for (uint64_t i = 0; i < bytes; i += sizeof(zeros)) {
		stream.next_in = (Bytef *)(uintptr_t)zeros;
		stream.avail_in = sizeof(zeros);
		deflate(&stream, Z_NO_FLUSH);
	}
	deflate(&stream, Z_FINISH);
	zipped->len = (4U << 20) - stream.avail_out;
	deflateEnd(&stream);
}

static void check_gzip(struct pv_buf *file)
{
	size_t entries;
	zip(file, FIRST, (uint64_t)1 << 30);
	struct pv_sitemap_result result = read_file(pv_buf_str(file), &entries);
	ok(entries == 1 && result.end == PV_SITEMAP_LARGE,
	    "a GiB in a MiB is undone no further than 50 MB");
}

int main(void)
{
	struct pv_buf file;
	pv_buf_init(&file, FILE_BYTES_MAX);
	check_files(&file);
	check_names(&file);
	check_bomb(&file);
	check_gzip(&file);
	pv_buf_finish(&file);
	return tap_done();
}
