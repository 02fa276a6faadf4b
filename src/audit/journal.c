#include "audit/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define PIECE ((size_t)256 * 1024)

/* No line that was written is longer (record/page.c). */
#define LINE_MAX_BYTES ((size_t)2 * 1024 * 1024)

struct reading {
	const char *path;
	int file;
	uint64_t left; /* of what is committed */
	struct pv_buf text;
	int64_t number; /* of the line to come */
	pv_audit_line_fn on_line;
	void *ctx;
	struct pv_why *why;
};

static bool fail(const struct reading *reading, const char *text)
{
	pv_why_add(reading->why,
	    (struct pv_place){
		.file = reading->path, .line = (uint32_t)reading->number},
	    PV_STR(""), "%s", text);
	return false;
}

static bool tell_lines(struct reading *reading)
{
	struct pv_str left = pv_buf_str(&reading->text);
	size_t end;
	while ((end = pv_str_find(left, '\n')) != PV_NOT_FOUND) {
		if (!reading->on_line(reading->ctx, reading->number,
			pv_str_head(left, end), reading->why))
			return false;
		reading->number++;
		left = pv_str_from(left, end + 1);
	}
	if (left.len > LINE_MAX_BYTES)
		return fail(
		    reading, "this line is longer than any line of a journal");
	if (left.len)
		memmove(reading->text.ptr, left.ptr, left.len);
	pv_buf_cut(&reading->text, left.len);
	return true;
}

static bool read_piece(struct reading *reading)
{
	size_t wanted = reading->left < PIECE ? (size_t)reading->left : PIECE;
	char *room = pv_buf_reserve(&reading->text, wanted);
	ssize_t count;
	do {
		count = read(reading->file, room, wanted);
	} while (count < 0 && errno == EINTR);
	if (count < 0)
		return fail(reading, strerror(errno));
	if (!count)
		return fail(reading,
		    "it is shorter than what was committed: it was cut or "
		    "changed");
	reading->text.len += (size_t)count;
	reading->left -= (uint64_t)count;
	return tell_lines(reading);
}

static bool read_all(struct reading *reading)
{
	bool is_read = true;
	while (is_read && reading->left)
		is_read = read_piece(reading);
	if (is_read && reading->text.len)
		return fail(reading, "its last line is incomplete");
	return is_read;
}

bool pv_audit_journal_read(const char *path, uint64_t length,
    pv_audit_line_fn on_line, void *ctx, struct pv_why *why)
{
	struct reading reading = {
	    .path = path,
	    .file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK),
	    .left = length,
	    .number = 1,
	    .on_line = on_line,
	    .ctx = ctx,
	    .why = why,
	};
	if (reading.file < 0) {
		pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
		    "cannot be opened: %s", strerror(errno));
		return false;
	}
	pv_buf_init(&reading.text, LINE_MAX_BYTES + PIECE + 1);
	bool is_read = read_all(&reading);
	pv_buf_finish(&reading.text);
	close(reading.file);
	return is_read;
}
