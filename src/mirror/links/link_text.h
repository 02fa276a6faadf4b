#ifndef PAVANE_MIRROR_LINKS_LINK_TEXT_H
#define PAVANE_MIRROR_LINKS_LINK_TEXT_H

#include "parse/links.h"

/* An address as it is written in the place of a link, with any quotes around
 * it, so that a reader of the document gets that address: with character
 * references, with the escapes of CSS, with both.
 *
 * The address is canonical, or a relative one of ours
 * (mirror/links/relative.h): of characters that mean something in these places
 * it has no spaces and no angle brackets.
 */
void pv_link_text_write(const struct pv_page_link *link, struct pv_str address,
    struct pv_buf *text);

#endif
