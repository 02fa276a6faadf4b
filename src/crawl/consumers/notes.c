#include "crawl/consumers/consumers.h"
#include "crawl/run/seed_redirect.h"
#include "crawl/shard/sharing.h"
#include "crawl/visit/record.h"
#include "reading/findings.h"
#include "reading/program/program.h"
#include "reading/vouchers.h"
#include "store/tables/page_marks.h"
#include "store/tables/robots_table.h"

/* Consumers that note single facts, and have nothing of their own. */

static struct pv_sink *open_database(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	(void)why;
	return (struct pv_sink *)plan->database;
}

static void close_nothing(struct pv_sink *sink)
{
	(void)sink;
}

/* The copy of a robots.txt, and what is known of its authority. */
static bool append_robots(
    struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	const struct pv_record *record = entry->record;
	(void)sink;
	if (record && record->robots.is_there)
		pv_robots_table_set(entry->database, record->robots_authority,
		    &record->robots,
		    record->robots.has_copy ? &record->findings->robots.text
					    : NULL);
	return true;
}

const struct pv_sink_kind pv_consumer_robots = {
    .name = "copies of robots.txt",
    .open = open_database,
    .append = append_robots,
    .close = close_nothing,
};

/* For which sitemaps hosts vouch. */
static struct pv_sink *open_vouchers(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	(void)why;
	return (struct pv_sink *)plan->vouchers;
}

static bool append_vouchers(
    struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	if (entry->record && entry->record->findings->links.has_vouched)
		pv_vouchers_keep((struct pv_vouchers *)sink, entry->database);
	return true;
}

const struct pv_sink_kind pv_consumer_vouchers = {
    .name = "vouchers",
    .open = open_vouchers,
    .append = append_vouchers,
    .close = close_nothing,
};

/* Pages that show nothing without scripts. Of what was not bare before nothing
 * is noted. */
static bool append_bare(struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	const struct pv_record *record = entry->record;
	(void)sink;
	if (!record)
		return true;
	bool is_bare = record->findings->is_bare;
	if (is_bare || (entry->page->is_kept && record->is_in_update))
		pv_page_marks_set_bare(
		    entry->database, entry->page->visit->id, is_bare);
	return true;
}

const struct pv_sink_kind pv_consumer_bare_pages = {
    .name = "bare pages",
    .open = open_database,
    .append = append_bare,
    .close = close_nothing,
};

/* Where seeds were redirected to: that belongs to the scope. */
static bool append_seed_redirect(
    struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	const struct pv_record *record = entry->record;
	(void)sink;
	if (!record || !record->findings->redirect.seed_redirect.len)
		return true;
	pv_seed_redirect_keep(entry->database,
	    pv_buf_str(&record->findings->redirect.seed_redirect));
	pv_sharing_tell_redirect(record, entry->database);
	return true;
}

const struct pv_sink_kind pv_consumer_seed_redirects = {
    .name = "redirects of seeds",
    .open = open_database,
    .append = append_seed_redirect,
    .close = close_nothing,
};

/* What is refused, for the program that runs the crawl. What was refused as it
 * was found has a second line at the end, which is no news. */
static bool wants_refused(const struct pv_sink_plan *plan)
{
	return plan->program && plan->program->events.on_refused;
}

static struct pv_sink *open_refused(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	(void)why;
	return (struct pv_sink *)plan->program;
}

static bool append_refused(
    struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	const struct pv_program *program = (struct pv_program *)sink;
	const struct pv_page *page = entry->page;
	const struct pv_reason_row *reason =
	    pv_reason_get(page->verdict.reason);
	struct pv_buf address, via;
	if (page->verdict.reason == PV_REASON_NONE ||
	    (entry->is_final && !entry->record))
		return true;
	pv_buf_init(&address, SIZE_MAX);
	pv_buf_init(&via, SIZE_MAX);
	pv_buf_append(&address, page->visit->url);
	pv_buf_append(&via, page->visit->via);
	const struct pavane_refused refused = {
	    .address = pv_buf_text(&address),
	    .via = pv_buf_text(&via),
	    .reason = page->word ? page->word : reason->word,
	    .sentence = page->word ? page->why : reason->sentence,
	    .line = page->word ? 0 : page->verdict.line,
	};
	program->events.on_refused(program->ctx, &refused);
	pv_buf_finish(&address);
	pv_buf_finish(&via);
	return true;
}

const struct pv_sink_kind pv_consumer_refused = {
    .name = "refusals for the program",
    .is_wanted = wants_refused,
    .open = open_refused,
    .append = append_refused,
    .close = close_nothing,
};
