#include "mirror/index/entry_writer.h"

#include <stdarg.h>

#include "policy/policy.h"
#include "web/html_text.h"
#include "web/style.h"
#include "web/words.h"

/* So much of an address is shown. */
#define SHOWN_MAX 160

void pv_entry_put(const struct pv_entry_writer *writer, const char *html, ...)
{
	va_list list;
	va_start(list, html);
	pv_buf_append_format_list(writer->page, html, list);
	va_end(list);
}

void pv_entry_put_text(const struct pv_entry_writer *writer, const char *text)
{
	pv_html_text_append(writer->page, pv_str_of(text));
}

void pv_entry_put_command(const struct pv_entry_writer *writer,
    const char *command, const char *option)
{
	pv_entry_put(writer, "<code>pavane %s ", command);
	pv_words_directory(writer->page, writer->plan->directory);
	pv_entry_put(writer, "%s</code>", option);
}

/* The name */

/* The host of the first seed, or what was written there. */
static struct pv_str name_of_seed(const struct pv_entry_facts *facts)
{
	struct pv_str url = facts->seeds.count
				? facts->seeds.items[0].address.url
				: PV_STR("a mirror");
	size_t scheme = pv_str_find(url, '/');
	if (scheme == PV_NOT_FOUND || scheme + 2 > url.len)
		return url;
	struct pv_str rest = pv_str_from(url, scheme + 2);
	size_t end = pv_str_find(rest, '/');
	return end == PV_NOT_FOUND ? rest : pv_str_head(rest, end);
}

static struct pv_str name_of(const struct pv_entry_writer *writer)
{
	const char *name = writer->plan->policy->name;
	return name && *name ? pv_str_of(name) : name_of_seed(writer->facts);
}

void pv_entry_put_name(const struct pv_entry_writer *writer)
{
	pv_html_text_append(writer->page, name_of(writer));
}

void pv_entry_put_head(const struct pv_entry_writer *writer, const char *what)
{
	pv_entry_put(writer, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			     "<meta charset=\"utf-8\">\n" PV_ENTRY_GENERATOR);
	pv_entry_put_text(writer, writer->plan->version);
	pv_entry_put(writer,
	    "\">\n<meta name=\"viewport\" content=\"width=device-width,"
	    " initial-scale=1\">\n<meta name=\"referrer\" "
	    "content=\"no-referrer\">\n<title>");
	pv_entry_put_name(writer);
	pv_entry_put(writer,
	    ": %s</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n",
	    what, PV_ENTRY_STYLE);
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

void pv_entry_put_more(
    const struct pv_entry_writer *writer, uint64_t count, bool are_links)
{
	pv_entry_put(writer, "<p class=\"more\">and %s more",
	    pv_words_count(count).text);
	if (are_links) {
		pv_entry_put(writer, ": ");
		pv_entry_put_command(writer, "links", " --broken");
	}
	pv_entry_put(writer, "</p>\n");
}

void pv_entry_put_answer(const struct pv_entry_writer *writer, unsigned status)
{
	const char *words = pv_words_status(status);
	pv_entry_put(
	    writer, "answered %u%s%s", status, *words ? ": " : "", words);
}
