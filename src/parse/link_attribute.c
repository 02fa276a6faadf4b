#include "parse/link_attribute.h"

#include <stdint.h>

static const struct pv_link_attribute places[] = {
    {.element = PV_ELEMENT_A,
	.attribute = PV_ATTRIBUTE_HREF,
	.may_be_empty = true},
    {.element = PV_ELEMENT_AREA,
	.attribute = PV_ATTRIBUTE_HREF,
	.may_be_empty = true},
    {.element = PV_ELEMENT_AUDIO,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_BLOCKQUOTE,
	.attribute = PV_ATTRIBUTE_CITE,
	.is_mention = true},
    {.element = PV_ELEMENT_BODY,
	.attribute = PV_ATTRIBUTE_BACKGROUND,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_BUTTON,
	.attribute = PV_ATTRIBUTE_FORMACTION,
	.is_mention = true},
    {.element = PV_ELEMENT_DEL,
	.attribute = PV_ATTRIBUTE_CITE,
	.is_mention = true},
    {.element = PV_ELEMENT_EMBED,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE,
	.may_be_page = true},
    {.element = PV_ELEMENT_FORM,
	.attribute = PV_ATTRIBUTE_ACTION,
	.is_mention = true},
    {.element = PV_ELEMENT_FRAME,
	.attribute = PV_ATTRIBUTE_LONGDESC,
	.is_mention = true},
    {.element = PV_ELEMENT_FRAME, .attribute = PV_ATTRIBUTE_SRC},
    {.element = PV_ELEMENT_IFRAME,
	.attribute = PV_ATTRIBUTE_LONGDESC,
	.is_mention = true},
    {.element = PV_ELEMENT_IFRAME, .attribute = PV_ATTRIBUTE_SRC},
    {.element = PV_ELEMENT_IFRAME,
	.attribute = PV_ATTRIBUTE_SRCDOC,
	.reading = PV_READ_INLAY},
    {.element = PV_ELEMENT_IMAGE,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_IMAGE,
	.attribute = PV_ATTRIBUTE_SRCSET,
	.reading = PV_READ_SRCSET,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_IMG,
	.attribute = PV_ATTRIBUTE_LONGDESC,
	.is_mention = true},
    {.element = PV_ELEMENT_IMG,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_IMG,
	.attribute = PV_ATTRIBUTE_SRCSET,
	.reading = PV_READ_SRCSET,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_INPUT,
	.attribute = PV_ATTRIBUTE_FORMACTION,
	.is_mention = true},
    {.element = PV_ELEMENT_INPUT,
	.attribute = PV_ATTRIBUTE_SRC,
	.reading = PV_READ_BUTTON,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_INS,
	.attribute = PV_ATTRIBUTE_CITE,
	.is_mention = true},
    {.element = PV_ELEMENT_LINK,
	.attribute = PV_ATTRIBUTE_HREF,
	.kind = PV_LINK_RESOURCE,
	.is_by_rel = true},
    {.element = PV_ELEMENT_LINK,
	.attribute = PV_ATTRIBUTE_IMAGESRCSET,
	.reading = PV_READ_SRCSET,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_META,
	.attribute = PV_ATTRIBUTE_CONTENT,
	.reading = PV_READ_REFRESH},
    {.element = PV_ELEMENT_OBJECT,
	.attribute = PV_ATTRIBUTE_DATA,
	.kind = PV_LINK_RESOURCE,
	.may_be_page = true},
    {.element = PV_ELEMENT_Q,
	.attribute = PV_ATTRIBUTE_CITE,
	.is_mention = true},
    {.element = PV_ELEMENT_SCRIPT,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_SOURCE,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_SOURCE,
	.attribute = PV_ATTRIBUTE_SRCSET,
	.reading = PV_READ_SRCSET,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_TABLE,
	.attribute = PV_ATTRIBUTE_BACKGROUND,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_TBODY,
	.attribute = PV_ATTRIBUTE_BACKGROUND,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_TD,
	.attribute = PV_ATTRIBUTE_BACKGROUND,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_TFOOT,
	.attribute = PV_ATTRIBUTE_BACKGROUND,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_TH,
	.attribute = PV_ATTRIBUTE_BACKGROUND,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_THEAD,
	.attribute = PV_ATTRIBUTE_BACKGROUND,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_TR,
	.attribute = PV_ATTRIBUTE_BACKGROUND,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_TRACK,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_VIDEO,
	.attribute = PV_ATTRIBUTE_POSTER,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_VIDEO,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_XML_STYLESHEET,
	.attribute = PV_ATTRIBUTE_HREF,
	.kind = PV_LINK_RESOURCE,
	.is_outside = true},
    {.element = PV_ELEMENT_DRAWING_A,
	.attribute = PV_ATTRIBUTE_HREF,
	.may_be_empty = true},
    {.element = PV_ELEMENT_DRAWING_A,
	.attribute = PV_ATTRIBUTE_XLINK_HREF,
	.may_be_empty = true},
    {.element = PV_ELEMENT_DRAWING_FE_IMAGE,
	.attribute = PV_ATTRIBUTE_HREF,
	.kind = PV_LINK_RESOURCE,
	.is_outside = true},
    {.element = PV_ELEMENT_DRAWING_FE_IMAGE,
	.attribute = PV_ATTRIBUTE_XLINK_HREF,
	.kind = PV_LINK_RESOURCE,
	.is_outside = true},
    {.element = PV_ELEMENT_DRAWING_IMAGE,
	.attribute = PV_ATTRIBUTE_HREF,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_DRAWING_IMAGE,
	.attribute = PV_ATTRIBUTE_XLINK_HREF,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_DRAWING_SCRIPT,
	.attribute = PV_ATTRIBUTE_HREF,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_DRAWING_SCRIPT,
	.attribute = PV_ATTRIBUTE_XLINK_HREF,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_DRAWING_USE,
	.attribute = PV_ATTRIBUTE_HREF,
	.kind = PV_LINK_RESOURCE,
	.is_outside = true},
    {.element = PV_ELEMENT_DRAWING_USE,
	.attribute = PV_ATTRIBUTE_XLINK_HREF,
	.kind = PV_LINK_RESOURCE,
	.is_outside = true},
    {.element = PV_ELEMENT_NONE,
	.attribute = PV_ATTRIBUTE_STYLE,
	.reading = PV_READ_STYLE,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_NONE,
	.attribute = PV_ATTRIBUTE_FILL,
	.reading = PV_READ_STYLE,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_NONE,
	.attribute = PV_ATTRIBUTE_MASK,
	.reading = PV_READ_STYLE,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_NONE,
	.attribute = PV_ATTRIBUTE_CURSOR,
	.reading = PV_READ_STYLE,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_NONE,
	.attribute = PV_ATTRIBUTE_FILTER,
	.reading = PV_READ_STYLE,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_NONE,
	.attribute = PV_ATTRIBUTE_STROKE,
	.reading = PV_READ_STYLE,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_NONE,
	.attribute = PV_ATTRIBUTE_CLIP_PATH,
	.reading = PV_READ_STYLE,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_NONE,
	.attribute = PV_ATTRIBUTE_MARKER_END,
	.reading = PV_READ_STYLE,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_NONE,
	.attribute = PV_ATTRIBUTE_MARKER_MID,
	.reading = PV_READ_STYLE,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_NONE,
	.attribute = PV_ATTRIBUTE_MARKER_START,
	.reading = PV_READ_STYLE,
	.kind = PV_LINK_RESOURCE},
};

static const struct pv_str attributes[PV_ATTRIBUTES] = {
    [PV_ATTRIBUTE_AS] = PV_STR("as"),
    [PV_ATTRIBUTE_REL] = PV_STR("rel"),
    [PV_ATTRIBUTE_SRC] = PV_STR("src"),
    [PV_ATTRIBUTE_CITE] = PV_STR("cite"),
    [PV_ATTRIBUTE_DATA] = PV_STR("data"),
    [PV_ATTRIBUTE_HREF] = PV_STR("href"),
    [PV_ATTRIBUTE_NAME] = PV_STR("name"),
    [PV_ATTRIBUTE_TYPE] = PV_STR("type"),
    [PV_ATTRIBUTE_STYLE] = PV_STR("style"),
    [PV_ATTRIBUTE_ACTION] = PV_STR("action"),
    [PV_ATTRIBUTE_POSTER] = PV_STR("poster"),
    [PV_ATTRIBUTE_SRCDOC] = PV_STR("srcdoc"),
    [PV_ATTRIBUTE_SRCSET] = PV_STR("srcset"),
    [PV_ATTRIBUTE_CHARSET] = PV_STR("charset"),
    [PV_ATTRIBUTE_CONTENT] = PV_STR("content"),
    [PV_ATTRIBUTE_LONGDESC] = PV_STR("longdesc"),
    [PV_ATTRIBUTE_INTEGRITY] = PV_STR("integrity"),
    [PV_ATTRIBUTE_BACKGROUND] = PV_STR("background"),
    [PV_ATTRIBUTE_FORMACTION] = PV_STR("formaction"),
    [PV_ATTRIBUTE_HTTP_EQUIV] = PV_STR("http-equiv"),
    [PV_ATTRIBUTE_XLINK_HREF] = PV_STR("xlink:href"),
    [PV_ATTRIBUTE_CROSSORIGIN] = PV_STR("crossorigin"),
    [PV_ATTRIBUTE_IMAGESRCSET] = PV_STR("imagesrcset"),
    [PV_ATTRIBUTE_OFF_INTEGRITY] = PV_STR("data-pavane-integrity"),
    [PV_ATTRIBUTE_OFF_HTTP_EQUIV] = PV_STR("data-pavane-http-equiv"),
    [PV_ATTRIBUTE_OFF_CROSSORIGIN] = PV_STR("data-pavane-crossorigin"),
    [PV_ATTRIBUTE_FILL] = PV_STR("fill"),
    [PV_ATTRIBUTE_MASK] = PV_STR("mask"),
    [PV_ATTRIBUTE_CURSOR] = PV_STR("cursor"),
    [PV_ATTRIBUTE_FILTER] = PV_STR("filter"),
    [PV_ATTRIBUTE_STROKE] = PV_STR("stroke"),
    [PV_ATTRIBUTE_CLIP_PATH] = PV_STR("clip-path"),
    [PV_ATTRIBUTE_MARKER_END] = PV_STR("marker-end"),
    [PV_ATTRIBUTE_MARKER_MID] = PV_STR("marker-mid"),
    [PV_ATTRIBUTE_MARKER_START] = PV_STR("marker-start"),
};

#define LEN_MAX 23

/* For each length the first attribute whose name is as long, or longer. */
static const uint8_t firsts[LEN_MAX + 1] = {
    [0] = PV_ATTRIBUTE_AS,
    [1] = PV_ATTRIBUTE_AS,
    [2] = PV_ATTRIBUTE_AS,
    [3] = PV_ATTRIBUTE_REL,
    [4] = PV_ATTRIBUTE_CITE,
    [5] = PV_ATTRIBUTE_STYLE,
    [6] = PV_ATTRIBUTE_ACTION,
    [7] = PV_ATTRIBUTE_CHARSET,
    [8] = PV_ATTRIBUTE_LONGDESC,
    [9] = PV_ATTRIBUTE_INTEGRITY,
    [10] = PV_ATTRIBUTE_BACKGROUND,
    [11] = PV_ATTRIBUTE_CROSSORIGIN,
    [12 ... 21] = PV_ATTRIBUTE_OFF_INTEGRITY,
    [22] = PV_ATTRIBUTE_OFF_HTTP_EQUIV,
    [23] = PV_ATTRIBUTE_OFF_CROSSORIGIN,
};

enum pv_attribute_name pv_attribute_find(struct pv_str name)
{
	if (name.len > LEN_MAX)
		return PV_ATTRIBUTES;
	for (size_t i = firsts[name.len];
	     i < PV_ATTRIBUTES && attributes[i].len == name.len; i++) {
		if (pv_str_equal_nocase(attributes[i], name))
			return (enum pv_attribute_name)i;
	}
	return PV_ATTRIBUTES;
}

enum pv_attribute_name pv_attribute_find_in_drawing(struct pv_str name)
{
	size_t i = PV_ATTRIBUTE_FILL;
	while (
	    i < PV_ATTRIBUTES && !(attributes[i].len == name.len &&
				     pv_str_equal_nocase(attributes[i], name)))
		i++;
	return (enum pv_attribute_name)i;
}

bool pv_attribute_is_off(struct pv_str name)
{
	const struct pv_str off = PV_ATTRIBUTE_OFF;
	return name.len > off.len &&
	       pv_str_equal_nocase(pv_str_head(name, off.len), off);
}

#define PLACES (sizeof(places) / sizeof(*places))

#define BIT(attribute) ((uint64_t)1 << (attribute))

/* Those that only say more of another. */
static const uint64_t no_places =
    BIT(PV_ATTRIBUTE_AS) | BIT(PV_ATTRIBUTE_REL) | BIT(PV_ATTRIBUTE_NAME) |
    BIT(PV_ATTRIBUTE_TYPE) | BIT(PV_ATTRIBUTE_CHARSET) |
    BIT(PV_ATTRIBUTE_INTEGRITY) | BIT(PV_ATTRIBUTE_HTTP_EQUIV) |
    BIT(PV_ATTRIBUTE_CROSSORIGIN) | BIT(PV_ATTRIBUTE_OFF_INTEGRITY) |
    BIT(PV_ATTRIBUTE_OFF_HTTP_EQUIV) | BIT(PV_ATTRIBUTE_OFF_CROSSORIGIN);

const struct pv_link_attribute *pv_link_attribute_get(
    enum pv_element element, enum pv_attribute_name attribute)
{
	if (no_places & BIT(attribute))
		return NULL;
	for (size_t i = 0; i < PLACES; i++) {
		if (places[i].attribute == attribute &&
		    (places[i].element == element ||
			places[i].element == PV_ELEMENT_NONE))
			return &places[i];
	}
	return NULL;
}
