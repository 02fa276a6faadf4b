#ifndef PAVANE_PARSE_XML_BASE_H
#define PAVANE_PARSE_XML_BASE_H

#include "parse/xml.h"
#include "url/url.h"

/* What references in XML are relative to: the nearest xml:base, which is
 * itself relative to the one around it, and in the end to the address of the
 * document (https://www.w3.org/TR/xmlbase/).
 *
 * Only so many may stand within one another, and only so many references are
 * joined in a document, since a short one becomes as long as its base. */
#define PV_XML_BASES_MAX 8
#define PV_XML_JOINS_MAX 100000

struct pv_xml_base {
	const struct pv_url *address; /* the document's, who reads it owns */
	struct pv_url bases[PV_XML_BASES_MAX];
	unsigned depths[PV_XML_BASES_MAX];
	size_t count;
	size_t joins;
};

/* For bases of at most `ceiling` bytes. */
void pv_xml_base_init(
    struct pv_xml_base *base, const struct pv_url *address, size_t ceiling);
void pv_xml_base_finish(struct pv_xml_base *base);

/* An element begins, or ends. Where its base is no web address, nothing that
 * is relative leads anywhere. */
void pv_xml_base_enter(struct pv_xml_base *base, const struct pv_xml_tag *tag);
void pv_xml_base_leave(struct pv_xml_base *base, unsigned depth);

/* Fills in the address of a reference that stands here; false if it is not
 * valid, or too many were joined already. */
bool pv_xml_base_join(
    struct pv_xml_base *base, struct pv_str reference, struct pv_url *url);

#endif
