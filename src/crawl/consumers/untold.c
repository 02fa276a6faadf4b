#include "crawl/consumers/untold.h"

#include "crawl/conductor.h"
#include "crawl/consumers/consumers.h"
#include "reading/program/program.h"
#include "store/tables/note.h"
#include "store/tables/untold_table.h"

#define NOTE PV_STR("last-page-number")

static bool is_wanted(const struct pv_sink_plan *plan)
{
	return plan->untold && plan->untold->program;
}

static struct pv_sink *open_untold(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	(void)why;
	return (struct pv_sink *)plan->untold;
}

/* A robots.txt, or a probe, is no page. */
static bool append(struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	struct pv_untold *untold = (struct pv_untold *)sink;
	const struct pv_page *page = entry->page;
	if (!entry->record || page->is_robots || page->is_probe)
		return true;
	*entry->number = ++untold->last;
	pv_untold_table_add(
	    entry->database, untold->last, page->visit->id, entry->is_final);
	return true;
}

static void keep(struct pv_untold *untold, struct pv_database *database)
{
	uint64_t told = atomic_load(&untold->told);
	if (untold->forgotten < told)
		pv_untold_table_forget(database, told);
	if (untold->kept < untold->last)
		pv_note_set(database, NOTE, (int64_t)untold->last);
	untold->forgotten = told;
	untold->kept = untold->last;
}

static void keep_before_commit(void *ctx, struct pv_database *database)
{
	keep(ctx, database);
}

static void close_nothing(struct pv_sink *sink)
{
	(void)sink;
}

const struct pv_sink_kind pv_consumer_untold = {
    .name = "pages that the program has not heard of",
    .is_wanted = is_wanted,
    .open = open_untold,
    .append = append,
    .close = close_nothing,
};

void pv_untold_open(struct pv_crawl *crawl)
{
	struct pv_untold *untold = &crawl->run.untold;
	if (!untold->program)
		return;
	untold->last = (uint64_t)pv_note_get(crawl->store->database, NOTE, 0);
	untold->kept = untold->last;
	pv_writer_before_commit(
	    &crawl->store->writer, keep_before_commit, untold);
}

static void tell(struct pv_untold *untold, uint64_t number, const char *address,
    bool is_final)
{
	const struct pavane_committed committed = {
	    .number = number, .address = address, .is_final = is_final};
	const struct pv_program *program = untold->program;
	program->events.on_committed(program->ctx, &committed);
	atomic_store(&untold->told, number);
}

void pv_untold_tell_left(struct pv_crawl *crawl)
{
	struct pv_untold *untold = &crawl->run.untold;
	struct pv_buf url;
	bool is_final;
	uint64_t number = 0;
	if (!untold->program)
		return;
	pv_buf_init(&url, SIZE_MAX);
	while ((number = pv_untold_table_next(
		    crawl->store->database, number, &url, &is_final))) {
		tell(untold, number, pv_buf_text(&url), is_final);
		pv_buf_clear(&url);
	}
	pv_buf_finish(&url);
}

void pv_untold_tell(struct pv_crawl *crawl, const struct pv_record *record)
{
	struct pv_buf url;
	if (!record->number)
		return;
	pv_buf_init(&url, SIZE_MAX);
	pv_buf_append(&url, record->url);
	tell(&crawl->run.untold, record->number, pv_buf_text(&url),
	    record->report.is_final);
	pv_buf_finish(&url);
}

void pv_untold_close(struct pv_crawl *crawl)
{
	struct pv_untold *untold = &crawl->run.untold;
	if (untold->program && crawl->store)
		keep(untold, crawl->store->database);
}
