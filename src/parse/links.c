#include "parse/links.h"

#include <stdlib.h>

#include "base/array.h"
#include "parse/refresh.h"
#include "parse/srcset.h"
#include "parse/tokenizer.h"

/* What an attribute with references in it may hold to be worth reading, where
 * it is no address: words. */
#define WORDS_LEN_MAX 4096

/* Those attributes of a tag that are anything to us, the first of each. */
struct tag {
	enum pv_element element;
	struct pv_str values[PV_ATTRIBUTES]; /* ptr NULL: absent */
	enum pv_attribute_name order[PV_ATTRIBUTES];
	size_t count;
};

struct reading {
	struct pv_links *links;
	const struct pv_page_facts *facts;
	struct pv_decoder decoder; /* for words: references only */
};

void pv_links_init(struct pv_links *links, size_t links_max, size_t text_max)
{
	*links = (struct pv_links){.links_max = links_max};
	pv_buf_init(&links->converted, text_max);
	pv_buf_init(&links->scratch, WORDS_LEN_MAX);
}

void pv_links_finish(struct pv_links *links)
{
	free(links->items);
	pv_buf_finish(&links->converted);
	pv_buf_finish(&links->scratch);
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
	if (links->count == links->links_max)
		links->end = PV_LINKS_MANY;
	else
		*PV_ARRAY_PUSH(links->items, links->count, links->size) = link;
}

static void add_images(struct pv_links *links, struct pv_page_link link)
{
	struct pv_srcset srcset;
	pv_srcset_init(&srcset, link.value);
	while (
	    links->end != PV_LINKS_MANY && pv_srcset_next(&srcset, &link.value))
		add(links, link);
}

/* The words of an attribute, until the next ones are asked for. */
static struct pv_str words_of(
    struct reading *reading, const struct tag *tag, enum pv_attribute_name name)
{
	struct pv_buf *scratch = &reading->links->scratch;
	if (!tag->values[name].ptr)
		return PV_STR("");
	return pv_value_read(tag->values[name], &reading->decoder, scratch);
}

static bool is_http_equiv(
    struct reading *reading, const struct tag *tag, const char *name)
{
	struct pv_str words = words_of(reading, tag, PV_ATTRIBUTE_HTTP_EQUIV);
	return pv_str_equal_nocase(words, pv_str_of(name));
}

static void add_address(struct pv_links *links, struct pv_page_link link)
{
	if (link.place->may_be_empty || !pv_value_is_blank(link.value))
		add(links, link);
}

static void read_place(
    struct reading *reading, const struct tag *tag, struct pv_page_link link)
{
	struct pv_links *links = reading->links;
	switch (link.place->reading) {
	case PV_READ_ADDRESS:
		add_address(links, link);
		break;
	case PV_READ_SRCSET:
		add_images(links, link);
		break;
	case PV_READ_REFRESH:
		if (is_http_equiv(reading, tag, "refresh") &&
		    pv_refresh_read(link.value, &link.value))
			add(links, link);
		break;
	}
}

/* All links of a tag, in the order of its attributes. */
static void read_links(struct reading *reading, const struct tag *tag)
{
	struct pv_rel rel = {.is_page = false};
	if (tag->values[PV_ATTRIBUTE_REL].ptr)
		rel = pv_rel_read(words_of(reading, tag, PV_ATTRIBUTE_REL));
	for (size_t i = 0; i < tag->count; i++) {
		enum pv_attribute_name name = tag->order[i];
		const struct pv_link_place *place =
		    pv_link_place_get(tag->element, name);
		if (!place)
			continue;
		struct pv_page_link link = {tag->values[name], place,
		    place->kind == PV_LINK_PAGE ||
			(place->is_by_rel && rel.is_page),
		    rel.is_nofollow};
		read_place(reading, tag, link);
	}
}

/* Whether a meta tag of that name speaks to us. */
static bool is_addressed(struct reading *reading, struct pv_str name)
{
	return pv_str_equal_nocase(name, PV_STR("robots")) ||
	       pv_str_equal_nocase(name, PV_STR("pavane")) ||
	       (name.len && pv_str_equal_nocase(name, reading->facts->product));
}

/* The encoding, if a page tells it only behind its first 1024 bytes: all that
 * was found is the same, unless the encoding is one that changes markup, and
 * then it comes too late. */
static void read_late_charset(struct reading *reading, const struct tag *tag)
{
	struct pv_str label = words_of(reading, tag, PV_ATTRIBUTE_CHARSET);
	if (!tag->values[PV_ATTRIBUTE_CHARSET].ptr &&
	    is_http_equiv(reading, tag, "content-type"))
		label = pv_charset_label(
		    words_of(reading, tag, PV_ATTRIBUTE_CONTENT));
	const struct pv_encoding *encoding = pv_charset_of_meta(label);
	if (encoding && !pv_decoder_must_come_first(encoding))
		reading->links->charset =
		    (struct pv_charset){encoding, PV_CHARSET_META};
}

static void read_meta(struct reading *reading, const struct tag *tag)
{
	struct pv_links *links = reading->links;
	if (!links->charset.encoding)
		read_late_charset(reading, tag);
	if (is_addressed(reading, words_of(reading, tag, PV_ATTRIBUTE_NAME)))
		pv_robots_words_read(&links->robots,
		    words_of(reading, tag, PV_ATTRIBUTE_CONTENT));
}

/* Reads the attributes; false if the page ended before the tag did. */
static bool read_tag(struct pv_tokenizer *tokenizer, struct tag *tag)
{
	struct pv_attribute attribute;
	memset(tag->values, 0, sizeof(tag->values));
	tag->count = 0;
	while (pv_tokenizer_attribute(tokenizer, &attribute)) {
		enum pv_attribute_name name = pv_attribute_find(attribute.name);
		if (name == PV_ATTRIBUTES || tag->values[name].ptr)
			continue;
		tag->values[name] = attribute.value;
		tag->order[tag->count++] = name;
	}
	return !tokenizer->is_cut;
}

static void read_tags(struct reading *reading)
{
	struct pv_links *links = reading->links;
	struct pv_tokenizer tokenizer;
	struct tag tag;
	pv_tokenizer_init(&tokenizer, links->text);
	while ((tag.element = pv_tokenizer_next(&tokenizer))) {
		if (!pv_element_is_read(tag.element) ||
		    !read_tag(&tokenizer, &tag))
			continue;
		if (tag.element == PV_ELEMENT_META)
			read_meta(reading, &tag);
		if (tag.element == PV_ELEMENT_BASE && !links->base.ptr)
			links->base = tag.values[PV_ATTRIBUTE_HREF];
		read_links(reading, &tag);
	}
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

void pv_links_read(struct pv_links *links, struct pv_str page,
    const struct pv_page_facts *facts)
{
	struct reading reading = {.links = links, .facts = facts};
	pv_decoder_init(&reading.decoder, NULL);
	pv_buf_clear(&links->converted);
	links->text = (struct pv_str){pv_str_bytes(page), page.len};
	links->is_converted = false;
	links->charset = pv_charset_find(page, facts->charset);
	links->count = 0;
	links->base = (struct pv_str){NULL, 0};
	links->robots = (struct pv_robots_words){.is_noindex = false};
	links->end = PV_LINKS_WHOLE;
	if (pv_decoder_must_come_first(links->charset.encoding))
		convert(links, page);
	read_tags(&reading);
	pv_decoder_finish(&reading.decoder);
}
