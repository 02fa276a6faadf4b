#ifndef PAVANE_PARSE_LINK_ATTRIBUTE_H
#define PAVANE_PARSE_LINK_ATTRIBUTE_H

#include <stdbool.h>

#include "parse/element.h"
#include "record/link_kind.h"

/* Where links stand in a page: a table of elements and attributes, with what
 * a link there leads to. A further place is one more row. */

/* The attributes that are anything to us, in the order of their lengths. */
enum pv_attribute_name {
	PV_ATTRIBUTE_AS,
	PV_ATTRIBUTE_REL,
	PV_ATTRIBUTE_SRC,
	PV_ATTRIBUTE_CITE,
	PV_ATTRIBUTE_DATA,
	PV_ATTRIBUTE_HREF,
	PV_ATTRIBUTE_NAME,
	PV_ATTRIBUTE_TYPE,
	PV_ATTRIBUTE_STYLE,
	PV_ATTRIBUTE_ACTION,
	PV_ATTRIBUTE_POSTER,
	PV_ATTRIBUTE_SRCDOC,
	PV_ATTRIBUTE_SRCSET,
	PV_ATTRIBUTE_CHARSET,
	PV_ATTRIBUTE_CONTENT,
	PV_ATTRIBUTE_LONGDESC,
	PV_ATTRIBUTE_INTEGRITY,
	PV_ATTRIBUTE_BACKGROUND,
	PV_ATTRIBUTE_FORMACTION,
	PV_ATTRIBUTE_HTTP_EQUIV,
	PV_ATTRIBUTE_XLINK_HREF,
	PV_ATTRIBUTE_CROSSORIGIN,
	PV_ATTRIBUTE_IMAGESRCSET,
	PV_ATTRIBUTE_OFF_INTEGRITY,
	PV_ATTRIBUTE_OFF_HTTP_EQUIV,
	PV_ATTRIBUTE_OFF_CROSSORIGIN,

	/* of drawings only */
	PV_ATTRIBUTE_FILL,
	PV_ATTRIBUTE_MASK,
	PV_ATTRIBUTE_CURSOR,
	PV_ATTRIBUTE_FILTER,
	PV_ATTRIBUTE_STROKE,
	PV_ATTRIBUTE_CLIP_PATH,
	PV_ATTRIBUTE_MARKER_END,
	PV_ATTRIBUTE_MARKER_MID,
	PV_ATTRIBUTE_MARKER_START,
	PV_ATTRIBUTES, /* how many; any other */
};

/* So begins the name of an attribute that is to mean nothing to a browser for
 * as long as what it is about is a copy. Nobody but us calls any so. */
#define PV_ATTRIBUTE_OFF PV_STR("data-pavane-")

struct pv_link_attribute {
	enum pv_element element; /* PV_ELEMENT_NONE: each */
	enum pv_attribute_name attribute;
	enum pv_link_reading {
		PV_READ_ADDRESS,
		PV_READ_SRCSET,
		PV_READ_STYLE,
		PV_READ_REFRESH, /* where http-equiv says so */
		PV_READ_BUTTON,  /* an address, where type says image */
		PV_READ_INLAY,   /* a page, with links of its own */
	} reading;
	enum pv_link_kind kind;
	bool may_be_page;  /* what is shown there may be a page */
	bool is_by_rel;    /* some rels make a page of it, some nothing */
	bool may_be_empty; /* an empty one means the page itself */
	bool is_mention;   /* nobody asks for it by himself: a form's */
	bool is_outside;   /* a fragment alone is a part of the page, which is
			      there already */
};

/* The attribute of that name, in letters of any size. */
enum pv_attribute_name pv_attribute_find(struct pv_str name);

/* One that only drawings have: what CSS is elsewhere. */
enum pv_attribute_name pv_attribute_find_in_drawing(struct pv_str name);

bool pv_attribute_is_off(struct pv_str name);

/* What an attribute of an element is; NULL if it is no place of links. */
const struct pv_link_attribute *pv_link_attribute_get(
    enum pv_element element, enum pv_attribute_name attribute);

#endif
