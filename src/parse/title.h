#ifndef PAVANE_PARSE_TITLE_H
#define PAVANE_PARSE_TITLE_H

#include "base/buf.h"

/* The title of a page, as one line in UTF-8.
 *
 * References are read and white space is collapsed. A character that controls
 * a terminal or changes how others are shown, such as a mark that turns the
 * direction of writing, becomes a space. A title that does not fit ends with
 * "…". It is text: where it is shown, it is still to be escaped.
 */

/* Appends the first title within the page, or within the beginning of one;
 * false if there is none, or nothing can be read in it. */
bool pv_title_read(struct pv_str page, struct pv_buf *title);

#endif
