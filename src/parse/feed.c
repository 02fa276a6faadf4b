#include "parse/feed.h"

#include "parse/document.h"
#include "parse/xml_base.h"

/* The elements that links stand in, or directly around. */
enum element {
	ELEMENT_OTHER,
	ELEMENT_CHANNEL,
	ELEMENT_ITEM,
	ELEMENT_IMAGE,
	ELEMENT_ATOM, /* anything of Atom */
};

enum reading_of {
	READ_TEXT,
	READ_GUID, /* text, unless it says that it is no address */
	READ_URL,  /* an attribute of that name */
	READ_SRC,
	READ_LINK, /* href, by rel */
};

/* A further place is one more row. */
static const struct place {
	enum element around;
	struct pv_str name;
	enum reading_of reading;
	bool is_page;
} places[] = {
    {ELEMENT_CHANNEL, PV_STR("link"), READ_TEXT, true},
    {ELEMENT_ITEM, PV_STR("link"), READ_TEXT, true},
    {ELEMENT_ITEM, PV_STR("guid"), READ_GUID, true},
    {ELEMENT_ITEM, PV_STR("comments"), READ_TEXT, true},
    {ELEMENT_ITEM, PV_STR("enclosure"), READ_URL, true},
    {ELEMENT_IMAGE, PV_STR("url"), READ_TEXT, false},
    {ELEMENT_ATOM, PV_STR("link"), READ_LINK, true},
    {ELEMENT_ATOM, PV_STR("content"), READ_SRC, true},
    {ELEMENT_ATOM, PV_STR("logo"), READ_TEXT, false},
    {ELEMENT_ATOM, PV_STR("icon"), READ_TEXT, false},
};

/* What a link of Atom is for (RFC 4287, 4.2.7.2, and IANA's list). */
static const struct relation {
	struct pv_str name;
	bool is_page;
} relations[] = {
    {PV_STR("alternate"), true},
    {PV_STR("self"), true},
    {PV_STR("next"), true},
    {PV_STR("prev"), true},
    {PV_STR("previous"), true},
    {PV_STR("first"), true},
    {PV_STR("last"), true},
    {PV_STR("related"), true},
    {PV_STR("via"), true},
    {PV_STR("replies"), true},
    {PV_STR("enclosure"), true},
    {PV_STR("stylesheet"), false},
    {PV_STR("icon"), false},
};

struct reading {
	struct pv_xml_base base;
	struct pv_url *room;
	pv_document_link_fn on_link;
	void *ctx;
	bool is_feed;
	size_t count;
	unsigned char elements[PV_XML_DEPTH_MAX + 1]; /* around here */
	const struct place *place;                    /* whose text is wanted */
	bool is_permalink;
};

static bool is_rss(const struct pv_xml_tag *tag)
{
	return tag->space == PV_SPACE_NONE || tag->space == PV_SPACE_RSS;
}

static enum element element_of(const struct pv_xml_tag *tag)
{
	if (tag->space == PV_SPACE_ATOM)
		return ELEMENT_ATOM;
	if (!is_rss(tag))
		return ELEMENT_OTHER;
	if (pv_str_equal(tag->name, PV_STR("channel")))
		return ELEMENT_CHANNEL;
	if (pv_str_equal(tag->name, PV_STR("item")))
		return ELEMENT_ITEM;
	if (pv_str_equal(tag->name, PV_STR("image")))
		return ELEMENT_IMAGE;
	return ELEMENT_OTHER;
}

/* What is of Atom stands anywhere, in RSS too. */
static const struct place *place_of(
    const struct reading *reading, const struct pv_xml_tag *tag)
{
	bool is_atom = tag->space == PV_SPACE_ATOM;
	enum element around =
	    is_atom ? ELEMENT_ATOM : reading->elements[tag->depth - 1];
	if (!is_atom && (!is_rss(tag) || around == ELEMENT_ATOM))
		return NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (places[i].around == around &&
		    pv_str_equal(places[i].name, tag->name))
			return &places[i];
	}
	return NULL;
}

/* NULL: it is nothing to fetch. A relation may be written as what its name is
 * short for (RFC 4287, 4.2.7.2), and if there is none, "alternate" is meant. */
static const struct relation *relation_of(struct pv_str rel)
{
	static const struct pv_str prefix =
	    PV_STR("http://www.iana.org/assignments/relation/");
	if (!rel.ptr)
		return &relations[0];
	if (pv_str_starts(rel, prefix))
		rel = pv_str_from(rel, prefix.len);
	for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++) {
		if (pv_str_equal_nocase(relations[i].name, rel))
			return &relations[i];
	}
	return NULL;
}

/* A link to nothing is none: it would be the feed itself. */
static void give(struct reading *reading, struct pv_str reference, bool is_page)
{
	if (!reference.len || reading->count == PV_FEED_LINKS_MAX ||
	    !pv_xml_base_join(&reading->base, reference, reading->room))
		return;
	reading->count++;
	reading->on_link(reading->ctx, reading->room, is_page);
}

static void read_attributes(struct reading *reading,
    const struct pv_xml_tag *tag, const struct place *place)
{
	bool is_page = place->is_page;
	struct pv_str name = place->reading == READ_URL   ? PV_STR("url")
			     : place->reading == READ_SRC ? PV_STR("src")
							  : PV_STR("href");
	if (place->reading == READ_LINK) {
		const struct relation *relation =
		    relation_of(pv_xml_get(tag, PV_SPACE_NONE, PV_STR("rel")));
		if (!relation)
			return;
		is_page = relation->is_page;
	}
	if (!tag->is_damaged)
		give(reading, pv_xml_get(tag, PV_SPACE_NONE, name), is_page);
}

static enum pv_xml_wish on_start(void *ctx, const struct pv_xml_tag *tag)
{
	struct reading *reading = ctx;
	if (tag->depth == 1) {
		reading->is_feed = pv_xml_document_of(tag) == PV_XML_FEED;
		if (!reading->is_feed)
			return PV_XML_STOP;
	}
	pv_xml_base_enter(&reading->base, tag);
	reading->elements[tag->depth] = (unsigned char)element_of(tag);
	const struct place *place = place_of(reading, tag);
	if (!place)
		return PV_XML_GO_ON;
	if (place->reading == READ_TEXT || place->reading == READ_GUID) {
		reading->place = place;
		reading->is_permalink = !pv_str_equal_nocase(
		    pv_xml_get(tag, PV_SPACE_NONE, PV_STR("isPermaLink")),
		    PV_STR("false"));
		return PV_XML_WANT_TEXT;
	}
	read_attributes(reading, tag, place);
	return PV_XML_GO_ON;
}

/* What is said to be an address and is none, such as a number, is not taken
 * for a relative one: feeds leave out that a guid is no link. */
static void read_guid(struct reading *reading, struct pv_str text)
{
	if (reading->is_permalink &&
	    pv_url_parse(reading->room, text) == PV_URL_OK)
		give(reading, text, true);
}

static bool on_end(void *ctx, unsigned depth, const struct pv_xml_text *text)
{
	struct reading *reading = ctx;
	if (text && text->is_whole && reading->place->reading == READ_GUID)
		read_guid(reading, text->str);
	else if (text && text->is_whole)
		give(reading, text->str, reading->place->is_page);
	pv_xml_base_leave(&reading->base, depth);
	return reading->count < PV_FEED_LINKS_MAX;
}

bool pv_feed_read(struct pv_str file, const struct pv_url *address,
    struct pv_str charset, struct pv_url *room, pv_document_link_fn on_link,
    void *ctx)
{
	struct reading reading = {.room = room, .on_link = on_link, .ctx = ctx};
	const struct pv_xml_hearer hearer = {on_start, on_end, &reading};
	pv_xml_base_init(&reading.base, address, room->text.ceiling);
	pv_xml_read(file, charset, &hearer);
	pv_xml_base_finish(&reading.base);
	return reading.is_feed;
}
