#include "serve/fetches/row_hearing.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "store/state_look.h"
#include "store/tables/length.h"

#define FOLDER PV_STR("fields/")
#define ENDING PV_STR(".jsonl")
#define PROBLEMS PV_STR("fields/problems.jsonl")
#define PIECE_BYTES ((size_t)64 << 10)
#define LINE_BYTES_MAX ((size_t)64 << 20)

struct row_hearing {
	const struct pv_fetch_rows *rows;
	const struct pv_standing *standing;
};

bool pv_row_hearing_parse(struct pv_str line, struct pv_fetch_row *row,
    bool *is_gone, struct pv_json **json)
{
	*json = pv_json_read(line);
	row->url = pv_json_get_text(*json, "_url");
	row->item = pv_json_get_integer(*json, "_item", 0);
	row->line = line;
	*is_gone =
	    pv_str_equal(pv_json_get_text(*json, "_change"), PV_STR("gone"));
	return row->url.len;
}

static void hear(
    const struct row_hearing *hearing, struct pv_str file, struct pv_str line)
{
	struct pv_fetch_row row = {
	    .profile = hearing->standing->profile, .file = file};
	struct pv_json *json;
	bool is_gone;
	bool is_row = pv_row_hearing_parse(line, &row, &is_gone, &json);
	if (is_row && is_gone)
		pv_fetch_rows_remove(hearing->rows, &row);
	else if (is_row)
		pv_fetch_rows_set(hearing->rows, &row);
	pv_json_destroy(json);
}

/* All whole lines that are read; how many bytes they take. */
static size_t hear_lines(
    const struct row_hearing *hearing, struct pv_str name, struct pv_str text)
{
	size_t taken = 0, end;
	while ((end = pv_str_find(pv_str_from(text, taken), '\n')) !=
	       PV_NOT_FOUND) {
		hear(hearing, name, pv_str_head(pv_str_from(text, taken), end));
		taken += end + 1;
	}
	return taken;
}

/* Up to that length, of which the last byte ends a line; where it was read to. */
static uint64_t read_lines(const struct row_hearing *hearing,
    struct pv_str name, int file, uint64_t offset, uint64_t length)
{
	struct pv_buf text;
	pv_buf_init(&text, LINE_BYTES_MAX);
	while (offset + text.len < length) {
		uint64_t left = length - offset - text.len;
		size_t wanted = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
		char *room = pv_buf_reserve(&text, wanted);
		ssize_t got =
		    room ? pread(file, room, wanted, (off_t)(offset + text.len))
			 : -1;
		if (got <= 0)
			break;
		text.len += (size_t)got;
		size_t taken = hear_lines(hearing, name, pv_buf_str(&text));
		memmove(text.ptr, text.ptr + taken, text.len - taken);
		pv_buf_cut(&text, text.len - taken);
		offset += taken;
	}
	pv_buf_finish(&text);
	return offset;
}

static bool hear_file(void *ctx, struct pv_str name, uint64_t length)
{
	const struct row_hearing *hearing = ctx;
	const struct pv_standing *standing = hearing->standing;
	if (!pv_str_ends(name, ENDING) || pv_str_equal(name, PROBLEMS))
		return true;
	uint64_t offset =
	    pv_fetch_rows_get_offset(hearing->rows, standing->profile, name);
	if (offset >= length)
		return true;
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%.*s",
	    pv_buf_text(&standing->directory), PV_STR_ARG(name));
	int file = open(pv_buf_text(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file >= 0) {
		offset = read_lines(hearing, name, file, offset, length);
		pv_fetch_rows_set_offset(
		    hearing->rows, standing->profile, name, offset);
		close(file);
	}
	pv_buf_finish(&path);
	return true;
}

void pv_row_hearing_read(
    struct pv_fetches *fetches, const struct pv_standing *standing)
{
	struct row_hearing hearing = {
	    pv_fetch_store_rows(fetches->store), standing};
	struct pv_why why;
	if (!standing->has_pages)
		return;
	pv_why_init(&why);
	struct pv_database *look =
	    pv_state_look(pv_buf_text(&standing->directory), &why);
	if (look)
		pv_lengths_each(look, FOLDER, hear_file, &hearing);
	pv_database_close(look);
	pv_why_finish(&why);
}
