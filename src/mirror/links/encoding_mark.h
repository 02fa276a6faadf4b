#ifndef PAVANE_MIRROR_LINKS_ENCODING_MARK_H
#define PAVANE_MIRROR_LINKS_ENCODING_MARK_H

#include "base/buf.h"
#include "mirror/files/extension.h"
#include "parse/charset.h"

/* What a document has to say of its encoding when the header that came with it
 * is gone: where nothing but that header told, or the document tells something
 * else, a mark is put in by which a browser finds it. For UTF-8 that is the
 * byte order mark; for others a meta element, a rule at the head of a sheet, or
 * what the declaration of an XML file says. */
struct pv_encoding_mark {
	char text[64]; /* "" where none is needed */
	size_t at;     /* where it is to stand ... */
	size_t end;    /* ... in the place of what stands up to here */
};

struct pv_encoding_mark pv_encoding_mark_for(struct pv_str document,
    enum pv_document_kind kind, const struct pv_charset *charset);

#endif
