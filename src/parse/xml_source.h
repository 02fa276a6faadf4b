#ifndef PAVANE_PARSE_XML_SOURCE_H
#define PAVANE_PARSE_XML_SOURCE_H

#include "base/buf.h"

/* A document of XML as libxml2 is given it: in UTF-8, whatever it came in
 * (libxml2 knows few of the web's encodings, and takes the rest of a document
 * for ISO-8859-1 where one byte is not UTF-8). A byte that means nothing
 * becomes what libxml2 finds damaged, or U+FFFD. */
struct pv_xml_source {
	struct pv_str text; /* a piece of the file, or what was made of it */
	bool is_cut;        /* there is more than PV_XML_BYTES_MAX of it */
	struct pv_buf converted;
};

/* `charset` is what a header named, or empty. The file outlives it. */
void pv_xml_source_init(
    struct pv_xml_source *source, struct pv_str file, struct pv_str charset);
void pv_xml_source_finish(struct pv_xml_source *source);

/* A text in UTF-8 without what stands before its first byte: white space, and
 * byte order marks, of which joined files have several. Nothing may stand
 * before an XML declaration, and often an empty line does. */
struct pv_str pv_xml_without_start(struct pv_str text);

/* Where a document of XML becomes too dear to be read on.
 *
 * libxml2 compares the attributes of a tag with one another, each with each,
 * and cannot be stopped while it does. So a tag with more of them than anybody
 * has a use for ends the document before libxml2 sees it. */
#define PV_XML_ATTRIBUTES_MAX 256

/* Where the first such tag begins; PV_NOT_FOUND if there is none. */
size_t pv_xml_find_crowded(struct pv_str text);

#endif
