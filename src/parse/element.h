#ifndef PAVANE_PARSE_ELEMENT_H
#define PAVANE_PARSE_ELEMENT_H

#include "base/str.h"

/* The elements that are anything to us: those that may hold a link, and those
 * whose content is not markup. In alphabetical order, those of drawings after
 * those of HTML. */
enum pv_element {
	PV_ELEMENT_NONE,
	PV_ELEMENT_A,
	PV_ELEMENT_AREA,
	PV_ELEMENT_AUDIO,
	PV_ELEMENT_BASE,
	PV_ELEMENT_BLOCKQUOTE,
	PV_ELEMENT_BODY,
	PV_ELEMENT_BUTTON,
	PV_ELEMENT_DEL,
	PV_ELEMENT_EMBED,
	PV_ELEMENT_FORM,
	PV_ELEMENT_FRAME,
	PV_ELEMENT_IFRAME,
	PV_ELEMENT_IMAGE, /* what pages of the past call img */
	PV_ELEMENT_IMG,
	PV_ELEMENT_INPUT,
	PV_ELEMENT_INS,
	PV_ELEMENT_LINK,
	PV_ELEMENT_MATH,
	PV_ELEMENT_META,
	PV_ELEMENT_NOEMBED,
	PV_ELEMENT_NOFRAMES,
	PV_ELEMENT_OBJECT,
	PV_ELEMENT_PLAINTEXT,
	PV_ELEMENT_Q,
	PV_ELEMENT_SCRIPT,
	PV_ELEMENT_SOURCE,
	PV_ELEMENT_STYLE,
	PV_ELEMENT_SVG,
	PV_ELEMENT_TABLE,
	PV_ELEMENT_TBODY,
	PV_ELEMENT_TD,
	PV_ELEMENT_TEMPLATE,
	PV_ELEMENT_TEXTAREA,
	PV_ELEMENT_TFOOT,
	PV_ELEMENT_TH,
	PV_ELEMENT_THEAD,
	PV_ELEMENT_TITLE,
	PV_ELEMENT_TR,
	PV_ELEMENT_TRACK,
	PV_ELEMENT_VIDEO,
	PV_ELEMENT_XMP,
	PV_ELEMENT_XML_STYLESHEET, /* an instruction, in XML only */
	PV_ELEMENT_DRAWING_A,
	PV_ELEMENT_DRAWING_FE_IMAGE,
	PV_ELEMENT_DRAWING_IMAGE,
	PV_ELEMENT_DRAWING_SCRIPT,
	PV_ELEMENT_DRAWING_STYLE,
	PV_ELEMENT_DRAWING_USE,
	PV_ELEMENT_OTHER,
};

/* What the text in an element is read as, where no script runs
 * (https://html.spec.whatwg.org/#parsing-html-fragments, step 4). */
enum pv_content {
	PV_CONTENT_MARKUP,
	PV_CONTENT_TEXT,   /* up to its end tag: RCDATA and RAWTEXT */
	PV_CONTENT_SCRIPT, /* the same, but for what looks like comments */
	PV_CONTENT_REST,   /* up to the end of the page */
};

/* The element of that name, in letters of any size; PV_ELEMENT_OTHER if it is
 * nothing to us. */
enum pv_element pv_element_find(struct pv_str name);

/* The same within a drawing. */
enum pv_element pv_element_find_in_drawing(struct pv_str name);

/* Whether only some attributes of it are anything to us, which few such
 * elements have: a style, a background. */
bool pv_element_is_plain(enum pv_element element);

enum pv_content pv_element_content(enum pv_element element);

#endif
