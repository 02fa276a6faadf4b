#include "mirror/index/entry_page.h"

#include "mirror/index/entry_parts.h"
#include "policy/policy.h"
#include "web/html_text.h"
#include "web/style.h"
#include "web/words.h"

/* The name */

/* The host of the first seed, or what was written there. */
static struct pv_str name_of_seed(const struct pv_entry_facts *facts)
{
	struct pv_str url = facts->seed_count ? facts->seeds[0].address.url
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

static void put_head(const struct pv_entry_writer *writer)
{
	pv_entry_put(writer, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			     "<meta charset=\"utf-8\">\n" PV_ENTRY_GENERATOR);
	pv_html_text_append(writer->page, pv_str_of(writer->plan->version));
	pv_entry_put(writer,
	    "\">\n<meta name=\"viewport\" content=\"width=device-width,"
	    " initial-scale=1\">\n<meta name=\"referrer\" "
	    "content=\"no-referrer\">\n<title>");
	pv_html_text_append(writer->page, name_of(writer));
	pv_entry_put(writer,
	    ": mirror</title>\n<style>\n" PV_ENTRY_STYLE
	    "</style>\n</head>\n<body>\n<header>\n<p class=\"kind\">"
	    "Mirror</p>\n<h1>");
	pv_html_text_append(writer->page, name_of(writer));
	pv_entry_put(writer, "</h1>\n");
}

/* How far it is */

static uint64_t left_of(const struct pv_entry_facts *facts)
{
	return facts->states[PV_STATE_PENDING] +
	       facts->states[PV_STATE_IN_FLIGHT];
}

static void put_complete(const struct pv_entry_writer *writer)
{
	pv_entry_put(
	    writer, writer->plan->lacks_seed
			? "<div class=\"state stopped\">\n<p>Complete since "
			: "<div class=\"state\">\n<p>Complete since ");
	pv_entry_words_time(writer->page, writer->facts->finished_wall_ms);
	if (writer->plan->lacks_seed)
		pv_entry_put(writer,
		    ", but not all that it was to begin at could be "
		    "had");
	pv_entry_put(writer, "</p>\n</div>\n");
}

static void put_stopped(const struct pv_entry_writer *writer)
{
	const char *reason = writer->plan->stopped_by;
	pv_entry_put(
	    writer, "<div class=\"state stopped\">\n<p>Not complete: stopped ");
	pv_entry_words_time(writer->page, writer->plan->now_wall_ms);
	if (*reason)
		pv_entry_put(writer, ": ");
	pv_html_text_append(writer->page, pv_str_of(reason));
	pv_entry_put(writer, ".</p>\n<p>");
	pv_entry_words_count(writer->page, left_of(writer->facts));
	pv_entry_put(writer,
	    left_of(writer->facts) == 1 ? " address is" : " addresses are");
	pv_entry_put(writer, " left. Go on with <code>pavane continue ");
	pv_entry_words_directory(writer->page, writer->plan->directory);
	pv_entry_put(writer, "</code></p>\n</div>\n");
}

static void put_change(
    const struct pv_entry_writer *writer, uint64_t count, const char *what)
{
	pv_entry_words_count(writer->page, count);
	pv_entry_put(writer, what);
}

static void put_update(const struct pv_entry_writer *writer)
{
	const struct pv_entry_update *update = &writer->facts->update;
	if (update->number < 2)
		return;
	pv_entry_put(writer, "<p class=\"note\">Last update, begun ");
	pv_entry_words_time(writer->page, update->began_wall_ms);
	pv_entry_put(writer, ": ");
	put_change(writer, update->added, " new, ");
	put_change(writer, update->changed, " changed, ");
	put_change(writer, update->gone, " gone, ");
	put_change(writer, update->same, " as before");
	if (update->failed)
		pv_entry_put(writer, ", ");
	if (update->failed)
		put_change(writer, update->failed,
		    " could not be had again, and are kept as they were");
	pv_entry_put(writer, ".</p>\n");
}

/* Figures */

static void begin_figure(const struct pv_entry_writer *writer, const char *name)
{
	pv_entry_put(writer, "<div><dt>");
	pv_entry_put(writer, name);
	pv_entry_put(writer, "</dt><dd>");
}

static void put_figure(
    const struct pv_entry_writer *writer, const char *name, uint64_t count)
{
	begin_figure(writer, name);
	pv_entry_words_count(writer->page, count);
	pv_entry_put(writer, "</dd></div>\n");
}

static void put_pages(const struct pv_entry_writer *writer)
{
	const struct pv_entry_facts *facts = writer->facts;
	bool is_first = facts->update.number == 1;
	if (is_first || facts->has_pages)
		put_figure(writer, "Pages",
		    is_first ? writer->plan->pages : facts->pages);
}

static void put_hosts(const struct pv_entry_writer *writer)
{
	uint64_t total = writer->facts->host_total;
	begin_figure(writer, total == 1 ? "Host" : "Hosts");
	pv_entry_words_count(writer->page, total);
	pv_entry_put(writer, total < PV_ENTRY_HOSTS_SEEN
				 ? "</dd></div>\n"
				 : " or more</dd></div>\n");
}

static void put_figures(const struct pv_entry_writer *writer)
{
	const struct pv_entry_facts *facts = writer->facts;
	uint64_t errors = pv_entry_facts_errors(facts);
	pv_entry_put(writer, "<dl>\n");
	put_pages(writer);
	begin_figure(writer, "Received");
	pv_entry_words_size(writer->page, facts->bytes);
	pv_entry_put(writer, "</dd></div>\n");
	put_hosts(writer);
	put_figure(writer, "Missing", errors);
	put_figure(writer, "Left out", facts->states[PV_STATE_REFUSED]);
	if (left_of(facts))
		put_figure(writer, "Still to come", left_of(facts));
	pv_entry_put(writer, "</dl>\n");
}

static void put_foot(const struct pv_entry_writer *writer)
{
	pv_entry_put(writer, "<footer>\n<p>Made by Pavane ");
	pv_html_text_append(writer->page, pv_str_of(writer->plan->version));
	pv_entry_put(writer, ", ");
	pv_entry_words_time(writer->page, writer->plan->now_wall_ms);
	pv_entry_put(writer,
	    ". All that was asked, and what came of it, stands line by "
	    "line in <a href=\"journal.jsonl\">journal.jsonl</a>; what "
	    "was wanted, in <a href=\"policy.yaml\">policy.yaml</a>."
	    "</p>\n</footer>\n</body>\n</html>\n");
}

void pv_entry_page_write(const struct pv_entry_plan *plan,
    const struct pv_entry_facts *facts, struct pv_buf *page)
{
	struct pv_entry_writer writer = {plan, facts, page};
	put_head(&writer);
	if (facts->finished_wall_ms)
		put_complete(&writer);
	else
		put_stopped(&writer);
	put_update(&writer);
	pv_entry_put(&writer, "</header>\n<main>\n");
	put_figures(&writer);
	pv_entry_part_seeds(&writer);
	pv_entry_part_errors(&writer);
	pv_entry_part_hosts(&writer);
	pv_entry_part_bare(&writer);
	pv_entry_part_refusals(&writer);
	pv_entry_put(&writer, "</main>\n");
	put_foot(&writer);
}
