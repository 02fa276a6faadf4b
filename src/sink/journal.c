#include "sink/sink.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "http/feed_date.h"
#include "record/journal_name.h"
#include "sink/journal_line.h"
#include "sink/line_file.h"

/* The journal: a line for each request and each refusal, for programs
 * (sink/journal_line.h) and for the ledger of who was asked when.
 *
 * They go into a file that is appended to (sink/line_file.h). If the crawl is to
 * turn to a new one after some time, the time of a file is that of its first line,
 * so that it is known to whoever goes on with it.
 */
#define BEGINNING_BYTES 64

#define UNKNOWN INT64_MIN

struct journal {
	const char *directory;
	struct pv_line_file *file;
	uint64_t generation;
	char name[PV_JOURNAL_NAME_MAX];
	const char *names[2]; /* that, and NULL */

	int64_t turn_ms;       /* 0: never */
	int64_t first_wall_ms; /* of the file's lines; UNKNOWN: it has none */
	int64_t last_wall_ms;
};

static struct journal *journal_of(struct pv_sink *sink)
{
	return (struct journal *)sink;
}

static void close_journal(struct pv_sink *sink)
{
	struct journal *journal = journal_of(sink);
	if (!journal)
		return;
	pv_line_file_close(journal->file);
	free(journal);
}

static struct pv_line_file *open_file(
    const struct journal *journal, uint64_t generation, struct pv_why *why)
{
	char name[PV_JOURNAL_NAME_MAX];
	pv_journal_name_write(generation, name);
	return pv_line_file_open(journal->directory, name, why);
}

static void take_file(
    struct journal *journal, uint64_t generation, struct pv_line_file *file)
{
	pv_line_file_close(journal->file);
	journal->file = file;
	journal->generation = generation;
	pv_journal_name_write(generation, journal->name);
	journal->first_wall_ms = journal->last_wall_ms = UNKNOWN;
}

static struct pv_sink *open_journal(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	struct journal *journal = pv_alloc(sizeof(*journal));
	journal->directory = plan->directory;
	journal->turn_ms = plan->journal_turn_ms;
	journal->names[0] = journal->name;
	take_file(journal, plan->journal_generation,
	    open_file(journal, plan->journal_generation, why));
	if (journal->file)
		return (struct pv_sink *)journal;
	close_journal((struct pv_sink *)journal);
	return NULL;
}

/* The time stands first in a line. */
static int64_t read_first_time(const struct journal *journal)
{
	char bytes[BEGINNING_BYTES];
	int64_t wall_ms = UNKNOWN;
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", journal->directory, journal->name);
	int file = open(pv_buf_text(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t len = file >= 0 ? read(file, bytes, sizeof(bytes)) : 0;
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){bytes, len > 0 ? (size_t)len : 0});
	if (pv_reader_accept_str(&reader, PV_STR("{\"time\":\"")))
		pv_w3c_date_read(pv_reader_take_until(&reader, '"'), &wall_ms);
	if (file >= 0)
		close(file);
	pv_buf_finish(&path);
	return wall_ms;
}

static bool recover(
    struct pv_sink *sink, const uint64_t *lengths, struct pv_why *why)
{
	struct journal *journal = journal_of(sink);
	if (!pv_line_file_recover(journal->file, lengths[0], why))
		return false;
	if (lengths[0] && journal->turn_ms > 0)
		journal->first_wall_ms = read_first_time(journal);
	return true;
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
	struct journal *journal = journal_of(sink);
	int64_t wall_ms = entry->page->wall_ms;
	if (!entry->part->len)
		return true;
	if (journal->first_wall_ms == UNKNOWN)
		journal->first_wall_ms = wall_ms;
	if (journal->last_wall_ms < wall_ms)
		journal->last_wall_ms = wall_ms;
	return pv_line_file_append(journal->file, pv_buf_str(entry->part),
	    pv_journal_line_end(entry->is_final));
}

static bool sync_journal(struct pv_sink *sink, uint64_t *lengths)
{
	return pv_line_file_sync(journal_of(sink)->file, &lengths[0]);
}

static bool is_old(const struct journal *journal)
{
	return journal->turn_ms > 0 && journal->first_wall_ms != UNKNOWN &&
	       journal->last_wall_ms != UNKNOWN &&
	       journal->last_wall_ms - journal->first_wall_ms >=
		   journal->turn_ms;
}

/* What an end of the process has left of a next file that was never committed is
 * cut from it. If it cannot be made now, that is tried again behind the next
 * lines. */
static bool turn(struct pv_sink *sink)
{
	struct journal *journal = journal_of(sink);
	uint64_t next = journal->generation + 1;
	struct pv_why why;
	if (!is_old(journal))
		return false;
	pv_why_init(&why);
	struct pv_line_file *file = open_file(journal, next, &why);
	bool is_begun = file && pv_line_file_recover(file, 0, &why);
	if (is_begun)
		take_file(journal, next, file);
	else
		pv_line_file_close(file);
	pv_why_finish(&why);
	return is_begun;
}

static const char *const *files(const struct pv_sink *sink)
{
	return ((const struct journal *)sink)->names;
}

const struct pv_sink_kind pv_sink_journal = {
    .name = "journal",
    .files = files,
    .open = open_journal,
    .recover = recover,
    .prepare = prepare,
    .append = append,
    .sync = sync_journal,
    .turn = turn,
    .close = close_journal,
};
