#include "sink/line_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

#define GATHERED ((size_t)256 * 1024)

struct pv_line_file {
	int file;
	struct pv_buf path;
	struct pv_buf lines; /* that are not written yet */
	uint64_t length;     /* of what is written */
	bool is_synced;      /* all of that */
	bool has_name;       /* on the disk */
};

/* Opening */

static struct pv_place place_of(const struct pv_line_file *lines)
{
	return (struct pv_place){.file = pv_buf_text(&lines->path)};
}

void pv_line_file_close(struct pv_line_file *lines)
{
	if (!lines)
		return;
	if (lines->file >= 0)
		close(lines->file);
	pv_buf_finish(&lines->path);
	pv_buf_finish(&lines->lines);
	free(lines);
}

/* Only for its owner: addresses may tell what is nobody else's business. Who
 * opens a pipe is not to wait for its other end. */
static bool open_file(struct pv_line_file *lines, struct pv_why *why)
{
	struct stat status;
	lines->file = open(pv_buf_text(&lines->path),
	    O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
	    0600);
	if (lines->file < 0 || fstat(lines->file, &status) != 0) {
		pv_why_add(why, place_of(lines), PV_STR(""),
		    "cannot be opened: %s",
		    errno == ELOOP ? "it is a symbolic link" : strerror(errno));
		return false;
	}
	if (!S_ISREG(status.st_mode))
		pv_why_add(
		    why, place_of(lines), PV_STR(""), "is not a regular file");
	return S_ISREG(status.st_mode);
}

struct pv_line_file *pv_line_file_open(
    const char *directory, const char *name, struct pv_why *why)
{
	struct pv_line_file *lines = pv_alloc(sizeof(*lines));
	pv_buf_init(&lines->path, SIZE_MAX);
	pv_buf_init(&lines->lines, SIZE_MAX);
	pv_buf_append_format(&lines->path, "%s/%s", directory, name);
	if (open_file(lines, why))
		return lines;
	pv_line_file_close(lines);
	return NULL;
}

/* Whether what was promised may still be there: all of it, and its last line
 * whole. */
static bool has_promised(const struct pv_line_file *lines, uint64_t length)
{
	struct stat status;
	char last = '\n';
	if (fstat(lines->file, &status) != 0 ||
	    (uint64_t)status.st_size < length)
		return false;
	if (length && pread(lines->file, &last, 1, (off_t)length - 1) != 1)
		return false;
	return last == '\n';
}

bool pv_line_file_recover(
    struct pv_line_file *lines, uint64_t length, struct pv_why *why)
{
	if (!has_promised(lines, length)) {
		pv_why_add(why, place_of(lines), PV_STR(""),
		    "its first %" PRIu64 " bytes are not what was written: "
		    "somebody cut, changed or removed it; put it back, or "
		    "begin anew with --fresh",
		    length);
		return false;
	}
	if (ftruncate(lines->file, (off_t)length) != 0) {
		pv_why_add(why, place_of(lines), PV_STR(""),
		    "cannot be cut to what was committed: %s", strerror(errno));
		return false;
	}
	pv_buf_clear(&lines->lines);
	lines->length = length;
	lines->is_synced = false;
	return true;
}

/* Writing */

/* Takes out what was written. */
static void drop(struct pv_buf *lines, size_t len)
{
	if (!len)
		return;
	memmove(lines->ptr, lines->ptr + len, lines->len - len);
	pv_buf_cut(lines, lines->len - len);
}

static bool write_lines(struct pv_line_file *lines)
{
	struct pv_str left = pv_buf_str(&lines->lines);
	while (left.len) {
		ssize_t count = write(lines->file, left.ptr, left.len);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			break;
		left = pv_str_from(left, (size_t)count);
	}
	size_t done = lines->lines.len - left.len;
	lines->length += done;
	lines->is_synced = lines->is_synced && !done;
	drop(&lines->lines, done);
	return !left.len;
}

/* Lines */

bool pv_line_file_append(
    struct pv_line_file *lines, struct pv_str line, struct pv_str end)
{
	if (lines->lines.len >= GATHERED && !write_lines(lines))
		return false;
	pv_buf_append(&lines->lines, line);
	pv_buf_append(&lines->lines, end);
	return true;
}

bool pv_line_file_sync(struct pv_line_file *lines, uint64_t *length)
{
	if (!write_lines(lines))
		return false;
	lines->is_synced = lines->is_synced || fdatasync(lines->file) == 0;
	lines->has_name =
	    lines->has_name || pv_file_sync_name(pv_buf_text(&lines->path));
	if (!lines->is_synced || !lines->has_name)
		return false;
	*length = lines->length;
	return true;
}
