#include "mirror/index/entry_writer.h"

#include "web/html_text.h"
#include "web/words.h"

/* So much of an address is shown. */
#define SHOWN_MAX 160

void pv_entry_put(const struct pv_entry_writer *writer, const char *html)
{
	pv_buf_append_text(writer->page, html);
}

void pv_entry_put_text(const struct pv_entry_writer *writer, const char *text)
{
	pv_html_text_append(writer->page, pv_str_of(text));
}

/* Addresses */

void pv_entry_put_shown(const struct pv_entry_writer *writer,
    const struct pv_entry_address *address)
{
	bool is_long = address->url.len > SHOWN_MAX;
	struct pv_str shown =
	    is_long ? pv_str_head(address->url, SHOWN_MAX) : address->url;
	pv_html_text_append(writer->page, shown);
	if (is_long || address->is_cut)
		pv_entry_put(writer, "…");
}

static bool is_web(struct pv_str url)
{
	return pv_str_starts(url, PV_STR("http://")) ||
	       pv_str_starts(url, PV_STR("https://"));
}

/* To where it is on the web. */
void pv_entry_put_remote(const struct pv_entry_writer *writer,
    const struct pv_entry_address *address)
{
	bool is_link = !address->is_cut && is_web(address->url);
	if (is_link) {
		pv_entry_put(writer, "<a class=\"away\" href=\"");
		pv_html_text_append_value(writer->page, address->url);
		pv_entry_put(writer, "\">");
	}
	pv_entry_put_shown(writer, address);
	if (is_link)
		pv_entry_put(writer, "</a>");
}

void pv_entry_begin_link(
    const struct pv_entry_writer *writer, struct pv_str file)
{
	pv_entry_put(writer, "<a href=\"");
	pv_html_text_append_file(writer->page, file);
	pv_entry_put(writer, "\">");
}

/* To the file that it is kept in; else to where it is on the web. */
void pv_entry_put_address(const struct pv_entry_writer *writer,
    const struct pv_entry_address *address)
{
	if (!address->file.len) {
		pv_entry_put_remote(writer, address);
		return;
	}
	pv_entry_begin_link(writer, address->file);
	pv_entry_put_shown(writer, address);
	pv_entry_put(writer, "</a>");
}

/* Behind a list: how many there are that it has not. */
void pv_entry_put_more(
    const struct pv_entry_writer *writer, uint64_t count, const char *command)
{
	pv_entry_put(writer, "<p class=\"more\">and ");
	pv_entry_words_count(writer->page, count);
	pv_entry_put(writer, " more");
	if (command) {
		pv_entry_put(writer, ": <code>pavane ");
		pv_entry_put(writer, command);
		pv_entry_put(writer, "</code>");
	}
	pv_entry_put(writer, "</p>\n");
}

void pv_entry_put_answer(const struct pv_entry_writer *writer, unsigned status)
{
	const char *words = pv_entry_words_status(status);
	pv_buf_append_format(
	    writer->page, "answered %u%s%s", status, *words ? ": " : "", words);
}
