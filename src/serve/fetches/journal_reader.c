#include "serve/fetches/journal_reader.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "http/feed_date.h"
#include "serve/jobs/result_lengths.h"

#define JOURNAL "journal.jsonl"
#define PIECE_BYTES ((uint64_t)64 << 10)
#define LINE_BYTES_MAX ((size_t)64 << 20)

/* An address without its fragment. */
static struct pv_str without_fragment(struct pv_str url)
{
	size_t end = pv_str_find(url, '#');
	return end == PV_NOT_FOUND ? url : pv_str_head(url, end);
}

bool pv_journal_word_read(struct pv_str line, pv_journal_word_fn fn, void *ctx)
{
	struct pv_json *said = pv_json_read(line);
	struct pv_str moved_to = pv_json_get_text(said, "moved_to");
	struct pv_journal_word word = {
	    .url = pv_json_get_text(said, "url"),
	    .answer = {.line = line,
		.moved_to =
		    moved_to.len ? without_fragment(moved_to) : PV_STR("")},
	    .is_refused = pv_str_equal(
		pv_json_get_text(said, "outcome"), PV_STR("refused")),
	};
	bool is_last = word.url.len && !pv_json_get_bool(said, "robots") &&
		       !pv_json_get_bool(said, "probe") &&
		       (word.is_refused || pv_json_get_bool(said, "final")) &&
		       pv_w3c_date_read(pv_json_get_text(said, "time"),
			   &word.answer.time_ms);
	if (is_last)
		fn(ctx, &word);
	pv_json_destroy(said);
	return is_last;
}

/* At least one whole line. */
static void read_piece(
    int file, uint64_t offset, uint64_t left, struct pv_buf *text)
{
	uint64_t wanted = left < PIECE_BYTES ? left : PIECE_BYTES;
	for (;;) {
		char *room = pv_buf_reserve(text, (size_t)wanted - text->len);
		ssize_t got =
		    room ? pread(file, room, (size_t)wanted - text->len,
			       (off_t)(offset + text->len))
			 : -1;
		if (got <= 0)
			return;
		text->len += (size_t)got;
		if (text->len < wanted)
			continue;
		if (wanted == left || memchr(text->ptr, '\n', text->len))
			return;
		wanted = wanted * 2 < left ? wanted * 2 : left;
	}
}

bool pv_journal_reader_has_more(const char *directory, uint64_t offset)
{
	return pv_result_length_now(directory, JOURNAL) > offset;
}

bool pv_journal_reader_read(
    const char *directory, uint64_t *offset, pv_journal_word_fn fn, void *ctx)
{
	struct pv_buf path, text;
	uint64_t length = pv_result_length_now(directory, JOURNAL);
	uint64_t before = *offset;
	if (length <= *offset)
		return false;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_init(&text, LINE_BYTES_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, JOURNAL);
	int file = open(pv_buf_text(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file >= 0) {
		read_piece(file, *offset, length - *offset, &text);
		close(file);
	}
	struct pv_str rest = pv_buf_str(&text);
	size_t end;
	while ((end = pv_str_find(rest, '\n')) != PV_NOT_FOUND) {
		pv_journal_word_read(pv_str_head(rest, end), fn, ctx);
		*offset += end + 1;
		rest = pv_str_from(rest, end + 1);
	}
	pv_buf_finish(&text);
	pv_buf_finish(&path);
	return *offset > before;
}
