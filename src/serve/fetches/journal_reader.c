#include "serve/fetches/journal_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "http/feed_date.h"
#include "serve/jobs/journal_end.h"

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

/* Gives the lines of what was read. */
static void give(struct pv_str text, struct pv_journal_place *place,
    pv_journal_word_fn fn, void *ctx)
{
	size_t end;
	while ((end = pv_str_find(text, '\n')) != PV_NOT_FOUND) {
		pv_journal_word_read(pv_str_head(text, end), fn, ctx);
		place->offset += end + 1;
		text = pv_str_from(text, end + 1);
	}
}

/* False if the file is not there any more. */
static bool read_file(const char *directory, struct pv_journal_place *place,
    uint64_t length, pv_journal_word_fn fn, void *ctx)
{
	struct pv_buf path, text;
	char name[PV_JOURNAL_NAME_MAX];
	pv_journal_name_write(place->generation, name);
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_init(&text, LINE_BYTES_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, name);
	int file = open(pv_buf_text(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool is_there = file >= 0 || errno != ENOENT;
	if (file >= 0) {
		read_piece(file, place->offset, length - place->offset, &text);
		close(file);
		give(pv_buf_str(&text), place, fn, ctx);
	}
	pv_buf_finish(&text);
	pv_buf_finish(&path);
	return is_there;
}

bool pv_journal_reader_has_more(
    const char *directory, const struct pv_journal_place *place)
{
	struct pv_journal_end end;
	return pv_journal_end_now(directory, place->generation, &end) &&
	       (place->offset < end.length || end.has_next);
}

bool pv_journal_reader_read(const char *directory,
    struct pv_journal_place *place, pv_journal_word_fn fn, void *ctx)
{
	struct pv_journal_end end;
	uint64_t before = place->offset;
	if (!pv_journal_end_now(directory, place->generation, &end))
		return false;
	if (place->offset < end.length &&
	    read_file(directory, place, end.length, fn, ctx))
		return place->offset > before;
	if (end.has_next)
		*place = (struct pv_journal_place){.generation = end.next};
	return end.has_next;
}
