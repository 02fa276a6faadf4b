#include "sink/sink.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sink/change_line.h"
#include "sink/line_file.h"

/* The report of changes: a line for each address of which an update has found
 * something out (sink/change_line.h). What could not be fetched again has none,
 * and of a crawl's first round there is no report. */
#define FILE_NAME "changes.jsonl"

/* Longer than any address that is taken. */
#define LINE_MAX_BYTES ((size_t)1 << 20)

struct changes {
	struct pv_line_file *file;
	struct pv_buf line;
	uint64_t round;
};

static struct changes *changes_of(struct pv_sink *sink)
{
	return (struct changes *)sink;
}

static bool is_wanted(const struct pv_sink_plan *plan)
{
	return plan->round > 1;
}

static void close_changes(struct pv_sink *sink)
{
	struct changes *changes = changes_of(sink);
	if (!changes)
		return;
	pv_line_file_close(changes->file);
	pv_buf_finish(&changes->line);
	free(changes);
}

static struct pv_sink *open_changes(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	struct changes *changes = pv_alloc(sizeof(*changes));
	changes->round = plan->round;
	changes->file = pv_line_file_open(plan->directory, FILE_NAME, why);
	pv_buf_init(&changes->line, LINE_MAX_BYTES);
	if (changes->file)
		return (struct pv_sink *)changes;
	close_changes((struct pv_sink *)changes);
	return NULL;
}

static bool recover(
    struct pv_sink *sink, const uint64_t *lengths, struct pv_why *why)
{
	return pv_line_file_recover(changes_of(sink)->file, lengths[0], why);
}

static bool is_told(enum pv_change change)
{
	return change != PV_CHANGE_NONE && change != PV_CHANGE_FAILED;
}

/* What to write is known only when the entry is appended. */
static bool append(struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	struct changes *changes = changes_of(sink);
	if (!entry->is_final || !is_told(entry->page->change))
		return true;
	pv_buf_clear(&changes->line);
	pv_change_line_write(entry->page, changes->round, &changes->line);
	return pv_line_file_append(
	    changes->file, pv_buf_str(&changes->line), PV_STR("}\n"));
}

static bool sync_changes(struct pv_sink *sink, uint64_t *lengths)
{
	return pv_line_file_sync(changes_of(sink)->file, &lengths[0]);
}

static const char *const *files(const struct pv_sink *sink)
{
	static const char *const names[] = {FILE_NAME, NULL};
	(void)sink;
	return names;
}

const struct pv_sink_kind pv_sink_changes = {
    .name = "report of changes",
    .files = files,
    .is_wanted = is_wanted,
    .open = open_changes,
    .recover = recover,
    .append = append,
    .sync = sync_changes,
    .close = close_changes,
};
