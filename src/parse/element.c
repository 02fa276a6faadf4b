#include "parse/element.h"

#include <stdint.h>

#include "base/ascii.h"

static const struct element {
	struct pv_str name;
	enum pv_content content;
} elements[] = {
    [PV_ELEMENT_NONE] = {PV_STR(""), PV_CONTENT_MARKUP},
    [PV_ELEMENT_A] = {PV_STR("a"), PV_CONTENT_MARKUP},
    [PV_ELEMENT_AREA] = {PV_STR("area"), PV_CONTENT_MARKUP},
    [PV_ELEMENT_BASE] = {PV_STR("base"), PV_CONTENT_MARKUP},
    [PV_ELEMENT_FRAME] = {PV_STR("frame"), PV_CONTENT_MARKUP},
    [PV_ELEMENT_IFRAME] = {PV_STR("iframe"), PV_CONTENT_TEXT},
    [PV_ELEMENT_IMAGE] = {PV_STR("image"), PV_CONTENT_MARKUP},
    [PV_ELEMENT_IMG] = {PV_STR("img"), PV_CONTENT_MARKUP},
    [PV_ELEMENT_LINK] = {PV_STR("link"), PV_CONTENT_MARKUP},
    [PV_ELEMENT_MATH] = {PV_STR("math"), PV_CONTENT_MARKUP},
    [PV_ELEMENT_META] = {PV_STR("meta"), PV_CONTENT_MARKUP},
    [PV_ELEMENT_NOEMBED] = {PV_STR("noembed"), PV_CONTENT_TEXT},
    [PV_ELEMENT_NOFRAMES] = {PV_STR("noframes"), PV_CONTENT_TEXT},
    [PV_ELEMENT_PLAINTEXT] = {PV_STR("plaintext"), PV_CONTENT_REST},
    [PV_ELEMENT_SCRIPT] = {PV_STR("script"), PV_CONTENT_SCRIPT},
    [PV_ELEMENT_SOURCE] = {PV_STR("source"), PV_CONTENT_MARKUP},
    [PV_ELEMENT_STYLE] = {PV_STR("style"), PV_CONTENT_TEXT},
    [PV_ELEMENT_SVG] = {PV_STR("svg"), PV_CONTENT_MARKUP},
    [PV_ELEMENT_TEXTAREA] = {PV_STR("textarea"), PV_CONTENT_TEXT},
    [PV_ELEMENT_TITLE] = {PV_STR("title"), PV_CONTENT_TEXT},
    [PV_ELEMENT_XMP] = {PV_STR("xmp"), PV_CONTENT_TEXT},
};

#define ELEMENTS (sizeof(elements) / sizeof(*elements))

/* For each letter the first element that begins with it: most tags of a page
 * are none of ours, and should cost nothing. */
static const uint8_t firsts['z' - 'a' + 1] = {
    ['a' - 'a'] = PV_ELEMENT_A,
    ['b' - 'a'] = PV_ELEMENT_BASE,
    ['f' - 'a'] = PV_ELEMENT_FRAME,
    ['i' - 'a'] = PV_ELEMENT_IFRAME,
    ['l' - 'a'] = PV_ELEMENT_LINK,
    ['m' - 'a'] = PV_ELEMENT_MATH,
    ['n' - 'a'] = PV_ELEMENT_NOEMBED,
    ['p' - 'a'] = PV_ELEMENT_PLAINTEXT,
    ['s' - 'a'] = PV_ELEMENT_SCRIPT,
    ['t' - 'a'] = PV_ELEMENT_TEXTAREA,
    ['x' - 'a'] = PV_ELEMENT_XMP,
};

enum pv_element pv_element_find(struct pv_str name)
{
	char first = name.len ? pv_lower(name.ptr[0]) : 0;
	size_t i = pv_is_lower(first) ? firsts[first - 'a'] : 0;
	if (!i)
		return PV_ELEMENT_NONE;
	for (; i < ELEMENTS && elements[i].name.ptr[0] == first; i++) {
		if (elements[i].name.len == name.len &&
		    pv_str_equal_nocase(elements[i].name, name))
			return (enum pv_element)i;
	}
	return PV_ELEMENT_NONE;
}

enum pv_content pv_element_content(enum pv_element element)
{
	return elements[element].content;
}
