#ifndef PAVANE_PARSE_DOCUMENT_H
#define PAVANE_PARSE_DOCUMENT_H

#include "base/str.h"

/* Which documents in XML are for us, by their root element: servers call all
 * of them the same, application/xml. */
enum pv_xml_document {
	PV_XML_OTHER, /* or no XML at all, or none that we read */
	PV_XML_SITEMAP,
	PV_XML_FEED,
};

/* Looks at the beginning of a file. */
enum pv_xml_document pv_xml_sniff(struct pv_str file);

#endif
