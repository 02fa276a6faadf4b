#ifndef PAVANE_PARSE_XML_SPACE_H
#define PAVANE_PARSE_XML_SPACE_H

#include "base/str.h"

/* The namespaces of XML whose elements are anything to us. */
enum pv_xml_space {
	PV_SPACE_NONE,    /* in no namespace */
	PV_SPACE_SITEMAP, /* 0.9, and Google's 0.84 before it */
	PV_SPACE_RSS,     /* 0.90 and 1.0; 0.91, 0.92 and 2.0 are in none */
	PV_SPACE_RDF,
	PV_SPACE_ATOM,
	PV_SPACE_DC, /* Dublin Core, of which feeds take dates */
	PV_SPACE_XML,
	PV_SPACE_OTHER,
};

/* The namespace of that name. Whether it says http or https, and whether it
 * ends in a slash, is nothing that people write with care. */
enum pv_xml_space pv_xml_space_find(struct pv_str name);

#endif
