#include "mirror/index/entry_writer.h"

#include <stdint.h>

#include "http/status.h"
#include "mirror/index/page_list.h"
#include "web/html_text.h"
#include "web/words.h"

/* What the lists may fill of a page. */
#define SEEDS_BYTES ((size_t)150000)
#define HOSTS_BYTES ((size_t)300000)

/* So many seeds are seen at once. */
#define SEEDS_SHOWN 8

/* Seeds */

static void put_fate(
    const struct pv_entry_writer *writer, const struct pv_entry_seed *seed)
{
	const struct pv_entry_fate *fate = &seed->fate;
	bool is_done = seed->last && fate->state == PV_STATE_DONE;
	if (!seed->last || fate->state < PV_STATE_DONE) {
		pv_entry_put(writer, "not requested yet");
	} else if (!is_done) {
		pv_entry_put(writer, "left out: ");
		pv_entry_put_text(writer, pv_reason_sentence(fate->reason));
	} else if (fate->outcome != PV_OUTCOME_ANSWERED) {
		pv_entry_put_text(writer, pv_outcome_sentence(fate->outcome));
	} else if (fate->http_status >= 400) {
		pv_entry_put_answer(writer, fate->http_status);
	} else if (pv_http_is_redirect((int)fate->http_status)) {
		pv_entry_put(writer, "moved (%u)", fate->http_status);
	} else if (seed->is_list) {
		pv_entry_put(writer, "a sitemap, which lists pages");
	} else {
		pv_entry_put(
		    writer, "answered %u, not stored", fate->http_status);
	}
}

/* Its page, by its title. */
static void put_title(const struct pv_entry_writer *writer, struct pv_str title,
    const struct pv_entry_address *page)
{
	pv_entry_begin_link(writer, page->file);
	pv_html_text_append(writer->page, title);
	pv_entry_put(writer, "</a><span class=\"via\">");
	pv_entry_put_shown(writer, page);
	pv_entry_put(writer, "</span>");
}

static void put_seed(
    const struct pv_entry_writer *writer, const struct pv_entry_seed *seed)
{
	const struct pv_entry_address *last =
	    seed->moved_to.url.len ? &seed->moved_to : &seed->address;
	pv_entry_put(writer, "<li>");
	if (seed->moved_to.url.len) {
		pv_entry_put_shown(writer, &seed->address);
		pv_entry_put(writer, " <span class=\"note\">moved to</span> ");
	}
	if (seed->title.len)
		put_title(writer, seed->title, last);
	else
		pv_entry_put_address(writer, last);
	if (!last->file.len) {
		pv_entry_put(writer, " <span class=\"note bad\">");
		put_fate(writer, seed);
		pv_entry_put(writer, "</span>");
	}
	pv_entry_put(writer, "</li>\n");
}

/* So that nobody has to scroll past them all. */
static void fold_seeds(const struct pv_entry_writer *writer)
{
	uint64_t folded = writer->facts->seeds.count - SEEDS_SHOWN +
			  writer->facts->seeds.left;
	pv_entry_put(writer,
	    "</ul>\n<details><summary>and <b>%s</b> more</summary>\n"
	    "<ul class=\"seeds\">\n",
	    pv_words_count(folded).text);
}

void pv_entry_part_seeds(const struct pv_entry_writer *writer)
{
	const struct pv_entry_facts *facts = writer->facts;
	size_t end = writer->page->len + SEEDS_BYTES;
	size_t i;
	if (!facts->seeds.count)
		return;
	pv_entry_put(
	    writer, "<section>\n<h2>Start here</h2>\n<ul class=\"seeds\">\n");
	for (i = 0; i < facts->seeds.count && writer->page->len < end; i++) {
		if (i == SEEDS_SHOWN)
			fold_seeds(writer);
		put_seed(writer, &facts->seeds.items[i]);
	}
	pv_entry_put(writer, "</ul>\n");
	uint64_t left = facts->seeds.left + (facts->seeds.count - i);
	if (facts->seeds.has_more)
		pv_entry_put(writer, "<p class=\"more\">and more</p>\n");
	else if (left)
		pv_entry_put_more(writer, left, false);
	pv_entry_put(writer, i > SEEDS_SHOWN ? "</details>\n" : "");
	pv_entry_put(writer, "</section>\n");
}

/* All pages */

void pv_entry_put_search(
    const struct pv_entry_writer *writer, const char *pages, const char *root)
{
	pv_entry_put(writer,
	    "<form class=\"search\" role=\"search\" hidden>\n"
	    "<label for=\"search\">Search the pages by title and address"
	    "</label>\n<input id=\"search\" type=\"search\" "
	    "autocomplete=\"off\" spellcheck=\"false\">\n"
	    "<p class=\"note\" role=\"status\"></p>\n<ul></ul>\n</form>\n"
	    "<script src=\"%ssearch.js\" data-pages=\"%s\" "
	    "data-root=\"%s\" defer></script>\n",
	    pages, pages, root);
}

void pv_entry_part_pages(const struct pv_entry_writer *writer)
{
	const struct pv_entry_list *list = &writer->facts->list;
	if (!list->count)
		return;
	pv_entry_put(writer, "<section>\n<h2>Pages</h2>\n");
	pv_entry_put_search(writer, PV_PAGE_LIST "/", "");
	pv_entry_put(writer,
	    "<p><a href=\"" PV_PAGE_LIST "/1.html\">List of %s%s page%s</a></p>"
	    "\n</section>\n",
	    list->has_more ? "the first " : "",
	    pv_words_count(list->count).text, list->count == 1 ? "" : "s");
}

/* Hosts */

static void put_host(
    const struct pv_entry_writer *writer, const struct pv_entry_host *host)
{
	pv_entry_put(writer, "<tr><td>");
	if (host->start.len)
		pv_entry_begin_link(writer, host->start);
	pv_html_text_append(writer->page, host->name);
	pv_entry_put(writer, "%s</td><td>%s</td><td>%s</td></tr>\n",
	    host->start.len ? "</a>" : "",
	    pv_words_count(
		writer->facts->has_pages ? host->pages : host->requests)
		.text,
	    pv_words_size(host->bytes).text);
}

void pv_entry_part_hosts(const struct pv_entry_writer *writer)
{
	const struct pv_entry_facts *facts = writer->facts;
	size_t end = writer->page->len + HOSTS_BYTES;
	size_t i;
	if (!facts->host_count)
		return;
	pv_entry_put(writer,
	    "<section>\n<h2>Hosts</h2>\n<div class=\"wide\"><table>\n<thead>"
	    "<tr><th>Host</th><th>%s</th><th>Received</th></tr></thead>\n"
	    "<tbody>\n",
	    facts->has_pages ? "Pages" : "Requests");
	for (i = 0; i < facts->host_count && writer->page->len < end; i++)
		put_host(writer, &facts->hosts[i]);
	pv_entry_put(writer, "</tbody>\n</table></div>\n");
	if (facts->host_total > i)
		pv_entry_put_more(writer, facts->host_total - i, false);
	pv_entry_put(writer, "</section>\n");
}

/* Pages that are empty without scripts */

void pv_entry_part_bare(const struct pv_entry_writer *writer)
{
	const struct pv_entry_facts *facts = writer->facts;
	uint64_t count = facts->bare_count;
	if (!facts->bare_listed)
		return;
	pv_entry_put(writer,
	    "<section>\n<h2>Empty without scripts</h2>\n<p>%s%s %s nothing "
	    "until a script has run, which from the disk may fail.</p>\n<ul>\n",
	    pv_words_count(count).text,
	    count == PV_ENTRY_COUNT_MAX ? " or more" : "",
	    count == 1 ? "page shows" : "pages show");
	for (size_t i = 0; i < facts->bare_listed; i++) {
		pv_entry_put(writer, "<li>");
		pv_entry_put_address(writer, &facts->bare[i]);
		pv_entry_put(writer, "</li>\n");
	}
	pv_entry_put(writer, "</ul>\n");
	if (count > facts->bare_listed)
		pv_entry_put_more(writer, count - facts->bare_listed, false);
	pv_entry_put(writer, "</section>\n");
}
