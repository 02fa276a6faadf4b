#ifndef PAVANE_MIRROR_KEPT_DOCUMENT_KIND_H
#define PAVANE_MIRROR_KEPT_DOCUMENT_KIND_H

#include "base/str.h"

/* Which files of a mirror have links that are rewritten, and how these are
 * found. The end of a name tells: it is what tells the browser that opens the
 * file, and it is still there when the server's answer is not. */
enum pv_document_kind {
	PV_DOCUMENT_NONE, /* an image, an archive, anything */
	PV_DOCUMENT_HTML,
	PV_DOCUMENT_XML, /* XHTML, and drawings */
	PV_DOCUMENT_SHEET,
};

enum pv_document_kind pv_document_kind_of(struct pv_str file);

/* What is longer is in memory at no time: it is kept as it came, and of its links
 * those are read that stand so far. */
#define PV_DOCUMENT_TEXT_MAX ((size_t)64 << 20)

#endif
