#include "mirror/links/link_text.h"

#include "base/reader.h"

/* What ends an address in CSS, whether or not it is quoted. Six digits need
 * nothing behind them. */
static bool is_special_in_sheet(int byte)
{
	return byte == '\'' || byte == '"' || byte == '(' || byte == ')' ||
	       byte == '\\';
}

static bool is_plain_in_sheet(int byte)
{
	return !is_special_in_sheet(byte) && byte != '&';
}

/* An ampersand is written as a reference only where references are read. */
static void write_in_sheet(
    struct pv_str address, bool has_references, struct pv_buf *text)
{
	struct pv_reader reader = pv_reader_of(address);
	while (!pv_reader_is_end(&reader)) {
		pv_buf_append(
		    text, pv_reader_take_while(&reader, is_plain_in_sheet));
		int byte = pv_reader_next(&reader);
		if (byte == '&')
			pv_buf_append_text(
			    text, has_references ? "&amp;" : "&");
		else if (byte >= 0)
			pv_buf_append_format(text, "\\%06x", (unsigned)byte);
	}
}

static bool is_plain_in_attribute(int byte)
{
	return byte != '&' && byte != '\'' && byte != '"';
}

/* The address in a refresh may stand in quotes of its own, which a reference
 * ends as well as the character does. Double quotes are in names of hosts, if
 * at all. */
static void write_in_attribute(
    struct pv_str address, bool has_quotes, struct pv_buf *text)
{
	struct pv_reader reader = pv_reader_of(address);
	while (!pv_reader_is_end(&reader)) {
		pv_buf_append(
		    text, pv_reader_take_while(&reader, is_plain_in_attribute));
		int byte = pv_reader_next(&reader);
		if (byte == '&')
			pv_buf_append_text(text, "&amp;");
		else if (byte >= 0)
			pv_buf_append_format(text,
			    has_quotes ? "%%%02X" : "&#%u;", (unsigned)byte);
	}
}

/* A comma at its end is none of the address there. */
static void write_in_set(struct pv_str address, struct pv_buf *text)
{
	bool has_comma = pv_str_ends(address, PV_STR(","));
	size_t len = address.len - (has_comma ? 1 : 0);
	write_in_attribute(pv_str_head(address, len), false, text);
	if (has_comma)
		pv_buf_append_text(text, "%2C");
}

static void write_once(
    const struct pv_page_link *link, struct pv_str address, struct pv_buf *text)
{
	if (link->form != PV_FORM_ATTRIBUTE)
		write_in_sheet(address, link->form == PV_FORM_STYLE, text);
	else if (link->place->reading == PV_READ_SRCSET)
		write_in_set(address, text);
	else if (link->place->reading == PV_READ_REFRESH)
		write_in_attribute(address, true, text);
	else
		write_in_attribute(address, false, text);
}

void pv_link_text_write(
    const struct pv_page_link *link, struct pv_str address, struct pv_buf *text)
{
	struct pv_buf inlaid;
	if (!link->is_inlaid) {
		write_once(link, address, text);
		return;
	}
	pv_buf_init(&inlaid, SIZE_MAX);
	write_once(link, address, &inlaid);
	write_in_attribute(pv_buf_str(&inlaid), false, text);
	pv_buf_finish(&inlaid);
}
