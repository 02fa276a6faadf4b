#ifndef PAVANE_MIRROR_LINKS_RELATIVE_H
#define PAVANE_MIRROR_LINKS_RELATIVE_H

#include "base/buf.h"

/* Links from one file of a mirror to another, as relative addresses.
 *
 * Files are named by their paths below the crawl's directory, such as
 * "site/a.example/b.html", or "gone/a.example/b.html" for what is gone. All but
 * letters, digits and a few marks is percent-encoded, so that such a link means
 * the same in every place of a document and in every encoding.
 */

/* Appends the address of a file in a document that is `from`. */
void pv_relative_write(
    struct pv_str from, struct pv_str to, struct pv_buf *address);

/* The way back: appends the file that an address in `from` leads to, whether or
 * not there is one. False, with nothing appended, for an address that is not
 * relative, has no path, or leads out of the mirror. */
bool pv_relative_read(
    struct pv_str from, struct pv_str address, struct pv_buf *file);

#endif
