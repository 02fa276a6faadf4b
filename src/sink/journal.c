#include "sink/sink.h"

#include "sink/journal_line.h"
#include "sink/line_file.h"

/* The journal: a line for each request and each refusal, for programs
 * (sink/journal_line.h) and for the ledger of who was asked when.
 * They go into a file that is appended to (sink/line_file.h).
 */
#define FILE_NAME "journal.jsonl"

static struct pv_sink *open_journal(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	return (struct pv_sink *)pv_line_file_open(
	    plan->directory, FILE_NAME, why);
}

static struct pv_line_file *file_of(struct pv_sink *sink)
{
	return (struct pv_line_file *)sink;
}

static void close_journal(struct pv_sink *sink)
{
	pv_line_file_close(file_of(sink));
}

static bool recover(
    struct pv_sink *sink, const uint64_t *lengths, struct pv_why *why)
{
	return pv_line_file_recover(file_of(sink), lengths[0], why);
}

static bool prepare(
    struct pv_sink *sink, struct pv_page *page, struct pv_buf *part)
{
	(void)sink;
	pv_page_digest(page);
	pv_buf_clear(part);
	if (pv_journal_line_write(page, part))
		return true;
	pv_page_fail(page, "the line for the journal is too long", 0);
	return false;
}

static bool append(struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	if (!entry->part->len)
		return true;
	return pv_line_file_append(file_of(sink), pv_buf_str(entry->part),
	    pv_journal_line_end(entry->is_final));
}

static bool sync_journal(struct pv_sink *sink, uint64_t *lengths)
{
	return pv_line_file_sync(file_of(sink), &lengths[0]);
}

static const char *const *files(const struct pv_sink *sink)
{
	static const char *const names[] = {FILE_NAME, NULL};
	(void)sink;
	return names;
}

const struct pv_sink_kind pv_sink_journal = {
    .name = "journal",
    .files = files,
    .open = open_journal,
    .recover = recover,
    .prepare = prepare,
    .append = append,
    .sync = sync_journal,
    .close = close_journal,
};
