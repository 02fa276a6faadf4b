#include "parse/sitemap_xml.h"

#include "http/feed_date.h"
#include "parse/document.h"
#include "parse/xml_base.h"

/* As the protocol has it ("Sitemap file location"), but for the scheme: nearly
 * every site that moved to https has sitemaps that never did. */
static bool is_elsewhere(const struct pv_url *url, const struct pv_url *address)
{
	if (!pv_str_equal(pv_url_host(url), pv_url_host(address)))
		return true;
	if (!pv_url_has_port(url) && !pv_url_has_port(address))
		return false;
	return pv_url_port(url) != pv_url_port(address);
}

bool pv_sitemap_give(struct pv_sitemap_giving *giving,
    struct pv_sitemap_entry entry, const struct pv_url *url)
{
	struct pv_sitemap_result *result = &giving->result;
	if (result->count + result->skipped == PV_SITEMAP_ENTRIES_MAX) {
		result->end = PV_SITEMAP_MANY;
		return false;
	}
	if (!url->text.len) {
		result->skipped++;
		return true;
	}
	result->count++;
	entry.url = url;
	entry.is_elsewhere = is_elsewhere(url, giving->address);
	giving->on_entry(giving->ctx, &entry);
	return true;
}

/* What an element is to an entry. */
enum part {
	PART_NONE,
	PART_PAGE,      /* an entry itself */
	PART_SITEMAP,   /* one that is a sitemap */
	PART_ADDRESS,   /* its address */
	PART_REFERENCE, /* its address, or one relative to the feed's */
	PART_GUID,      /* maybe its address, where there is no other */
	PART_LINK,      /* has its address as an attribute, by rel */
	PART_W3C_DATE,
	PART_MAIL_DATE,
};

enum dialect {
	DIALECT_NONE,
	DIALECT_SITEMAP,
	DIALECT_RSS,
	DIALECT_ATOM,
};

static const struct {
	enum dialect dialect;
	struct pv_str name;
	enum part part;
	enum pv_xml_space space;
	enum pv_xml_space other_space; /* or in this one */
} parts[] = {
    {DIALECT_SITEMAP, PV_STR("url"), PART_PAGE, PV_SPACE_SITEMAP,
	PV_SPACE_NONE},
    {DIALECT_SITEMAP, PV_STR("sitemap"), PART_SITEMAP, PV_SPACE_SITEMAP,
	PV_SPACE_NONE},
    {DIALECT_SITEMAP, PV_STR("loc"), PART_ADDRESS, PV_SPACE_SITEMAP,
	PV_SPACE_NONE},
    {DIALECT_SITEMAP, PV_STR("lastmod"), PART_W3C_DATE, PV_SPACE_SITEMAP,
	PV_SPACE_NONE},
    {DIALECT_RSS, PV_STR("item"), PART_PAGE, PV_SPACE_RSS, PV_SPACE_NONE},
    {DIALECT_RSS, PV_STR("link"), PART_REFERENCE, PV_SPACE_RSS, PV_SPACE_NONE},
    {DIALECT_RSS, PV_STR("guid"), PART_GUID, PV_SPACE_RSS, PV_SPACE_NONE},
    {DIALECT_RSS, PV_STR("pubDate"), PART_MAIL_DATE, PV_SPACE_RSS,
	PV_SPACE_NONE},
    {DIALECT_RSS, PV_STR("date"), PART_W3C_DATE, PV_SPACE_DC, PV_SPACE_DC},
    {DIALECT_ATOM, PV_STR("entry"), PART_PAGE, PV_SPACE_ATOM, PV_SPACE_ATOM},
    {DIALECT_ATOM, PV_STR("link"), PART_LINK, PV_SPACE_ATOM, PV_SPACE_ATOM},
    {DIALECT_ATOM, PV_STR("updated"), PART_W3C_DATE, PV_SPACE_ATOM,
	PV_SPACE_ATOM},
};

struct reading {
	struct pv_sitemap_giving *giving;
	enum dialect dialect;
	struct pv_xml_base base;
	struct pv_url
	    *found; /* the address of the entry that is read, or empty */
	struct pv_url guid;
	struct pv_sitemap_entry entry;
	unsigned entry_depth; /* 0: within none */
	enum part part;       /* whose text is wanted */
	bool is_permalink;
};

static enum part part_of(enum dialect dialect, const struct pv_xml_tag *tag)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i].dialect == dialect &&
		    (parts[i].space == tag->space ||
			parts[i].other_space == tag->space) &&
		    pv_str_equal(parts[i].name, tag->name))
			return parts[i].part;
	}
	return PART_NONE;
}

static enum pv_xml_wish read_root(
    struct reading *reading, const struct pv_xml_tag *tag)
{
	struct pv_sitemap_result *result = &reading->giving->result;
	switch (pv_xml_document_of(tag)) {
	case PV_XML_OTHER:
		return PV_XML_STOP;
	case PV_XML_SITEMAP:
		reading->dialect = DIALECT_SITEMAP;
		result->kind = pv_str_equal(tag->name, PV_STR("sitemapindex"))
				   ? PV_SITEMAP_INDEX
				   : PV_SITEMAP_PAGES;
		break;
	case PV_XML_FEED:
		reading->dialect =
		    tag->space == PV_SPACE_ATOM ? DIALECT_ATOM : DIALECT_RSS;
		result->kind = PV_SITEMAP_PAGES;
		break;
	}
	return PV_XML_GO_ON;
}

/* Gives what is known of the entry; false if no more are taken. */
static bool end_entry(struct reading *reading)
{
	if (!reading->entry_depth)
		return true;
	reading->entry_depth = 0;
	bool is_found = reading->found->text.len > 0;
	return pv_sitemap_give(reading->giving, reading->entry,
	    is_found ? reading->found : &reading->guid);
}

/* One that begins where another was not closed ends that. */
static enum pv_xml_wish begin_entry(
    struct reading *reading, const struct pv_xml_tag *tag, bool is_sitemap)
{
	if (!end_entry(reading))
		return PV_XML_STOP;
	reading->entry = (struct pv_sitemap_entry){.is_sitemap = is_sitemap};
	reading->entry_depth = tag->depth;
	pv_url_parse(reading->found, PV_STR("")); /* empties it */
	pv_url_parse(&reading->guid, PV_STR(""));
	return PV_XML_GO_ON;
}

/* The first valid address counts. */
static void note_reference(struct reading *reading, struct pv_str text)
{
	if (text.len && !reading->found->text.len &&
	    !pv_xml_base_join(&reading->base, text, reading->found))
		pv_url_parse(reading->found, PV_STR(""));
}

static void read_link(struct reading *reading, const struct pv_xml_tag *tag)
{
	struct pv_str rel = pv_xml_get(tag, PV_SPACE_NONE, PV_STR("rel"));
	struct pv_str href = pv_xml_get(tag, PV_SPACE_NONE, PV_STR("href"));
	if (!tag->is_damaged &&
	    (!rel.ptr || pv_str_equal_nocase(rel, PV_STR("alternate"))))
		note_reference(reading, href);
}

static enum pv_xml_wish on_start(void *ctx, const struct pv_xml_tag *tag)
{
	struct reading *reading = ctx;
	pv_xml_base_enter(&reading->base, tag);
	if (tag->depth == 1)
		return read_root(reading, tag);
	enum part part = part_of(reading->dialect, tag);
	if (part == PART_PAGE || part == PART_SITEMAP)
		return begin_entry(reading, tag, part == PART_SITEMAP);
	if (part == PART_NONE || !reading->entry_depth ||
	    tag->depth != reading->entry_depth + 1)
		return PV_XML_GO_ON;
	reading->part = part;
	if (part == PART_LINK) {
		read_link(reading, tag);
		return PV_XML_GO_ON;
	}
	struct pv_str permalink =
	    pv_xml_get(tag, PV_SPACE_NONE, PV_STR("isPermaLink"));
	reading->is_permalink =
	    !pv_str_equal_nocase(permalink, PV_STR("false"));
	return PV_XML_WANT_TEXT;
}

static void read_date(struct reading *reading, struct pv_str text)
{
	int64_t time_ms;
	bool is_read = reading->part == PART_MAIL_DATE
			   ? pv_mail_date_read(text, &time_ms)
			   : pv_w3c_date_read(text, &time_ms);
	if (is_read && time_ms > 0)
		reading->entry.lastmod_wall_ms = time_ms;
}

static void read_text(struct reading *reading, struct pv_str text)
{
	switch (reading->part) {
	case PART_ADDRESS:
		if (!reading->found->text.len)
			pv_url_parse(reading->found, text);
		break;
	case PART_REFERENCE:
		note_reference(reading, text);
		break;
	case PART_GUID:
		if (reading->is_permalink && !reading->guid.text.len)
			pv_url_parse(&reading->guid, text);
		break;
	case PART_W3C_DATE:
	case PART_MAIL_DATE:
		read_date(reading, text);
		break;
	default:
		break;
	}
}

static bool on_end(void *ctx, unsigned depth, const struct pv_xml_text *text)
{
	struct reading *reading = ctx;
	if (text && text->is_whole)
		read_text(reading, text->str);
	pv_xml_base_leave(&reading->base, depth);
	return depth != reading->entry_depth || end_entry(reading);
}

static enum pv_sitemap_end end_of(enum pv_xml_end end)
{
	switch (end) {
	case PV_XML_WHOLE:
	case PV_XML_STOPPED:
		break;
	case PV_XML_BROKEN:
		return PV_SITEMAP_BROKEN;
	case PV_XML_LARGE:
		return PV_SITEMAP_LARGE;
	case PV_XML_DOCTYPE:
		return PV_SITEMAP_DOCTYPE;
	}
	return PV_SITEMAP_WHOLE;
}

void pv_sitemap_read_xml(struct pv_sitemap_giving *giving, struct pv_str file,
    struct pv_str charset, struct pv_url *room)
{
	struct reading reading = {.giving = giving, .found = room};
	const struct pv_xml_hearer hearer = {on_start, on_end, &reading};
	size_t ceiling = room->text.ceiling;
	pv_xml_base_init(&reading.base, giving->address, ceiling);
	pv_url_init(&reading.guid, ceiling);
	enum pv_sitemap_end end = end_of(pv_xml_read(file, charset, &hearer));
	if (giving->result.end == PV_SITEMAP_WHOLE)
		giving->result.end = end;
	pv_url_finish(&reading.guid);
	pv_xml_base_finish(&reading.base);
}
