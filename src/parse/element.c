#include "parse/element.h"

#include <stdint.h>

#include "base/ascii.h"

static const struct element {
	struct pv_str name;
	enum pv_content content;
	bool is_plain;
} elements[] = {
    [PV_ELEMENT_NONE] = {.name = PV_STR("")},
    [PV_ELEMENT_A] = {.name = PV_STR("a")},
    [PV_ELEMENT_AREA] = {.name = PV_STR("area")},
    [PV_ELEMENT_AUDIO] = {.name = PV_STR("audio")},
    [PV_ELEMENT_BASE] = {.name = PV_STR("base")},
    [PV_ELEMENT_BLOCKQUOTE] = {.name = PV_STR("blockquote")},
    [PV_ELEMENT_BODY] = {.name = PV_STR("body"), .is_plain = true},
    [PV_ELEMENT_BUTTON] = {.name = PV_STR("button")},
    [PV_ELEMENT_DEL] = {.name = PV_STR("del")},
    [PV_ELEMENT_EMBED] = {.name = PV_STR("embed")},
    [PV_ELEMENT_FORM] = {.name = PV_STR("form")},
    [PV_ELEMENT_FRAME] = {.name = PV_STR("frame")},
    [PV_ELEMENT_IFRAME] = {.name = PV_STR("iframe"),
	.content = PV_CONTENT_TEXT},
    [PV_ELEMENT_IMAGE] = {.name = PV_STR("image")},
    [PV_ELEMENT_IMG] = {.name = PV_STR("img")},
    [PV_ELEMENT_INPUT] = {.name = PV_STR("input")},
    [PV_ELEMENT_INS] = {.name = PV_STR("ins")},
    [PV_ELEMENT_LINK] = {.name = PV_STR("link")},
    [PV_ELEMENT_MATH] = {.name = PV_STR("math"), .is_plain = true},
    [PV_ELEMENT_META] = {.name = PV_STR("meta")},
    [PV_ELEMENT_NOEMBED] = {.name = PV_STR("noembed"),
	.content = PV_CONTENT_TEXT},
    [PV_ELEMENT_NOFRAMES] = {.name = PV_STR("noframes"),
	.content = PV_CONTENT_TEXT},
    [PV_ELEMENT_OBJECT] = {.name = PV_STR("object")},
    [PV_ELEMENT_PLAINTEXT] = {.name = PV_STR("plaintext"),
	.content = PV_CONTENT_REST},
    [PV_ELEMENT_Q] = {.name = PV_STR("q")},
    [PV_ELEMENT_SCRIPT] = {.name = PV_STR("script"),
	.content = PV_CONTENT_SCRIPT},
    [PV_ELEMENT_SOURCE] = {.name = PV_STR("source")},
    [PV_ELEMENT_STYLE] = {.name = PV_STR("style"), .content = PV_CONTENT_TEXT},
    [PV_ELEMENT_SVG] = {.name = PV_STR("svg"), .is_plain = true},
    [PV_ELEMENT_TABLE] = {.name = PV_STR("table"), .is_plain = true},
    [PV_ELEMENT_TBODY] = {.name = PV_STR("tbody"), .is_plain = true},
    [PV_ELEMENT_TD] = {.name = PV_STR("td"), .is_plain = true},
    [PV_ELEMENT_TEMPLATE] = {.name = PV_STR("template")},
    [PV_ELEMENT_TEXTAREA] = {.name = PV_STR("textarea"),
	.content = PV_CONTENT_TEXT},
    [PV_ELEMENT_TFOOT] = {.name = PV_STR("tfoot"), .is_plain = true},
    [PV_ELEMENT_TH] = {.name = PV_STR("th"), .is_plain = true},
    [PV_ELEMENT_THEAD] = {.name = PV_STR("thead"), .is_plain = true},
    [PV_ELEMENT_TITLE] = {.name = PV_STR("title"), .content = PV_CONTENT_TEXT},
    [PV_ELEMENT_TR] = {.name = PV_STR("tr"), .is_plain = true},
    [PV_ELEMENT_TRACK] = {.name = PV_STR("track")},
    [PV_ELEMENT_VIDEO] = {.name = PV_STR("video")},
    [PV_ELEMENT_XMP] = {.name = PV_STR("xmp"), .content = PV_CONTENT_TEXT},
    [PV_ELEMENT_XML_STYLESHEET] = {.name = PV_STR("?")},
    [PV_ELEMENT_DRAWING_A] = {.name = PV_STR("a")},
    [PV_ELEMENT_DRAWING_FE_IMAGE] = {.name = PV_STR("feimage")},
    [PV_ELEMENT_DRAWING_IMAGE] = {.name = PV_STR("image")},
    [PV_ELEMENT_DRAWING_SCRIPT] = {.name = PV_STR("script")},
    [PV_ELEMENT_DRAWING_STYLE] = {.name = PV_STR("style")},
    [PV_ELEMENT_DRAWING_USE] = {.name = PV_STR("use")},
    [PV_ELEMENT_OTHER] = {.name = PV_STR(""), .is_plain = true},
};

/* For each letter the first element of HTML that begins with it: most tags of
 * a page are none of ours, and should cost nothing. */
static const uint8_t firsts['z' - 'a' + 1] = {
    ['a' - 'a'] = PV_ELEMENT_A,
    ['b' - 'a'] = PV_ELEMENT_BASE,
    ['d' - 'a'] = PV_ELEMENT_DEL,
    ['e' - 'a'] = PV_ELEMENT_EMBED,
    ['f' - 'a'] = PV_ELEMENT_FORM,
    ['i' - 'a'] = PV_ELEMENT_IFRAME,
    ['l' - 'a'] = PV_ELEMENT_LINK,
    ['m' - 'a'] = PV_ELEMENT_MATH,
    ['n' - 'a'] = PV_ELEMENT_NOEMBED,
    ['o' - 'a'] = PV_ELEMENT_OBJECT,
    ['p' - 'a'] = PV_ELEMENT_PLAINTEXT,
    ['q' - 'a'] = PV_ELEMENT_Q,
    ['s' - 'a'] = PV_ELEMENT_SCRIPT,
    ['t' - 'a'] = PV_ELEMENT_TABLE,
    ['v' - 'a'] = PV_ELEMENT_VIDEO,
    ['x' - 'a'] = PV_ELEMENT_XMP,
};

static bool is_named(size_t element, struct pv_str name)
{
	return elements[element].name.len == name.len &&
	       pv_str_equal_nocase(elements[element].name, name);
}

enum pv_element pv_element_find(struct pv_str name)
{
	char first = name.len ? pv_lower(name.ptr[0]) : 0;
	size_t i = pv_is_lower(first) ? firsts[first - 'a'] : 0;
	if (!i)
		return PV_ELEMENT_OTHER;
	for (; elements[i].name.ptr[0] == first; i++) {
		if (is_named(i, name))
			return (enum pv_element)i;
	}
	return PV_ELEMENT_OTHER;
}

enum pv_element pv_element_find_in_drawing(struct pv_str name)
{
	size_t i = PV_ELEMENT_DRAWING_A;
	while (i < PV_ELEMENT_OTHER && !is_named(i, name))
		i++;
	return (enum pv_element)i;
}

bool pv_element_is_plain(enum pv_element element)
{
	return elements[element].is_plain;
}

enum pv_content pv_element_content(enum pv_element element)
{
	return elements[element].content;
}
