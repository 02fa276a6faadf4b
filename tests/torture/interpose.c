#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "torture/diary.h"
#include "torture/strike.h"

/* The C library's calls that reach files, and SQLite's statements, each asking
 * first what is to happen to it (strike.h). To be preloaded.
 *
 * The names are given to the linker only, so that no header's idea of them is
 * in the way. What the C library calls within itself, as fopen and nftw do, is
 * not seen; nothing that is to last is written by those.
 */
#define NAMED(name) __asm__(name) __attribute__((used, visibility("default")))

/* A number that says how much was done, or that a call failed. */
#define FINISHED(strike, result) finished(&(strike), (result))

static const char *name_of(int fd, char text[1024])
{
	char link[64];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, text, 1023);
	text[len > 0 ? len : 0] = '\0';
	return text;
}

/* What happens to a call that is about this descriptor. */
static struct strike ask(enum fault_sort sort, int fd)
{
	char text[1024];
	if (!strike_is_marked(fd))
		return (struct strike){.error = 0};
	return strike_call(sort, name_of(fd, text));
}

static struct strike ask_path(
    enum fault_sort sort, int directory, const char *path)
{
	if (!path || !strike_is_below(directory, path))
		return (struct strike){.error = 0};
	return strike_call(sort, path);
}

static struct strike ask_write(int fd, size_t len)
{
	char text[1024];
	if (diary_is_kept() && strike_is_marked(fd))
		diary_note("write %zu %s", len, name_of(fd, text));
	return ask(FAULT_WRITE, fd);
}

/* Whether the call is not made at all; then errno is set, or the program is
 * gone. */
static bool stops(const struct strike *strike)
{
	if (!strike->is_struck || strike->is_late || strike->is_short)
		return false;
	if (strike->is_kill)
		strike_dead();
	errno = strike->error;
	return true;
}

/* What is told of a call that was made. */
static long finished(const struct strike *strike, long result)
{
	if (strike->is_struck && strike->is_kill)
		strike_dead();
	if (!strike->is_struck || strike->is_short || result < 0)
		return result;
	errno = strike->error;
	return -1;
}

static size_t len_for(const struct strike *strike, size_t len)
{
	bool is_cut = strike->is_struck && strike->is_short && len > 1;
	return is_cut ? len / 2 : len;
}

/* Writing */

ssize_t our_write(int fd, const void *bytes, size_t len) NAMED("write");
ssize_t our_write(int fd, const void *bytes, size_t len)
{
	struct strike strike = ask_write(fd, len);
	if (stops(&strike))
		return -1;
	return FINISHED(
	    strike, syscall(SYS_write, fd, bytes, len_for(&strike, len)));
}

ssize_t our_pwrite(int fd, const void *bytes, size_t len, off_t place)
    NAMED("pwrite");
ssize_t our_pwrite(int fd, const void *bytes, size_t len, off_t place)
{
	struct strike strike = ask_write(fd, len);
	if (stops(&strike))
		return -1;
	return FINISHED(strike,
	    syscall(SYS_pwrite64, fd, bytes, len_for(&strike, len), place));
}

ssize_t our_pwrite64(int fd, const void *bytes, size_t len, off_t place)
    NAMED("pwrite64");
ssize_t our_pwrite64(int fd, const void *bytes, size_t len, off_t place)
{
	return our_pwrite(fd, bytes, len, place);
}

/* Half of a list is its first part, if there are several. */
ssize_t our_writev(int fd, const struct iovec *parts, int count)
    NAMED("writev");
ssize_t our_writev(int fd, const struct iovec *parts, int count)
{
	size_t len = 0;
	for (int i = 0; i < count; i++)
		len += parts[i].iov_len;
	struct strike strike = ask_write(fd, len);
	if (stops(&strike))
		return -1;
	if (strike.is_struck && strike.is_short && count > 1)
		count = 1;
	return FINISHED(strike, syscall(SYS_writev, fd, parts, count));
}

int our_posix_fallocate(int fd, off_t offset, off_t len)
    NAMED("posix_fallocate");
int our_posix_fallocate(int fd, off_t offset, off_t len)
{
	int (*next)(int, off_t, off_t);
	struct strike strike = ask(FAULT_WRITE, fd);
	if (stops(&strike))
		return errno;
	*(void **)&next = dlsym(RTLD_NEXT, "posix_fallocate");
	int error = next(fd, offset, len);
	return FINISHED(strike, 0) < 0 ? errno : error;
}

int our_ftruncate(int fd, off_t length) NAMED("ftruncate");
int our_ftruncate(int fd, off_t length)
{
	struct strike strike = ask(FAULT_TRUNCATE, fd);
	if (stops(&strike))
		return -1;
	return (int)FINISHED(strike, syscall(SYS_ftruncate, fd, length));
}

int our_ftruncate64(int fd, off_t length) NAMED("ftruncate64");
int our_ftruncate64(int fd, off_t length)
{
	return our_ftruncate(fd, length);
}

/* Putting on the disk */

static int sync_by(long call, int fd)
{
	char text[1024];
	struct strike strike = ask(FAULT_SYNC, fd);
	if (stops(&strike))
		return -1;
	int result = (int)FINISHED(strike, syscall(call, fd));
	if (result == 0 && diary_is_kept() && strike_is_marked(fd))
		diary_note("%s %s", call == SYS_syncfs ? "syncfs" : "sync",
		    name_of(fd, text));
	return result;
}

int our_fsync(int fd) NAMED("fsync");
int our_fsync(int fd)
{
	return sync_by(SYS_fsync, fd);
}

int our_fdatasync(int fd) NAMED("fdatasync");
int our_fdatasync(int fd)
{
	return sync_by(SYS_fdatasync, fd);
}

int our_syncfs(int fd) NAMED("syncfs");
int our_syncfs(int fd)
{
	return sync_by(SYS_syncfs, fd);
}

/* Opening and closing */

static bool is_there(const char *path)
{
	return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
}

static void note_making(int directory, const char *path)
{
	char whole[DIARY_PATH_MAX];
	if (!diary_is_kept() || !strike_is_below(directory, path))
		return;
	diary_path(directory, path, whole);
	if (!is_there(whole))
		diary_note("make %s", whole);
}

static int open_at(int directory, const char *path, int flags, mode_t mode)
{
	struct strike strike = ask_path(FAULT_OPEN, directory, path);
	if (stops(&strike))
		return -1;
	if (flags & O_CREAT)
		note_making(directory, path);
	int fd = (int)syscall(SYS_openat, directory, path, flags, mode);
	strike_mark(fd, fd >= 0 && strike_is_below(directory, path));
	int result = (int)FINISHED(strike, fd);
	if (fd >= 0 && result < 0)
		syscall(SYS_close, fd);
	return result;
}

static mode_t mode_of(int flags, va_list list)
{
	bool has_mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
	return has_mode ? va_arg(list, mode_t) : 0;
}

#define OPEN(function, name)                                        \
	int function(const char *path, int flags, ...) NAMED(name); \
	int function(const char *path, int flags, ...)              \
	{                                                           \
		va_list list;                                       \
		va_start(list, flags);                              \
		mode_t mode = mode_of(flags, list);                 \
		va_end(list);                                       \
		return open_at(AT_FDCWD, path, flags, mode);        \
	}
OPEN(our_open, "open")
OPEN(our_open64, "open64")
OPEN(our_open_2, "__open_2")
OPEN(our_open64_2, "__open64_2")

#define OPEN_AT(function, name)                                       \
	int function(int directory, const char *path, int flags, ...) \
	    NAMED(name);                                              \
	int function(int directory, const char *path, int flags, ...) \
	{                                                             \
		va_list list;                                         \
		va_start(list, flags);                                \
		mode_t mode = mode_of(flags, list);                   \
		va_end(list);                                         \
		return open_at(directory, path, flags, mode);         \
	}
OPEN_AT(our_openat, "openat")
OPEN_AT(our_openat64, "openat64")
OPEN_AT(our_openat_2, "__openat_2")
OPEN_AT(our_openat64_2, "__openat64_2")

int our_close(int fd) NAMED("close");
int our_close(int fd)
{
	struct strike strike = ask(FAULT_CLOSE, fd);
	strike_mark(fd, false);
	/* Whatever it says, a descriptor is gone then. */
	int result = (int)syscall(SYS_close, fd);
	if (stops(&strike))
		return -1;
	return (int)FINISHED(strike, result);
}

int our_socket(int domain, int type, int protocol) NAMED("socket");
int our_socket(int domain, int type, int protocol)
{
	struct strike strike = strike_call(FAULT_SOCKET, NULL);
	if (stops(&strike))
		return -1;
	return (int)FINISHED(
	    strike, syscall(SYS_socket, domain, type, protocol));
}

/* Names */

/* Nothing that is there can be linked over. */
static void note_name(
    int from, const char *name, int to, const char *path, bool is_link)
{
	char before[DIARY_PATH_MAX], after[DIARY_PATH_MAX];
	if (!diary_is_kept() || !strike_is_below(to, path))
		return;
	diary_path(from, name, before);
	diary_path(to, path, after);
	bool is_taken = is_there(after);
	if (is_taken && is_link)
		return;
	diary_note("%s %s\t%s", is_taken ? "replace" : "name", before, after);
}

static int rename_at(
    int from, const char *name, int to, const char *path, unsigned flags)
{
	note_name(from, name, to, path, false);
	struct strike strike = ask_path(FAULT_RENAME, to, path);
	if (stops(&strike))
		return -1;
	return (int)FINISHED(
	    strike, syscall(SYS_renameat2, from, name, to, path, flags));
}

int our_rename(const char *name, const char *path) NAMED("rename");
int our_rename(const char *name, const char *path)
{
	return rename_at(AT_FDCWD, name, AT_FDCWD, path, 0);
}

int our_renameat(int from, const char *name, int to, const char *path)
    NAMED("renameat");
int our_renameat(int from, const char *name, int to, const char *path)
{
	return rename_at(from, name, to, path, 0);
}

int our_renameat2(int from, const char *name, int to, const char *path,
    unsigned flags) NAMED("renameat2");
int our_renameat2(
    int from, const char *name, int to, const char *path, unsigned flags)
{
	return rename_at(from, name, to, path, flags);
}

/* A file that had no name gets one. */
int our_linkat(int from, const char *name, int to, const char *path, int flags)
    NAMED("linkat");
int our_linkat(int from, const char *name, int to, const char *path, int flags)
{
	note_name(from, name, to, path, true);
	struct strike strike = ask_path(FAULT_RENAME, to, path);
	if (stops(&strike))
		return -1;
	return (int)FINISHED(
	    strike, syscall(SYS_linkat, from, name, to, path, flags));
}

static int make_at(int directory, const char *path, mode_t mode)
{
	struct strike strike = ask_path(FAULT_MAKE, directory, path);
	if (stops(&strike))
		return -1;
	note_making(directory, path);
	return (int)FINISHED(
	    strike, syscall(SYS_mkdirat, directory, path, mode));
}

int our_mkdir(const char *path, mode_t mode) NAMED("mkdir");
int our_mkdir(const char *path, mode_t mode)
{
	return make_at(AT_FDCWD, path, mode);
}

int our_mkdirat(int directory, const char *path, mode_t mode) NAMED("mkdirat");
int our_mkdirat(int directory, const char *path, mode_t mode)
{
	return make_at(directory, path, mode);
}

static int remove_at(int directory, const char *path, int flags)
{
	char whole[DIARY_PATH_MAX];
	struct strike strike = ask_path(FAULT_REMOVE, directory, path);
	if (stops(&strike))
		return -1;
	if (diary_is_kept() && strike_is_below(directory, path)) {
		diary_path(directory, path, whole);
		diary_note("remove %s", whole);
	}
	return (int)FINISHED(
	    strike, syscall(SYS_unlinkat, directory, path, flags));
}

int our_unlink(const char *path) NAMED("unlink");
int our_unlink(const char *path)
{
	return remove_at(AT_FDCWD, path, 0);
}

int our_unlinkat(int directory, const char *path, int flags) NAMED("unlinkat");
int our_unlinkat(int directory, const char *path, int flags)
{
	return remove_at(directory, path, flags);
}

/* Reading */

ssize_t our_read(int fd, void *bytes, size_t len) NAMED("read");
ssize_t our_read(int fd, void *bytes, size_t len)
{
	struct strike strike = ask(FAULT_READ, fd);
	if (stops(&strike))
		return -1;
	return FINISHED(
	    strike, syscall(SYS_read, fd, bytes, len_for(&strike, len)));
}

ssize_t our_pread(int fd, void *bytes, size_t len, off_t place) NAMED("pread");
ssize_t our_pread(int fd, void *bytes, size_t len, off_t place)
{
	struct strike strike = ask(FAULT_READ, fd);
	if (stops(&strike))
		return -1;
	return FINISHED(strike,
	    syscall(SYS_pread64, fd, bytes, len_for(&strike, len), place));
}

ssize_t our_pread64(int fd, void *bytes, size_t len, off_t place)
    NAMED("pread64");
ssize_t our_pread64(int fd, void *bytes, size_t len, off_t place)
{
	return our_pread(fd, bytes, len, place);
}

static void *map(size_t len, int protection, int flags, int fd, off_t offset)
{
	struct strike strike = ask(FAULT_MAP, fd);
	if (stops(&strike))
		return MAP_FAILED;
	void *place =
	    (void *)syscall(SYS_mmap, NULL, len, protection, flags, fd, offset);
	if (FINISHED(strike, 0) == 0)
		return place;
	syscall(SYS_munmap, place, len);
	return MAP_FAILED;
}

/* Memory that is no file's, and memory at a place of the caller's, is no
 * business of ours. */
#define MAP(function, name)                                             \
	void *function(void *at, size_t len, int protection, int flags, \
	    int fd, off_t offset) NAMED(name);                          \
	void *function(void *at, size_t len, int protection, int flags, \
	    int fd, off_t offset)                                       \
	{                                                               \
		if (!at && strike_is_marked(fd))                        \
			return map(len, protection, flags, fd, offset); \
		return (void *)syscall(                                 \
		    SYS_mmap, at, len, protection, flags, fd, offset);  \
	}
MAP(our_mmap, "mmap")
MAP(our_mmap64, "mmap64")

/* SQLite, whose library these names lead to if the program has it */

struct sqlite3;
struct sqlite3_stmt;

/* What was last made up in this thread, for what is told of it. */
static _Thread_local int made_up;

#define ROW 100
#define DONE 101

static void *next_of(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* SQLite calls itself, and would take what is made up there for an end of its
 * own making. */
static bool is_from_sqlite(const void *caller)
{
	Dl_info from, library;
	return dladdr(caller, &from) &&
	       dladdr(next_of("sqlite3_step"), &library) &&
	       from.dli_fbase == library.dli_fbase;
}

static struct strike ask_database(
    struct sqlite3 *database, const char *sql, const void *caller)
{
	const char *(*file)(struct sqlite3 *, const char *);
	*(void **)&file = next_of("sqlite3_db_filename");
	const char *path = file(database, "main");
	if (!path || path[0] != '/' || !strike_is_below(AT_FDCWD, path) ||
	    is_from_sqlite(caller))
		return (struct strike){.error = 0};
	made_up = 0;
	if (sql && strncmp(sql, "COMMIT", strlen("COMMIT")) == 0)
		diary_note("commit");
	return strike_call(FAULT_STEP, sql);
}

static struct strike ask_statement(
    struct sqlite3_stmt *statement, const void *caller)
{
	struct sqlite3 *(*database)(struct sqlite3_stmt *);
	const char *(*sql)(struct sqlite3_stmt *);
	*(void **)&database = next_of("sqlite3_db_handle");
	*(void **)&sql = next_of("sqlite3_sql");
	if (!statement)
		return (struct strike){.error = 0};
	return ask_database(database(statement), sql(statement), caller);
}

/* No system call has failed. */
static bool fails_by(const struct strike *strike)
{
	if (!stops(strike))
		return false;
	made_up = strike->error;
	errno = 0;
	return true;
}

static int told(const struct strike *strike, int code)
{
	bool is_good = code == ROW || code == DONE || code == 0;
	if (finished(strike, 0) == 0 || !is_good)
		return code;
	return made_up = strike->error;
}

/* A statement that changes something, with its values. */
static void note_row(struct sqlite3_stmt *statement, const void *caller)
{
	int (*only_reads)(struct sqlite3_stmt *);
	char *(*expanded)(struct sqlite3_stmt *);
	void (*let_go)(void *);
	*(void **)&only_reads = next_of("sqlite3_stmt_readonly");
	*(void **)&expanded = next_of("sqlite3_expanded_sql");
	*(void **)&let_go = next_of("sqlite3_free");
	if (!diary_is_kept() || !statement || is_from_sqlite(caller) ||
	    only_reads(statement))
		return;
	char *sql = expanded(statement);
	for (char *at = sql; at && *at; at++)
		*at = *at == '\n' ? ' ' : *at;
	if (sql)
		diary_note("row %.*s", (int)DIARY_PATH_MAX, sql);
	let_go(sql);
}

int our_sqlite3_step(struct sqlite3_stmt *statement) NAMED("sqlite3_step");
int our_sqlite3_step(struct sqlite3_stmt *statement)
{
	int (*next)(struct sqlite3_stmt *);
	struct strike strike =
	    ask_statement(statement, __builtin_return_address(0));
	if (fails_by(&strike))
		return made_up;
	note_row(statement, __builtin_return_address(0));
	*(void **)&next = next_of("sqlite3_step");
	return told(&strike, next(statement));
}

typedef int (*row_fn)(void *ctx, int count, char **values, char **names);

int our_sqlite3_exec(struct sqlite3 *database, const char *sql, row_fn on_row,
    void *ctx, char **why) NAMED("sqlite3_exec");
int our_sqlite3_exec(struct sqlite3 *database, const char *sql, row_fn on_row,
    void *ctx, char **why)
{
	int (*next)(struct sqlite3 *, const char *, row_fn, void *, char **);
	struct strike strike =
	    ask_database(database, sql, __builtin_return_address(0));
	if (fails_by(&strike))
		return made_up;
	*(void **)&next = next_of("sqlite3_exec");
	return told(&strike, next(database, sql, on_row, ctx, why));
}

const char *our_sqlite3_errmsg(struct sqlite3 *database)
    NAMED("sqlite3_errmsg");
const char *our_sqlite3_errmsg(struct sqlite3 *database)
{
	const char *(*text)(int);
	const char *(*next)(struct sqlite3 *);
	*(void **)&text = next_of("sqlite3_errstr");
	*(void **)&next = next_of("sqlite3_errmsg");
	return made_up ? text(made_up) : next(database);
}
