#ifndef PAVANE_WEB_HTML_TEXT_H
#define PAVANE_WEB_HTML_TEXT_H

#include "base/buf.h"

/* Text from outside in a page of ours, where it stays text: between tags and
 * within attributes in double quotes.
 */

/* Appends it so that no browser takes any of it for markup; what no terminal
 * would obey is shown as base/visible does. */
void pv_html_text_append(struct pv_buf *page, struct pv_str text);

/* The same for an attribute that is to mean what it says, such as an address:
 * nothing is made visible. */
void pv_html_text_append_value(struct pv_buf *page, struct pv_str text);

/* Appends the name of a file below the page's directory as a reference to it:
 * whatever an address gives a meaning to is percent-encoded. */
void pv_html_text_append_file(struct pv_buf *page, struct pv_str file);

#endif
