#ifndef PAVANE_READING_BODY_KIND_H
#define PAVANE_READING_BODY_KIND_H

#include "reading/answer.h"

/* What an answer is read as, for the links in it. Its type tells
 * (reading/body_type.h), except where servers call too many things the same:
 * what is XML its root element tells; and markup without a type is a page. Of a
 * sitemap whatever it is called counts less than what is in it. */
enum pv_body_kind {
	PV_BODY_HTML,
	PV_BODY_XHTML,   /* the same, in XML */
	PV_BODY_DRAWING, /* SVG; XML, too */
	PV_BODY_SHEET,
	PV_BODY_SITEMAP,
	PV_BODY_FEED,
	PV_BODY_MANIFEST,
	PV_BODY_OTHER, /* nothing in it is looked at */
};

/* `type` is what the body is taken for (body_type.h). */
enum pv_body_kind pv_body_kind_of(
    const struct pv_answer *answer, struct pv_str type);

#endif
