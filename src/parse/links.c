#include "parse/links.h"

#include <stdlib.h>

#include "base/array.h"
#include "parse/css.h"
#include "parse/link_twins.h"
#include "parse/meta.h"
#include "parse/refresh.h"
#include "parse/srcset.h"
#include "parse/value.h"

/* What an attribute with references in it may hold to be worth reading, where
 * it is no address: words. */
#define WORDS_LEN_MAX 4096

struct reading {
	struct pv_links *links;
	const struct pv_page_facts *facts;
	bool is_inlay; /* of a page that an attribute holds */
	bool has_base; /* of its own there */
};

void pv_links_init(struct pv_links *links, size_t links_max, size_t text_max)
{
	*links = (struct pv_links){.links_max = links_max};
	pv_buf_init(&links->converted, text_max);
	pv_buf_init(&links->scratch, WORDS_LEN_MAX);
	pv_buf_init(&links->style, text_max);
	pv_buf_init(&links->inlay, text_max);
	pv_robots_words_init(&links->robots);
	pv_tdm_init(&links->tdm);
}

void pv_links_finish(struct pv_links *links)
{
	free(links->items);
	free(links->guards);
	pv_buf_finish(&links->converted);
	pv_buf_finish(&links->scratch);
	pv_buf_finish(&links->style);
	pv_buf_finish(&links->inlay);
	pv_robots_words_finish(&links->robots);
	pv_tdm_finish(&links->tdm);
	*links = (struct pv_links){.links_max = links->links_max};
}

const char *pv_links_word(enum pv_links_end end)
{
	static const char *const words[] = {
	    [PV_LINKS_WHOLE] = "whole",
	    [PV_LINKS_MANY] = "too many links",
	    [PV_LINKS_LARGE] = "too large",
	};
	return words[end];
}

static void add(struct pv_links *links, struct pv_page_link link)
{
	if (links->count == links->links_max) {
		links->end = PV_LINKS_MANY;
		return;
	}
	*PV_ARRAY_PUSH(links->items, links->count, links->size) = link;
	pv_link_twins_mark(links);
}

static void add_images(struct pv_links *links, struct pv_page_link link)
{
	struct pv_srcset srcset;
	pv_srcset_init(&srcset, link.value);
	while (
	    links->end != PV_LINKS_MANY && pv_srcset_next(&srcset, &link.value))
		add(links, link);
}

/* What an encoding does to the bytes of the text, which it is in itself only
 * where that was not converted. */
static const struct pv_encoding *encoding_of(const struct pv_links *links)
{
	return links->is_converted ? NULL : links->charset.encoding;
}

/* The links of a style attribute, or of the text in a drawing's style. */
static void add_style(struct pv_links *links, struct pv_page_link link)
{
	struct pv_style style;
	link.form = PV_FORM_STYLE;
	pv_style_init(&style, link.value, encoding_of(links), &links->style);
	if (links->style.is_full && links->end == PV_LINKS_WHOLE)
		links->end = PV_LINKS_LARGE;
	while (
	    links->end != PV_LINKS_MANY && pv_style_next(&style, &link.value))
		add(links, link);
}

/* Whether it may be only half of what was there. */
static bool is_cut(const struct pv_links *links, struct pv_str value)
{
	return links->end == PV_LINKS_LARGE &&
	       value.ptr + value.len == links->text.ptr + links->text.len;
}

/* The links of a whole sheet, or of a style element. */
static void add_sheet(struct pv_links *links, struct pv_str sheet)
{
	struct pv_page_link link = {.form = PV_FORM_SHEET};
	struct pv_css css;
	pv_css_init(&css, sheet, encoding_of(links));
	while (links->end != PV_LINKS_MANY && pv_css_next(&css, &link.value)) {
		if (!is_cut(links, link.value))
			add(links, link);
	}
}

static bool is_fragment(struct pv_str value)
{
	struct pv_value_cursor cursor = pv_value_cursor_of(value);
	pv_value_take_while(&cursor, pv_value_is_space);
	return cursor.character == '#';
}

static bool is_nothing(const struct pv_page_link *link)
{
	if (link->place->may_be_empty)
		return false;
	return pv_value_is_blank(link->value) ||
	       (link->place->is_outside && is_fragment(link->value));
}

/* One of an inlay that says nothing means the page around it, wherever that
 * is. */
static void add_address(struct reading *reading, struct pv_page_link link)
{
	if (!is_nothing(&link) &&
	    !(reading->is_inlay && pv_value_is_blank(link.value)))
		add(reading->links, link);
}

static void read_inlay(struct reading *around, struct pv_str value);

static void read_place(
    struct reading *reading, const struct pv_tag *tag, struct pv_page_link link)
{
	struct pv_links *links = reading->links;
	switch (link.place->reading) {
	case PV_READ_ADDRESS:
		add_address(reading, link);
		break;
	case PV_READ_SRCSET:
		add_images(links, link);
		break;
	case PV_READ_STYLE:
		add_style(links, link);
		break;
	case PV_READ_REFRESH:
		if (pv_tag_says(tag, PV_ATTRIBUTE_HTTP_EQUIV, "refresh",
			&links->scratch) &&
		    pv_refresh_read(link.value, &link.value))
			add(links, link);
		break;
	case PV_READ_BUTTON:
		if (pv_tag_says(
			tag, PV_ATTRIBUTE_TYPE, "image", &links->scratch))
			add_address(reading, link);
		break;
	case PV_READ_INLAY:
		read_inlay(reading, link.value);
		break;
	}
}

/* Whether what stands there counts beside the other attributes. */
static bool does_count(
    const struct pv_tag *tag, const struct pv_link_attribute *place)
{
	return place->attribute != PV_ATTRIBUTE_XLINK_HREF ||
	       !pv_tag_has(tag, PV_ATTRIBUTE_HREF);
}

static bool is_mention(
    const struct pv_link_attribute *place, const struct pv_rel *rel)
{
	return place->is_mention || (place->is_by_rel && rel->is_hint) ||
	       (place->element == PV_ELEMENT_LINK && rel->is_empty);
}

static void add_guards(
    struct pv_links *links, const struct pv_tag *tag, size_t first_link)
{
	if (links->count == first_link)
		return;
	for (size_t i = 0; i < tag->guard_count; i++)
		*PV_ARRAY_PUSH(links->guards, links->guard_count,
		    links->guard_size) = (struct pv_link_guard){
		    tag->guards[i], first_link, links->count};
}

static struct pv_rel read_rel(struct pv_links *links, const struct pv_tag *tag)
{
	struct pv_rel rel =
	    pv_rel_read(pv_tag_words(tag, PV_ATTRIBUTE_REL, &links->scratch));
	pv_rel_see(&rel, pv_tag_words(tag, PV_ATTRIBUTE_AS, &links->scratch),
	    pv_tag_has(tag, PV_ATTRIBUTE_HREF) ? tag->values[PV_ATTRIBUTE_HREF]
					       : PV_STR(""));
	return rel;
}

/* All links of a tag, in the order of its attributes. */
static void read_links(struct reading *reading, const struct pv_tag *tag)
{
	struct pv_links *links = reading->links;
	struct pv_rel rel = {.is_empty = true};
	size_t first_link = links->count;
	if (pv_tag_has(tag, PV_ATTRIBUTE_REL))
		rel = read_rel(links, tag);
	for (size_t i = 0; i < tag->count; i++) {
		enum pv_attribute_name name = tag->order[i];
		const struct pv_link_attribute *place =
		    pv_link_attribute_get(tag->element, name);
		if (!place || !does_count(tag, place) ||
		    (is_mention(place, &rel) && !links->takes_mentions))
			continue;
		struct pv_page_link link = {
		    .value = tag->values[name],
		    .place = place,
		    .is_page = place->kind == PV_LINK_PAGE ||
			       (place->is_by_rel && rel.is_page),
		    .may_be_page = place->may_be_page,
		    .is_ahead = place->is_by_rel && rel.is_ahead,
		    .is_nofollow = rel.is_nofollow,
		    .is_mention = is_mention(place, &rel),
		};
		read_place(reading, tag, link);
	}
	add_guards(links, tag, first_link);
}

/* The text of a style element, unless it is in another language. */
static void read_sheet(struct pv_links *links, const struct pv_tag *tag,
    const struct pv_tokenizer *tokenizer)
{
	struct pv_page_link link = {.value = tokenizer->content};
	if (pv_tag_words(tag, PV_ATTRIBUTE_TYPE, &links->scratch).len &&
	    !pv_tag_says(tag, PV_ATTRIBUTE_TYPE, "text/css", &links->scratch))
		return;
	if (tokenizer->has_references)
		add_style(links, link);
	else
		add_sheet(links, tokenizer->content);
}

/* An inlay speaks for itself alone. */
static void read_meta(struct reading *reading, const struct pv_tag *tag)
{
	if (reading->is_inlay)
		pv_meta_read_policy(reading->links, tag);
	else
		pv_meta_read(reading->links, tag, reading->facts->product);
}

static void note_base(struct reading *reading, struct pv_str href)
{
	if (reading->is_inlay)
		reading->has_base = true;
	else if (!reading->links->base.ptr)
		reading->links->base = href;
}

static void read_element(struct reading *reading, const struct pv_tag *tag,
    const struct pv_tokenizer *tokenizer)
{
	struct pv_links *links = reading->links;
	read_links(reading, tag);
	switch (tag->element) {
	case PV_ELEMENT_META:
		read_meta(reading, tag);
		break;
	case PV_ELEMENT_BASE:
		if (pv_tag_has(tag, PV_ATTRIBUTE_HREF))
			note_base(reading, tag->values[PV_ATTRIBUTE_HREF]);
		break;
	case PV_ELEMENT_STYLE:
	case PV_ELEMENT_DRAWING_STYLE:
		read_sheet(links, tag, tokenizer);
		break;
	default:
		break;
	}
}

static void read_tags(struct reading *reading, struct pv_str text)
{
	struct pv_tokenizer tokenizer;
	struct pv_tag tag = {.element = PV_ELEMENT_NONE};
	pv_tokenizer_init(&tokenizer, text);
	tokenizer.is_xml = reading->facts->is_xml && !reading->is_inlay;
	while (pv_tokenizer_next(&tokenizer)) {
		if (pv_tag_read(&tag, &tokenizer))
			read_element(reading, &tag, &tokenizer);
	}
}

/* How much was found before something. */
struct mark {
	size_t links;
	size_t guards;
	size_t policies;
	enum pv_links_end end;
};

/* Finds the places in the page of all that was found in an inlay. */
static void find_places(struct pv_links *links, const struct mark *before,
    struct pv_plain_value *inlay)
{
	for (size_t i = before->links; i < links->count; i++) {
		struct pv_page_link *link = &links->items[i];
		link->value = pv_plain_value_place(inlay, link->value);
		link->is_inlaid = true;
		link->is_plain = false;
		link->first = (uint32_t)i;
	}
	for (size_t i = before->guards; i < links->guard_count; i++) {
		struct pv_str *name = &links->guards[i].name;
		*name = pv_plain_value_place(inlay, *name);
	}
	for (size_t i = before->policies; i < links->policy_count; i++) {
		struct pv_str *name = &links->policies[i];
		*name = pv_plain_value_place(inlay, *name);
	}
}

/* One that stands in another, or has a base of its own, stays as it is. */
static void read_inlay(struct reading *around, struct pv_str value)
{
	struct pv_links *links = around->links;
	struct reading reading = {links, around->facts, .is_inlay = true};
	const struct mark before = {
	    links->count, links->guard_count, links->policy_count, links->end};
	struct pv_plain_value inlay;
	if (around->is_inlay)
		return;
	pv_plain_value_init(&inlay, value, &links->inlay);
	if (links->inlay.is_full)
		links->end = PV_LINKS_LARGE;
	read_tags(&reading, inlay.text);
	if (reading.has_base) {
		links->count = before.links;
		links->guard_count = before.guards;
		links->policy_count = before.policies;
		links->end = before.end;
	}
	find_places(links, &before, &inlay);
}

/* A page whose encoding hides its markup is converted first. */
static void convert(struct pv_links *links, struct pv_str page)
{
	struct pv_decoder decoder;
	pv_decoder_init(&decoder, links->charset.encoding);
	pv_decoder_append(&decoder, &links->converted, page);
	pv_decoder_finish(&decoder);
	links->text = pv_buf_str(&links->converted);
	links->is_converted = true;
	if (links->converted.is_full)
		links->end = PV_LINKS_LARGE;
}

static void begin(
    struct pv_links *links, struct pv_str text, struct pv_charset charset)
{
	links->charset = charset;
	pv_buf_clear(&links->converted);
	pv_buf_clear(&links->style);
	pv_buf_clear(&links->inlay);
	links->text = (struct pv_str){pv_str_bytes(text), text.len};
	links->is_converted = false;
	links->count = 0;
	links->guard_count = 0;
	links->policy_count = 0;
	links->base = (struct pv_str){NULL, 0};
	pv_robots_words_clear(&links->robots);
	pv_tdm_clear(&links->tdm);
	links->end = PV_LINKS_WHOLE;
	if (pv_decoder_must_come_first(charset.encoding))
		convert(links, text);
}

void pv_links_read(struct pv_links *links, struct pv_str page,
    const struct pv_page_facts *facts)
{
	struct reading reading = {.links = links, .facts = facts};
	begin(links, page,
	    facts->is_xml ? pv_charset_find_of_xml(page, facts->charset)
			  : pv_charset_find(page, facts->charset));
	read_tags(&reading, links->text);
}

void pv_links_read_sheet(struct pv_links *links, struct pv_str sheet,
    const struct pv_page_facts *facts)
{
	begin(links, sheet, pv_charset_find_of_sheet(sheet, facts->charset));
	add_sheet(links, links->text);
}
