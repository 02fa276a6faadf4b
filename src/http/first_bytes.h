#ifndef PAVANE_HTTP_FIRST_BYTES_H
#define PAVANE_HTTP_FIRST_BYTES_H

#include "base/str.h"

/* The media type of a body that nobody has named, by its first bytes, as
 * browsers find it (https://mimesniff.spec.whatwg.org/, 7.1). Only the beginning
 * is looked at, some KiB at most.
 *
 * It differs where the bytes show more: what follows a comment or a mark of
 * UTF-8 counts, so that a drawing is no page; and XML is what its root is.
 * Where two bytes tell little, more are asked for.
 */

/* That of a picture, a font, an archive or the like, which is never text; empty
 * for all else. */
struct pv_str pv_first_bytes_signature(struct pv_str body);

/* The type of any body: "text/plain" or "application/octet-stream" of what is
 * nothing that is known, and empty of what begins as markup does, but not so
 * that it is known as which. */
struct pv_str pv_first_bytes_type(struct pv_str body);

#endif
