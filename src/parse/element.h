#ifndef PAVANE_PARSE_ELEMENT_H
#define PAVANE_PARSE_ELEMENT_H

#include "base/str.h"

/* The elements that are anything to us: those that may hold a link, and those
 * whose content is not markup. In alphabetical order. */
enum pv_element {
	PV_ELEMENT_NONE, /* any other */
	PV_ELEMENT_A,
	PV_ELEMENT_AREA,
	PV_ELEMENT_BASE,
	PV_ELEMENT_FRAME,
	PV_ELEMENT_IFRAME,
	PV_ELEMENT_IMAGE, /* what pages of the past call img */
	PV_ELEMENT_IMG,
	PV_ELEMENT_LINK,
	PV_ELEMENT_MATH,
	PV_ELEMENT_META,
	PV_ELEMENT_NOEMBED,
	PV_ELEMENT_NOFRAMES,
	PV_ELEMENT_PLAINTEXT,
	PV_ELEMENT_SCRIPT,
	PV_ELEMENT_SOURCE,
	PV_ELEMENT_STYLE,
	PV_ELEMENT_SVG,
	PV_ELEMENT_TEXTAREA,
	PV_ELEMENT_TITLE,
	PV_ELEMENT_XMP,
};

/* What the text in an element is read as, where no script runs
 * (https://html.spec.whatwg.org/#parsing-html-fragments, step 4). */
enum pv_content {
	PV_CONTENT_MARKUP,
	PV_CONTENT_TEXT,   /* up to its end tag: RCDATA and RAWTEXT */
	PV_CONTENT_SCRIPT, /* the same, but for what looks like comments */
	PV_CONTENT_REST,   /* up to the end of the page */
};

/* The element of that name, in letters of any size. */
enum pv_element pv_element_find(struct pv_str name);

enum pv_content pv_element_content(enum pv_element element);

#endif
