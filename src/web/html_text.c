#include "web/html_text.h"

#include <stdint.h>

#include "base/ascii.h"
#include "base/visible.h"

void pv_html_text_append_value(struct pv_buf *page, struct pv_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		switch (text.ptr[i]) {
		case '&':
			pv_buf_append_text(page, "&amp;");
			break;
		case '<':
			pv_buf_append_text(page, "&lt;");
			break;
		case '>':
			pv_buf_append_text(page, "&gt;");
			break;
		case '"':
			pv_buf_append_text(page, "&quot;");
			break;
		case '\'':
			pv_buf_append_text(page, "&#39;");
			break;
		default:
			pv_buf_append_char(page, text.ptr[i]);
		}
	}
}

void pv_html_text_append(struct pv_buf *page, struct pv_str text)
{
	struct pv_buf visible;
	pv_buf_init(&visible, SIZE_MAX);
	pv_visible_append(&visible, text);
	pv_html_text_append_value(page, pv_buf_str(&visible));
	pv_buf_finish(&visible);
}

/* RFC 3986, 2.3, and the slash between components. */
static bool is_plain(int byte)
{
	return pv_is_alpha(byte) || pv_is_digit(byte) || byte == '-' ||
	       byte == '.' || byte == '_' || byte == '~' || byte == '/';
}

void pv_html_text_append_file(struct pv_buf *page, struct pv_str file)
{
	for (size_t i = 0; i < file.len; i++) {
		unsigned char byte = (unsigned char)file.ptr[i];
		if (is_plain(byte))
			pv_buf_append_char(page, (char)byte);
		else
			pv_buf_append_format(page, "%%%02X", (unsigned)byte);
	}
}
