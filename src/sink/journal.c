#include "sink/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sink/journal_line.h"

/* The journal: a line for each request and each refusal, for programs
 * (sink/journal_line.h) and for the ledger of who was asked when.
 *
 * Lines gather in memory and are written together. What could not be written
 * stays there and is written first the next time, so that a disk that was full
 * for a while breaks no line.
 */
#define FILE_NAME "journal.jsonl"
#define GATHERED ((size_t)256 * 1024)

struct journal {
	int file;
	struct pv_buf path;
	struct pv_buf lines; /* that are not written yet */
	uint64_t length;     /* of what is written */
};

static struct journal *journal_of(struct pv_sink *sink)
{
	return (struct journal *)sink;
}

static bool is_wanted(const struct pv_policy *policy)
{
	(void)policy;
	return true;
}

/* Opening */

static struct pv_place place_of(const struct journal *journal)
{
	return (struct pv_place){.file = pv_buf_text(&journal->path)};
}

static void close_journal(struct pv_sink *sink)
{
	struct journal *journal = journal_of(sink);
	if (!journal)
		return;
	if (journal->file >= 0)
		close(journal->file);
	pv_buf_finish(&journal->path);
	pv_buf_finish(&journal->lines);
	free(journal);
}

/* Only for its owner: addresses may tell what is nobody else's business. Who
 * opens a pipe is not to wait for its other end. */
static bool open_file(struct journal *journal, struct pv_why *why)
{
	struct stat status;
	journal->file = open(pv_buf_text(&journal->path),
	    O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
	    0600);
	if (journal->file < 0 || fstat(journal->file, &status) != 0) {
		pv_why_add(why, place_of(journal), PV_STR(""),
		    "cannot be opened: %s",
		    errno == ELOOP ? "it is a symbolic link" : strerror(errno));
		return false;
	}
	if (!S_ISREG(status.st_mode))
		pv_why_add(why, place_of(journal), PV_STR(""),
		    "is not a file that lines can be added to");
	return S_ISREG(status.st_mode);
}

static struct pv_sink *open_journal(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	struct journal *journal = pv_alloc(sizeof(*journal));
	struct pv_sink *sink = (struct pv_sink *)journal;
	pv_buf_init(&journal->path, SIZE_MAX);
	pv_buf_init(&journal->lines, SIZE_MAX);
	pv_buf_append_format(
	    &journal->path, "%s/%s", plan->directory, FILE_NAME);
	if (open_file(journal, why))
		return sink;
	close_journal(sink);
	return NULL;
}

/* Whether what was promised may still be there: all of it, and its last line
 * whole. */
static bool has_promised(const struct journal *journal, uint64_t length)
{
	struct stat status;
	char last = '\n';
	if (fstat(journal->file, &status) != 0 ||
	    (uint64_t)status.st_size < length)
		return false;
	if (length && pread(journal->file, &last, 1, (off_t)length - 1) != 1)
		return false;
	return last == '\n';
}

static bool recover(struct pv_sink *sink, uint64_t length, struct pv_why *why)
{
	struct journal *journal = journal_of(sink);
	if (!has_promised(journal, length)) {
		pv_why_add(why, place_of(journal), PV_STR(""),
		    "its first %" PRIu64 " bytes are not what was written: "
		    "somebody cut, changed or removed it; put it back, or "
		    "begin anew with --fresh",
		    length);
		return false;
	}
	if (ftruncate(journal->file, (off_t)length) != 0) {
		pv_why_add(why, place_of(journal), PV_STR(""),
		    "cannot be cut to what was committed: %s", strerror(errno));
		return false;
	}
	pv_buf_clear(&journal->lines);
	journal->length = length;
	return true;
}

/* Lines */

static bool prepare(struct pv_sink *sink, struct pv_page *page)
{
	(void)sink;
	if (!page->has_digest && page->text.len) {
		pv_digest(page->text, page->digest);
		page->has_digest = true;
	}
	pv_buf_clear(&page->line);
	if (pv_journal_line_write(page, &page->line))
		return true;
	snprintf(page->fault, sizeof(page->fault),
	    "the line of the journal would be too long");
	return false;
}

/* Takes out what was written. */
static void drop(struct pv_buf *lines, size_t len)
{
	if (!len)
		return;
	memmove(lines->ptr, lines->ptr + len, lines->len - len);
	pv_buf_cut(lines, lines->len - len);
}

static bool write_lines(struct journal *journal)
{
	struct pv_str left = pv_buf_str(&journal->lines);
	while (left.len) {
		ssize_t count = write(journal->file, left.ptr, left.len);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			break;
		left = pv_str_from(left, (size_t)count);
	}
	size_t done = journal->lines.len - left.len;
	journal->length += done;
	drop(&journal->lines, done);
	return !left.len;
}

static bool append(
    struct pv_sink *sink, const struct pv_page *page, bool is_final)
{
	struct journal *journal = journal_of(sink);
	if (journal->lines.len >= GATHERED && !write_lines(journal))
		return false;
	pv_buf_append(&journal->lines, pv_buf_str(&page->line));
	pv_buf_append(&journal->lines, pv_journal_line_end(is_final));
	return true;
}

static bool sync_journal(struct pv_sink *sink, uint64_t *length)
{
	struct journal *journal = journal_of(sink);
	if (!write_lines(journal) || fdatasync(journal->file) != 0)
		return false;
	*length = journal->length;
	return true;
}

const struct pv_sink_kind pv_sink_journal = {
    .name = "journal",
    .file = FILE_NAME,
    .is_wanted = is_wanted,
    .open = open_journal,
    .recover = recover,
    .prepare = prepare,
    .append = append,
    .sync = sync_journal,
    .close = close_journal,
};
