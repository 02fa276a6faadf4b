#ifndef PAVANE_PARSE_XML_BOUND_H
#define PAVANE_PARSE_XML_BOUND_H

#include "base/str.h"

/* Where a document of XML becomes too dear to be read on.
 *
 * libxml2 compares the attributes of a tag with one another, each with each,
 * and cannot be stopped while it does. So a tag with more of them than anybody
 * has a use for ends the document before libxml2 sees it. */
#define PV_XML_ATTRIBUTES_MAX 256

/* Where the first such tag begins; PV_NOT_FOUND if there is none. */
size_t pv_xml_find_crowded(struct pv_str text);

#endif
