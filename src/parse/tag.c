#include "parse/tag.h"

#include "parse/value.h"

static bool is_guard(enum pv_attribute_name name)
{
	return name == PV_ATTRIBUTE_INTEGRITY ||
	       name == PV_ATTRIBUTE_CROSSORIGIN ||
	       name == PV_ATTRIBUTE_OFF_INTEGRITY ||
	       name == PV_ATTRIBUTE_OFF_CROSSORIGIN;
}

static void note_name(struct pv_tag *tag, enum pv_attribute_name name,
    const struct pv_attribute *attribute)
{
	if (name == PV_ATTRIBUTE_HTTP_EQUIV ||
	    (name == PV_ATTRIBUTE_OFF_HTTP_EQUIV &&
		!pv_tag_has(tag, PV_ATTRIBUTE_HTTP_EQUIV)))
		tag->http_equiv = attribute->name;
}

static void note_guard(struct pv_tag *tag, enum pv_attribute_name name,
    const struct pv_attribute *attribute)
{
	if (is_guard(name) && tag->guard_count < PV_TAG_GUARDS_MAX)
		tag->guards[tag->guard_count++] = attribute->name;
}

/* Of what is like an attribute in HTML more is known by then. */
static enum pv_attribute_name find_in_drawing(struct pv_tag *tag,
    const struct pv_tokenizer *tokenizer, const struct pv_attribute *attribute)
{
	if (!tokenizer->is_xml)
		return pv_attribute_find_in_drawing(attribute->name);
	if (pv_xlink_is_declared(attribute))
		tag->xlink = pv_xlink_prefix(attribute);
	return pv_xlink_is_href(attribute->name, tag->xlink)
		   ? PV_ATTRIBUTE_XLINK_HREF
		   : pv_attribute_find_in_drawing(attribute->name);
}

bool pv_tag_read(struct pv_tag *tag, struct pv_tokenizer *tokenizer)
{
	struct pv_attribute attribute;
	bool is_in_drawing = pv_tokenizer_is_in_drawing(tokenizer);
	tag->element = tokenizer->element;
	tag->seen = 0;
	tag->count = 0;
	tag->http_equiv = PV_STR("");
	tag->guard_count = 0;
	while (pv_tokenizer_attribute(tokenizer, &attribute)) {
		enum pv_attribute_name name = pv_attribute_find(attribute.name);
		if (name == PV_ATTRIBUTES && is_in_drawing)
			name = find_in_drawing(tag, tokenizer, &attribute);
		note_guard(tag, name, &attribute);
		if (name == PV_ATTRIBUTES || pv_tag_has(tag, name))
			continue;
		tag->seen |= (uint64_t)1 << name;
		tag->values[name] = attribute.value;
		note_name(tag, name, &attribute);
		tag->order[tag->count++] = name;
	}
	return !tokenizer->is_cut;
}

/* Of no encoding, so that references alone are read. */
struct pv_str pv_tag_words(const struct pv_tag *tag,
    enum pv_attribute_name name, struct pv_buf *scratch)
{
	struct pv_decoder decoder;
	if (!pv_tag_has(tag, name))
		return PV_STR("");
	pv_decoder_init(&decoder, NULL);
	return pv_value_read(tag->values[name], &decoder, scratch);
}

bool pv_tag_says(const struct pv_tag *tag, enum pv_attribute_name name,
    const char *word, struct pv_buf *scratch)
{
	struct pv_str words = pv_tag_words(tag, name, scratch);
	return pv_str_equal_nocase(words, pv_str_of(word));
}
