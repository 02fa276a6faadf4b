#include "serve/webhooks/result_lines.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Reads on up to `size` bytes; false if there are not so many. */
static bool fill(int file, uint64_t from, size_t size, struct pv_buf *lines)
{
	while (lines->len < size) {
		size_t left = size - lines->len;
		char *room = pv_buf_reserve(lines, left);
		ssize_t got =
		    room ? pread(file, room, left, (off_t)(from + lines->len))
			 : -1;
		if (got <= 0)
			return false;
		lines->len += (size_t)got;
	}
	return true;
}

/* Where the last line ends that one delivery takes; 0: the first has no end. */
static size_t end_of_lines(struct pv_str text)
{
	size_t end = 0;
	for (unsigned i = 0; i < PV_WEBHOOK_LINES_MAX; i++) {
		size_t len = pv_str_find(pv_str_from(text, end), '\n');
		if (len == PV_NOT_FOUND)
			break;
		if (end && end + len + 1 > PV_WEBHOOK_LINES_BYTES)
			break;
		end += len + 1;
	}
	return end;
}

/* A first line that does not fit is read to its end. */
static bool read_lines(
    int file, uint64_t from, uint64_t length, struct pv_buf *lines)
{
	uint64_t left = length - from;
	size_t size = PV_WEBHOOK_LINES_BYTES;
	bool is_read = true;
	size_t end = 0;
	while (is_read && !end && size <= PV_WEBHOOK_LINE_MAX) {
		size_t whole = left < size ? (size_t)left : size;
		is_read = fill(file, from, whole, lines);
		end = is_read ? end_of_lines(pv_buf_str(lines)) : 0;
		if (whole == left)
			break;
		size *= 2;
	}
	pv_buf_cut(lines, end);
	return end;
}

bool pv_webhook_lines_read(const char *path, uint64_t from, uint64_t length,
    struct pv_buf *lines, uint64_t *until)
{
	int file =
	    from < length ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	if (file < 0)
		return false;
	bool is_read = read_lines(file, from, length, lines);
	close(file);
	if (is_read)
		*until = from + lines->len;
	return is_read;
}
