#include "parse/sitemap.h"

#include "base/coding.h"
#include "base/reader.h"
#include "parse/sitemap_xml.h"
#include "parse/xml_source.h"

#define GZIP_MAGIC PV_STR("\x1f\x8b")

/* What is in gzip within gzip may be so much larger than what is read of it. */
#define CODED_BYTES_MAX (PV_SITEMAP_BYTES_MAX + ((uint64_t)1 << 20))

#define MARK PV_STR("\xef\xbb\xbf")

/* What is in a file that is gzip: its beginning, up to the ceiling. */
struct unpacked {
	struct pv_buf bytes;
	bool is_large;
};

static bool take(void *ctx, struct pv_str bytes)
{
	struct unpacked *unpacked = ctx;
	size_t room = unpacked->bytes.ceiling - unpacked->bytes.len;
	unpacked->is_large = bytes.len > room;
	pv_buf_append(&unpacked->bytes,
	    unpacked->is_large ? pv_str_head(bytes, room) : bytes);
	return !unpacked->is_large;
}

static bool is_gzip(struct pv_str file)
{
	return pv_str_starts(file, GZIP_MAGIC);
}

/* A "<" begins it, in UTF-16 too. */
static bool is_xml(struct pv_str file)
{
	return pv_str_starts(file, PV_STR("\xff\xfe")) ||
	       pv_str_starts(file, PV_STR("\xfe\xff")) ||
	       pv_str_starts(file, (struct pv_str){"\0<", 2}) ||
	       pv_str_starts(pv_xml_without_start(file), PV_STR("<"));
}

/* An address a line, in UTF-8. A text without any is no sitemap. */
static void read_lines(
    struct pv_sitemap_giving *giving, struct pv_str file, struct pv_url *room)
{
	struct pv_reader reader = pv_reader_of(file);
	bool is_going_on = true;
	pv_reader_accept_str(&reader, MARK);
	while (is_going_on && !pv_reader_is_end(&reader)) {
		struct pv_str line = pv_str_trim(pv_reader_take_line(&reader));
		if (!line.len)
			continue;
		pv_url_parse(room, line);
		is_going_on = pv_sitemap_give(giving,
		    (struct pv_sitemap_entry){.is_sitemap = false}, room);
	}
	if (giving->result.count)
		giving->result.kind = PV_SITEMAP_PAGES;
}

/* The last line of a text that is cut is a part of one. */
static struct pv_str without_part(struct pv_str text)
{
	size_t last = pv_str_find_last(text, '\n');
	return pv_str_head(text, last == PV_NOT_FOUND ? 0 : last);
}

static void read_file(struct pv_sitemap_giving *giving, struct pv_str file,
    const struct pv_sitemap_source *source, struct pv_url *room)
{
	if (is_xml(file)) {
		pv_sitemap_read_xml(giving, file, source->charset, room);
	} else if (source->may_be_text && !is_gzip(file)) {
		bool is_large = file.len > PV_SITEMAP_BYTES_MAX;
		if (is_large)
			file = without_part(
			    pv_str_head(file, PV_SITEMAP_BYTES_MAX));
		read_lines(giving, file, room);
		if (is_large && giving->result.end == PV_SITEMAP_WHOLE)
			giving->result.end = PV_SITEMAP_LARGE;
	}
}

/* A file that is gzip is often sent in that coding as well, and saved so. */
static void read_gzip(struct pv_sitemap_giving *giving,
    const struct pv_sitemap_source *source, struct pv_url *room)
{
	struct unpacked unpacked = {.is_large = false};
	const struct pv_coding_plan plan = {
	    .bytes_max = CODED_BYTES_MAX, .give = take, .ctx = &unpacked};
	pv_buf_init(&unpacked.bytes, PV_SITEMAP_BYTES_MAX);
	enum pv_coding_result result =
	    pv_coding_undo(PV_STR("gzip, gzip"), source->file, &plan);
	struct pv_str file = pv_buf_str(&unpacked.bytes);
	unpacked.is_large = unpacked.is_large || result == PV_CODING_TOO_LARGE;
	bool is_broken = !unpacked.is_large && result != PV_CODING_WHOLE;
	if ((unpacked.is_large || is_broken) && !is_xml(file))
		file = without_part(file);
	read_file(giving, file, source, room);
	enum pv_sitemap_end *end = &giving->result.end;
	if (unpacked.is_large &&
	    (*end == PV_SITEMAP_WHOLE || *end == PV_SITEMAP_BROKEN))
		*end = PV_SITEMAP_LARGE;
	else if (is_broken && *end == PV_SITEMAP_WHOLE)
		*end = PV_SITEMAP_BROKEN;
	pv_buf_finish(&unpacked.bytes);
}

struct pv_sitemap_result pv_sitemap_read(const struct pv_sitemap_source *source,
    struct pv_url *room, pv_sitemap_fn on_entry, void *ctx)
{
	struct pv_sitemap_giving giving = {
	    .address = source->address, .on_entry = on_entry, .ctx = ctx};
	if (is_gzip(source->file))
		read_gzip(&giving, source, room);
	else
		read_file(&giving, source->file, source, room);
	return giving.result;
}

const char *pv_sitemap_word(enum pv_sitemap_end end)
{
	static const char *const words[] = {
	    [PV_SITEMAP_WHOLE] = "",
	    [PV_SITEMAP_BROKEN] = "it is damaged or incomplete",
	    [PV_SITEMAP_LARGE] = "it is larger than 50 MB",
	    [PV_SITEMAP_MANY] = "it has more than 50,000 entries",
	    [PV_SITEMAP_DOCTYPE] =
		"it has a DOCTYPE, which is not allowed in sitemaps",
	};
	return words[end];
}
