#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

#define STEP ((size_t)64 * 1024)

/* How long the writer of a pipe may take to open it. */
#define WRITER_MS 1000

/* Reads to the end; one byte more than the ceiling is enough to know that the
 * file is too large. */
enum pv_file_read pv_file_read_open(int file, struct pv_buf *buf)
{
	for (;;) {
		size_t left = buf->ceiling - buf->len;
		size_t step = left < STEP ? left : STEP;
		char beyond;
		char *room = step ? pv_buf_make_room(buf, step) : &beyond;
		*room = '\0';
		ssize_t count = read(file, room, step ? step : 1);
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return PV_FILE_FAILED;
		if (count == 0)
			return PV_FILE_READ;
		if (!step)
			return PV_FILE_TOO_LARGE;
		buf->len += (size_t)count;
		buf->ptr[buf->len] = '\0';
	}
}

const char *pv_file_fault(int error)
{
	return error == ENXIO ? "no process writes to this pipe"
			      : strerror(error);
}

/* A pipe that was opened without waiting for its writer: waits for one no
 * longer than it may take. Whether there is one that has something to say yet
 * only a first read tells. False if there is none. */
static bool await_writer(int pipe, struct pv_buf *buf)
{
	struct pollfd asked = {.fd = pipe, .events = POLLIN};
	char byte;
	poll(&asked, 1, WRITER_MS);
	ssize_t count = read(pipe, &byte, 1);
	if (count > 0)
		return pv_buf_append_char(buf, byte);
	if (count < 0)
		return errno == EAGAIN;
	errno = ENXIO;
	return false;
}

static bool is_pipe(int file)
{
	struct stat status;
	return fstat(file, &status) == 0 && S_ISFIFO(status.st_mode);
}

enum pv_file_read pv_file_read(const char *path, struct pv_buf *buf)
{
	enum pv_file_read result = PV_FILE_FAILED;
	if (strcmp(path, "-") == 0)
		return pv_file_read_open(STDIN_FILENO, buf);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return PV_FILE_FAILED;
	if ((!is_pipe(fd) || await_writer(fd, buf)) &&
	    fcntl(fd, F_SETFL, O_RDONLY) == 0)
		result = pv_file_read_open(fd, buf);
	int saved = errno;
	close(fd);
	errno = saved;
	return result;
}

static enum pv_file_read read_regular(
    int file, struct stat *status, struct pv_buf *buf)
{
	if (fstat(file, status) != 0)
		return PV_FILE_FAILED;
	if (S_ISREG(status->st_mode))
		return pv_file_read_open(file, buf);
	errno = EINVAL;
	return PV_FILE_FAILED;
}

enum pv_file_read pv_file_read_at(
    int directory, const char *path, struct stat *status, struct pv_buf *buf)
{
	int file = openat(
	    directory, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return PV_FILE_FAILED;
	enum pv_file_read result = read_regular(file, status, buf);
	int saved = errno;
	close(file);
	errno = saved;
	return result;
}

/* What is left after writing some of it; false if that went wrong. */
static bool take_written(struct pv_str *bytes, ssize_t count)
{
	if (count > 0)
		*bytes = pv_str_from(*bytes, (size_t)count);
	else if (count == 0)
		errno = ENOSPC;
	return count > 0 || (count < 0 && errno == EINTR);
}

bool pv_file_write(int file, struct pv_str bytes)
{
	while (bytes.len) {
		if (!take_written(&bytes, write(file, bytes.ptr, bytes.len)))
			return false;
	}
	return true;
}

bool pv_file_write_at(int file, uint64_t place, struct pv_str bytes)
{
	while (bytes.len) {
		size_t left = bytes.len;
		ssize_t count =
		    pwrite(file, bytes.ptr, bytes.len, (off_t)place);
		if (!take_written(&bytes, count))
			return false;
		place += left - bytes.len;
	}
	return true;
}

bool pv_file_sync_directory(int directory, const char *path)
{
	int file = openat(directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file < 0)
		return errno == EACCES;
	bool is_synced = fsync(file) == 0 || errno == EINVAL;
	int saved = errno;
	close(file);
	errno = saved;
	return is_synced;
}

bool pv_file_sync_name(const char *path)
{
	struct pv_buf directory;
	const char *slash = strrchr(path, '/');
	pv_buf_init(&directory, SIZE_MAX);
	pv_buf_append(&directory,
	    (struct pv_str){path, slash ? (size_t)(slash - path) : 0});
	if (!directory.len)
		pv_buf_append_char(&directory, slash ? '/' : '.');
	bool is_synced =
	    pv_file_sync_directory(AT_FDCWD, pv_buf_text(&directory));
	int saved = errno;
	pv_buf_finish(&directory);
	errno = saved;
	return is_synced;
}

static bool make_one(const char *path, unsigned mode)
{
	if (mkdir(path, mode) == 0)
		return pv_file_sync_name(path);
	return errno == EEXIST || errno == EISDIR;
}

bool pv_file_make_directory(const char *path, unsigned mode)
{
	char *part = strdup(path);
	bool is_made = true;
	if (!part)
		pv_alloc_fail(1, strlen(path) + 1);
	for (char *at = part; is_made && *at; at++) {
		if (*at != '/' || at == part)
			continue;
		*at = '\0';
		is_made = make_one(part, mode);
		*at = '/';
	}
	is_made = is_made && make_one(part, mode);
	int saved = errno;
	free(part);
	errno = saved;
	return is_made;
}

/* The mode that a file has, if there is one. */
static mode_t mode_of(const char *path, unsigned mode)
{
	struct stat facts;
	bool is_file = lstat(path, &facts) == 0 && S_ISREG(facts.st_mode);
	return is_file ? facts.st_mode & 0777 : mode;
}

static bool is_link(const char *path)
{
	struct stat facts;
	return lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode);
}

bool pv_file_copy(int from, int to)
{
	char piece[STEP];
	ssize_t count;
	do {
		count = read(from, piece, sizeof(piece));
		if (count > 0 &&
		    !pv_file_write(to, (struct pv_str){piece, (size_t)count}))
			return false;
	} while (count > 0 || (count < 0 && errno == EINTR));
	return count == 0;
}

/* No reader uses what already has the name of the new file, of whatever kind: a
 * link, a pipe, or a file that others may read. */
bool pv_file_replace_by(
    const char *path, pv_file_fill_fn fill, void *ctx, unsigned mode)
{
	struct pv_buf temporary;
	if (is_link(path)) {
		errno = ELOOP;
		return false;
	}
	mode_t kept = mode_of(path, mode);
	pv_buf_init(&temporary, SIZE_MAX);
	pv_buf_append_format(&temporary, "%s.new", path);
	unlink(pv_buf_text(&temporary));
	int file = open(pv_buf_text(&temporary),
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode & kept);
	bool is_written = file >= 0 && fill(ctx, file) &&
			  (kept == mode || fchmod(file, kept) == 0) &&
			  fsync(file) == 0;
	if (file >= 0 && close(file) != 0)
		is_written = false;
	is_written = is_written && rename(pv_buf_text(&temporary), path) == 0 &&
		     pv_file_sync_name(path);
	pv_buf_finish(&temporary);
	return is_written;
}

static bool write_text(void *ctx, int file)
{
	const struct pv_str *text = ctx;
	return pv_file_write(file, *text);
}

bool pv_file_replace(const char *path, struct pv_str text, unsigned mode)
{
	return pv_file_replace_by(path, write_text, &text, mode);
}
