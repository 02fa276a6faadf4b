#ifndef PAVANE_URL_IDNA_H
#define PAVANE_URL_IDNA_H

#include "base/buf.h"

/* Names beyond ASCII (ICU): what browsers make of them.
 *
 * Unicode UTS 46, non-transitional, with the lenient settings of the URL
 * Standard: hyphens may stand anywhere, labels may be empty or long. libidn2
 * would apply IDNA2008 on top, which refuses names that exist and that every
 * browser opens, such as those with a heart in them.
 */

/* Appends the ASCII form of a name that is UTF-8; false, with nothing
 * appended, if it has none or the ceiling is in the way. */
bool pv_idna_append(struct pv_buf *buf, struct pv_str name);

#endif
