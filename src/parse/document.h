#ifndef PAVANE_PARSE_DOCUMENT_H
#define PAVANE_PARSE_DOCUMENT_H

#include "parse/xml.h"

/* Which documents in XML are for us, by their root element: servers call all
 * of them the same, application/xml. */
enum pv_xml_document {
	PV_XML_OTHER, /* or no XML at all, or none that we read */
	PV_XML_SITEMAP,
	PV_XML_FEED,
};

/* By the root itself. RDF is a feed only where it declares RSS. */
enum pv_xml_document pv_xml_document_of(const struct pv_xml_tag *root);

/* Looks at the beginning of a file, some KiB at most. */
enum pv_xml_document pv_xml_sniff(struct pv_str file);

#endif
