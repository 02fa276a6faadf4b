#ifndef PAVANE_TESTS_FAILING_H
#define PAVANE_TESTS_FAILING_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* System calls of the test's own in the place of the C library's: one of them
 * fails when the test says so, which is then of one thread; the others do what
 * they always do. To be included in one file of a program.
 *
 * The names are given to the linker only, so that no header's idea of them is
 * in the way.
 */
static struct {
	const char *call; /* NULL: none */
	unsigned after;   /* so many calls of it */
	int error;
	bool is_lasting;        /* all that follow fail too */
	size_t write_max;       /* no write takes more; 0: no ceiling */
	_Atomic unsigned calls; /* of all sorts that are here */
	_Atomic unsigned syncs;
} failing;

__attribute__((unused)) static void fail_at(
    const char *call, unsigned after, int error)
{
	failing.call = call;
	failing.after = after;
	failing.error = error;
	failing.is_lasting = false;
}

__attribute__((unused)) static void fail_always(const char *call, int error)
{
	fail_at(call, 0, error);
	failing.is_lasting = true;
}

__attribute__((unused)) static void fail_nothing(void)
{
	failing.call = NULL;
	failing.write_max = 0;
}

/* Whether the call is the one; then errno is set. */
static bool fails(const char *call)
{
	failing.calls++;
	if (!failing.call || strcmp(failing.call, call) != 0)
		return false;
	if (failing.after) {
		failing.after--;
		return false;
	}
	if (!failing.is_lasting)
		failing.call = NULL;
	errno = failing.error;
	return true;
}

static size_t failing_len(size_t len)
{
	bool is_cut = failing.write_max && len > failing.write_max;
	return is_cut ? failing.write_max : len;
}

#define FAILING_NAMED(name) __asm__(name) __attribute__((used))

/* Libraries come here as well. */
#define FAILING_EVERYWHERE(name) \
	__asm__(name) __attribute__((used, visibility("default")))

ssize_t failing_write(int fd, const void *bytes, size_t len)
    FAILING_NAMED("write");
ssize_t failing_write(int fd, const void *bytes, size_t len)
{
	if (fails("write"))
		return -1;
	return syscall(SYS_write, fd, bytes, failing_len(len));
}

ssize_t failing_pwrite(int fd, const void *bytes, size_t len, off_t place)
    FAILING_NAMED("pwrite");
ssize_t failing_pwrite(int fd, const void *bytes, size_t len, off_t place)
{
	if (fails("pwrite"))
		return -1;
	return syscall(SYS_pwrite64, fd, bytes, failing_len(len), place);
}

/* These are what SQLite calls. */
ssize_t failing_pwrite64(int fd, const void *bytes, size_t len, off_t place)
    FAILING_EVERYWHERE("pwrite64");
ssize_t failing_pwrite64(int fd, const void *bytes, size_t len, off_t place)
{
	return failing_pwrite(fd, bytes, len, place);
}

ssize_t failing_pread64(int fd, void *bytes, size_t len, off_t place)
    FAILING_EVERYWHERE("pread64");
ssize_t failing_pread64(int fd, void *bytes, size_t len, off_t place)
{
	if (fails("pread"))
		return -1;
	return syscall(SYS_pread64, fd, bytes, len, place);
}

/* open(O_TMPFILE) counts as a call of its own. */
int failing_open(const char *path, int flags, ...) FAILING_NAMED("open");
int failing_open(const char *path, int flags, ...)
{
	va_list list;
	va_start(list, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
	va_end(list);
	if (fails((flags & O_TMPFILE) == O_TMPFILE ? "O_TMPFILE" : "open"))
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int failing_openat(int directory, const char *path, int flags, ...)
    FAILING_NAMED("openat");
int failing_openat(int directory, const char *path, int flags, ...)
{
	va_list list;
	va_start(list, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
	va_end(list);
	if (fails("openat"))
		return -1;
	return (int)syscall(SYS_openat, directory, path, flags, mode);
}

int failing_mkdirat(int directory, const char *path, mode_t mode)
    FAILING_NAMED("mkdirat");
int failing_mkdirat(int directory, const char *path, mode_t mode)
{
	if (fails("mkdirat"))
		return -1;
	return (int)syscall(SYS_mkdirat, directory, path, mode);
}

int failing_renameat(int from, const char *name, int to, const char *path)
    FAILING_NAMED("renameat");
int failing_renameat(int from, const char *name, int to, const char *path)
{
	if (fails("renameat"))
		return -1;
	return (int)syscall(SYS_renameat2, from, name, to, path, 0);
}

int failing_linkat(int from, const char *name, int to, const char *path,
    int flags) FAILING_NAMED("linkat");
int failing_linkat(
    int from, const char *name, int to, const char *path, int flags)
{
	if (fails("linkat"))
		return -1;
	return (int)syscall(SYS_linkat, from, name, to, path, flags);
}

/* What cannot be closed well is closed all the same. */
int failing_close(int fd) FAILING_NAMED("close");
int failing_close(int fd)
{
	bool is_failing = fails("close");
	int result = (int)syscall(SYS_close, fd);
	if (!is_failing)
		return result;
	errno = failing.error;
	return -1;
}

int failing_ftruncate(int fd, off_t length) FAILING_NAMED("ftruncate");
int failing_ftruncate(int fd, off_t length)
{
	if (fails("ftruncate"))
		return -1;
	return (int)syscall(SYS_ftruncate, fd, length);
}

int failing_fdatasync(int fd) FAILING_EVERYWHERE("fdatasync");
int failing_fdatasync(int fd)
{
	failing.syncs++;
	if (fails("fdatasync"))
		return -1;
	return (int)syscall(SYS_fdatasync, fd);
}

#endif
