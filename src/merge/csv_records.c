#include "merge/csv_records.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/reader.h"

#define PIECE ((size_t)256 * 1024)
#define RECORD_MAX_BYTES ((size_t)8 * 1024 * 1024)

struct reading {
	const char *path;
	struct pv_buf text; /* that is read and not told */
	struct pv_buf first;
	pv_csv_record_fn on_record;
	void *ctx;
	struct pv_why *why;
};

static bool fail(const struct reading *reading, const char *text)
{
	pv_why_add(reading->why, (struct pv_place){.file = reading->path},
	    PV_STR(""), "%s", text);
	return false;
}

/* The length of the first record, with its end; 0 if that has not come yet. */
static size_t length_of(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	bool is_quoted = false;
	while (!pv_reader_is_end(&reader)) {
		int byte = pv_reader_next(&reader);
		if (byte == '"')
			is_quoted = !is_quoted;
		if (byte == '\n' && !is_quoted)
			return text.len - pv_reader_left(&reader);
	}
	return 0;
}

static void read_first(struct reading *reading, struct pv_str record)
{
	struct pv_reader reader = pv_reader_of(record);
	bool is_quoted = pv_reader_accept(&reader, '"');
	pv_buf_clear(&reading->first);
	while (!pv_reader_is_end(&reader)) {
		int byte = pv_reader_next(&reader);
		bool is_end =
		    is_quoted ? byte == '"' && !pv_reader_accept(&reader, '"')
			      : byte == ',' || byte == '\r' || byte == '\n';
		if (is_end)
			return;
		pv_buf_append_char(&reading->first, (char)byte);
	}
}

static bool tell_records(struct reading *reading)
{
	struct pv_str left = pv_buf_str(&reading->text);
	size_t length;
	while ((length = length_of(left)) > 0) {
		struct pv_str bytes = pv_str_head(left, length);
		read_first(reading, bytes);
		struct pv_csv_record record = {
		    bytes, pv_buf_str(&reading->first)};
		if (!reading->on_record(reading->ctx, &record))
			return false;
		left = pv_str_from(left, length);
	}
	struct pv_buf rest;
	pv_buf_init(&rest, RECORD_MAX_BYTES + PIECE);
	pv_buf_append(&rest, left);
	pv_buf_finish(&reading->text);
	reading->text = rest;
	return left.len <= RECORD_MAX_BYTES ||
	       fail(reading, "has a record that is too long");
}

static bool read_all(struct reading *reading, int file, uint64_t length)
{
	while (length) {
		size_t most = length < PIECE ? (size_t)length : PIECE;
		char *room = pv_buf_reserve(&reading->text, most);
		ssize_t got = read(file, room, most);
		if (got < 0)
			return fail(reading, strerror(errno));
		if (!got)
			return fail(reading,
			    "is shorter than what was committed of it");
		reading->text.len += (size_t)got;
		length -= (uint64_t)got;
		if (!tell_records(reading))
			return false;
	}
	return !reading->text.len ||
	       fail(reading, "is incomplete: its last record has no end");
}

bool pv_csv_records_read(const char *path, uint64_t length,
    pv_csv_record_fn on_record, void *ctx, struct pv_why *why)
{
	struct reading reading = {
	    .path = path, .on_record = on_record, .ctx = ctx, .why = why};
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (file < 0)
		return fail(&reading, strerror(errno));
	pv_buf_init(&reading.text, RECORD_MAX_BYTES + PIECE);
	pv_buf_init(&reading.first, RECORD_MAX_BYTES);
	bool is_read = read_all(&reading, file, length);
	pv_buf_finish(&reading.text);
	pv_buf_finish(&reading.first);
	close(file);
	return is_read;
}
