#include "parse/link_attribute.h"

#include "base/buf.h"
#include "tap.h"

/* A place for each of the attributes, but for those that only say more of
 * another. */
static const struct {
	const char *name;
	enum pv_attribute_name attribute;
	enum pv_element element; /* where it is a place */
} attributes[] = {
    {"as", PV_ATTRIBUTE_AS, PV_ELEMENT_NONE},
    {"rel", PV_ATTRIBUTE_REL, PV_ELEMENT_NONE},
    {"src", PV_ATTRIBUTE_SRC, PV_ELEMENT_TRACK},
    {"cite", PV_ATTRIBUTE_CITE, PV_ELEMENT_INS},
    {"data", PV_ATTRIBUTE_DATA, PV_ELEMENT_OBJECT},
    {"href", PV_ATTRIBUTE_HREF, PV_ELEMENT_AREA},
    {"name", PV_ATTRIBUTE_NAME, PV_ELEMENT_NONE},
    {"type", PV_ATTRIBUTE_TYPE, PV_ELEMENT_NONE},
    {"style", PV_ATTRIBUTE_STYLE, PV_ELEMENT_OTHER},
    {"action", PV_ATTRIBUTE_ACTION, PV_ELEMENT_FORM},
    {"poster", PV_ATTRIBUTE_POSTER, PV_ELEMENT_VIDEO},
    {"srcdoc", PV_ATTRIBUTE_SRCDOC, PV_ELEMENT_IFRAME},
    {"srcset", PV_ATTRIBUTE_SRCSET, PV_ELEMENT_SOURCE},
    {"charset", PV_ATTRIBUTE_CHARSET, PV_ELEMENT_NONE},
    {"content", PV_ATTRIBUTE_CONTENT, PV_ELEMENT_META},
    {"longdesc", PV_ATTRIBUTE_LONGDESC, PV_ELEMENT_IMG},
    {"integrity", PV_ATTRIBUTE_INTEGRITY, PV_ELEMENT_NONE},
    {"background", PV_ATTRIBUTE_BACKGROUND, PV_ELEMENT_BODY},
    {"formaction", PV_ATTRIBUTE_FORMACTION, PV_ELEMENT_BUTTON},
    {"http-equiv", PV_ATTRIBUTE_HTTP_EQUIV, PV_ELEMENT_NONE},
    {"xlink:href", PV_ATTRIBUTE_XLINK_HREF, PV_ELEMENT_DRAWING_USE},
    {"crossorigin", PV_ATTRIBUTE_CROSSORIGIN, PV_ELEMENT_NONE},
    {"imagesrcset", PV_ATTRIBUTE_IMAGESRCSET, PV_ELEMENT_LINK},
    {"data-pavane-integrity", PV_ATTRIBUTE_OFF_INTEGRITY, PV_ELEMENT_NONE},
    {"data-pavane-http-equiv", PV_ATTRIBUTE_OFF_HTTP_EQUIV, PV_ELEMENT_NONE},
    {"data-pavane-crossorigin", PV_ATTRIBUTE_OFF_CROSSORIGIN, PV_ELEMENT_NONE},
    {"fill", PV_ATTRIBUTE_FILL, PV_ELEMENT_OTHER},
    {"mask", PV_ATTRIBUTE_MASK, PV_ELEMENT_OTHER},
    {"cursor", PV_ATTRIBUTE_CURSOR, PV_ELEMENT_OTHER},
    {"filter", PV_ATTRIBUTE_FILTER, PV_ELEMENT_OTHER},
    {"stroke", PV_ATTRIBUTE_STROKE, PV_ELEMENT_OTHER},
    {"clip-path", PV_ATTRIBUTE_CLIP_PATH, PV_ELEMENT_OTHER},
    {"marker-end", PV_ATTRIBUTE_MARKER_END, PV_ELEMENT_OTHER},
    {"marker-mid", PV_ATTRIBUTE_MARKER_MID, PV_ELEMENT_OTHER},
    {"marker-start", PV_ATTRIBUTE_MARKER_START, PV_ELEMENT_OTHER},
};

#define COUNT (sizeof(attributes) / sizeof(*attributes))

static enum pv_attribute_name find(struct pv_str name, size_t i)
{
	return attributes[i].attribute >= PV_ATTRIBUTE_FILL
		   ? pv_attribute_find_in_drawing(name)
		   : pv_attribute_find(name);
}

static void check_attribute(size_t i)
{
	struct pv_buf capitals;
	enum pv_attribute_name attribute = attributes[i].attribute;
	enum pv_element element = attributes[i].element;
	const struct pv_link_attribute *place =
	    pv_link_attribute_get(element, attribute);
	struct pv_str name = pv_str_of(attributes[i].name);
	pv_buf_init(&capitals, 100);
	for (size_t j = 0; j < name.len; j++) {
		bool is_letter = name.ptr[j] >= 'a';
		pv_buf_append_char(
		    &capitals, (char)(name.ptr[j] - (is_letter ? 32 : 0)));
	}
	ok(find(name, i) == attribute &&
		find(pv_buf_str(&capitals), i) == attribute,
	    "%s is found, in letters of any size", attributes[i].name);
	ok(element ? place && place->attribute == attribute &&
			 (place->element == element || !place->element)
		   : !place,
	    "and is %s place of links", element ? "a" : "no");
	pv_buf_finish(&capitals);
}

int main(void)
{
	static const char *const others[] = {"", "re", "srd", "hrefs",
	    "imagesrcsets", "data-integrity", "data-pavane-crossorigins",
	    "\xff", "sizes"};
	unsigned found = 0;
	ok(COUNT == PV_ATTRIBUTES, "there is a claim for each attribute");
	for (size_t i = 0; i < COUNT; i++)
		check_attribute(i);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		found +=
		    pv_attribute_find(pv_str_of(others[i])) != PV_ATTRIBUTES;
	ok(!found, "no other attribute is anything");
	ok(pv_attribute_find(PV_STR("fill")) == PV_ATTRIBUTES &&
		pv_attribute_find_in_drawing(PV_STR("href")) == PV_ATTRIBUTES &&
		pv_attribute_find_in_drawing(PV_STR("fil")) == PV_ATTRIBUTES,
	    "nor are those of drawings elsewhere");
	ok(pv_attribute_is_off(PV_STR("Data-Pavane-x")) &&
		!pv_attribute_is_off(PV_STR("data-pavane-")) &&
		!pv_attribute_is_off(PV_STR("data-integrity")),
	    "those that are off are called as nobody else's are");
	return tap_done();
}
