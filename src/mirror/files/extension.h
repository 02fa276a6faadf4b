#ifndef PAVANE_MIRROR_FILES_EXTENSION_H
#define PAVANE_MIRROR_FILES_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* The ends of file names, and the media types that go with them.
 *
 * The list is fixed, so that a name is the same today and tomorrow. It holds
 * what programs on people's machines know to open; what only a server knows,
 * such as php or cgi, is not in it: the media type says what such an address
 * gives.
 */
#define PV_EXTENSION_LEN_MAX 11

/* Whether an end, without its dot and in whatever case, is in the list. */
bool pv_extension_is_known(struct pv_str extension);

/* The one for a Content-Type: "html" also where there is none, and "bin" for
 * types that nobody knows. */
const char *pv_extension_for(struct pv_str content_type);

/* Whether what has that Content-Type may be called so, with an end of the list:
 * a browser takes a file for what its end says. Only pages must be called
 * pages, and what is certainly none must not; of all else, and of what has no
 * type, the address knows best. */
bool pv_extension_suits(struct pv_str extension, struct pv_str content_type);

/* Each of the list, by its number; NULL past the last. */
const char *pv_extension_at(size_t number);

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

/* What is longer is in memory at no time: it is kept as it came, and of its
 * links those are read that stand so far. */
#define PV_DOCUMENT_TEXT_MAX ((size_t)64 << 20)

#endif
