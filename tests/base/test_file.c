#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"
#include "synced_names.h"
#include "tap.h"

static void is_file(const char *path, const char *wanted, const char *claim)
{
	struct pv_buf text;
	pv_buf_init(&text, 1000);
	pv_file_read(path, &text);
	is_text(pv_buf_str(&text), wanted, "%s", claim);
	pv_buf_finish(&text);
}

static void test_writing(const char *path)
{
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	ok(pv_file_write(file, PV_STR("one")) &&
		pv_file_write(file, PV_STR("")) &&
		pv_file_write(file, PV_STR(" two")),
	    "what is written follows what was");
	is_file(path, "one two", "and is there");
	ok(pv_file_write_at(file, 4, PV_STR("three")) &&
		pv_file_write(file, PV_STR("!")),
	    "what is written at a place moves nobody else's");
	is_file(path, "one thr!e", "and is there as well");
	close(file);
	file = open(path, O_RDONLY | O_CLOEXEC);
	ok(!pv_file_write(file, PV_STR("x")) && errno == EBADF &&
		!pv_file_write_at(file, 0, PV_STR("x")) && errno == EBADF,
	    "what cannot be written says why");
	close(file);
}

/* Of ten bytes there is room for six: some are written, and then none. */
static void test_half(const char *path)
{
	struct rlimit limit = {6, RLIM_INFINITY};
	int file = open(path, O_RDWR | O_TRUNC | O_CLOEXEC);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	ok(!pv_file_write(file, PV_STR("0123456789")) && errno == EFBIG,
	    "what is written in part is not taken for whole");
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	is_file(path, "012345", "whatever there is of it");
	close(file);
}

/* What stands there may be anything. */
static void test_strange(const char *directory)
{
	struct pv_buf text;
	struct stat status;
	int root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	pv_buf_init(&text, 1000);
	ok(root >= 0 && mkfifoat(root, "pipe", 0600) == 0 &&
		symlinkat("/etc/passwd", root, "link") == 0,
	    "there are a pipe and a link");
	ok(pv_file_read_at(root, "pipe", &status, &text) == PV_FILE_FAILED &&
		errno == EINVAL,
	    "for what is no file nobody waits");
	ok(pv_file_read_at(root, "link", &status, &text) == PV_FILE_FAILED &&
		errno == ELOOP,
	    "and a link is not followed");
	ok(pv_file_read_at(root, "none", &status, &text) == PV_FILE_FAILED &&
		errno == ENOENT,
	    "nor is there what is not");
	close(root);
	pv_buf_finish(&text);
}

/* Opens the pipe once somebody reads it, and writes into it after a while. */
static pid_t write_later(const char *path, int wait_ms, const char *text)
{
	pid_t child = fork();
	int file;
	if (child != 0)
		return child;
	while ((file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 &&
	       errno == ENXIO)
		usleep(1000);
	usleep((useconds_t)wait_ms * 1000);
	_exit(file >= 0 && pv_file_write(file, pv_str_of(text)) ? 0 : 1);
}

/* A pipe with a name is read by whoever has the command that writes it, and
 * nobody waits for one who never comes. */
static void test_pipe(const char *path)
{
	struct pv_buf text;
	unlink(path);
	pv_buf_init(&text, 1000);
	ok(mkfifo(path, 0600) == 0, "there is a pipe with a name");
	ok(pv_file_read(path, &text) == PV_FILE_FAILED && errno == ENXIO,
	    "one into which nobody writes is not waited for");
	is_text(pv_str_of(pv_file_fault(errno)),
	    "no process writes to this pipe", "and the fault says so");
	pid_t child = write_later(path, 100, "late");
	is_file(path, "late", "a writer who comes late is read to the end");
	waitpid(child, NULL, 0);
	child = write_later(path, 100, "");
	pv_buf_clear(&text);
	ok(pv_file_read(path, &text) == PV_FILE_FAILED && errno == ENXIO,
	    "and one who writes nothing is told from an empty file");
	waitpid(child, NULL, 0);
	pv_buf_finish(&text);
}

static unsigned mode_of(const char *path)
{
	struct stat facts;
	return stat(path, &facts) == 0 ? facts.st_mode & 0777 : 0;
}

static bool has_text(const char *path, const char *wanted)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 100);
	bool is_right = pv_file_read(path, &buf) == PV_FILE_READ &&
			pv_str_equal(pv_buf_str(&buf), pv_str_of(wanted));
	pv_buf_finish(&buf);
	return is_right;
}

static void test_replace(void)
{
	char path[] = "file.XXXXXX", temporary[32], other[32];
	close(mkstemp(path));
	unlink(path);
	snprintf(temporary, sizeof(temporary), "%s.new", path);
	snprintf(other, sizeof(other), "%s.other", path);
	(void)!symlink(other, temporary);
	ok(pv_file_replace(path, PV_STR("one"), 0600) &&
		has_text(path, "one") && mode_of(path) == 0600,
	    "a file is made with its mode");
	ok(access(other, F_OK) != 0,
	    "and not through a symbolic link that somebody has left");
	chmod(path, 0644);
	ok(pv_file_replace(path, PV_STR("two"), 0600) &&
		has_text(path, "two") && mode_of(path) == 0644,
	    "one that is there is replaced, and keeps its own mode");
	ok(access(temporary, F_OK) != 0, "nothing is left beside it");
	unlink(path);
	(void)!symlink(other, path);
	ok(!pv_file_replace(path, PV_STR("three"), 0600) && errno == ELOOP &&
		access(other, F_OK) != 0 && readlink(path, temporary, 1) == 1,
	    "a symbolic link is refused: neither followed nor replaced");
	unlink(path);
	ok(!pv_file_replace("no/such/place", PV_STR("x"), 0600) &&
		errno == ENOENT,
	    "where there is no directory there is no file");
}

struct filling {
	int from;
	bool is_right;
};

static bool fill(void *ctx, int file)
{
	const struct filling *filling = ctx;
	return pv_file_copy(filling->from, file) && filling->is_right;
}

static bool holds(const char *path, size_t len)
{
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	bool is_same =
	    pv_file_read(path, &text) == PV_FILE_READ && text.len == len;
	pv_buf_finish(&text);
	return is_same;
}

#define LARGE 300000

static int large_file(const struct scratch *scratch)
{
	char path[300];
	snprintf(path, sizeof(path), "%s", scratch_file(scratch, "large"));
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0 || ftruncate(file, LARGE) != 0)
		abort();
	return file;
}

/* What a function writes takes the place of a file as a text does. */
static void test_replace_by(const struct scratch *scratch)
{
	char path[300];
	struct filling filling = {.is_right = true};
	snprintf(path, sizeof(path), "%s", scratch_file(scratch, "filled"));
	filling.from = large_file(scratch);
	ok(pv_file_replace_by(path, fill, &filling, 0600) && holds(path, LARGE),
	    "a file of many pieces is copied whole");
	filling.is_right = false;
	lseek(filling.from, 10, SEEK_SET);
	ok(!pv_file_replace_by(path, fill, &filling, 0600) &&
		holds(path, LARGE),
	    "if that fails, what was there stays");
	close(filling.from);
	filling = (struct filling){open("/", O_RDONLY), true};
	ok(!pv_file_replace_by(path, fill, &filling, 0600) && errno == EISDIR,
	    "and what cannot be read is an error");
	close(filling.from);
}

static bool is_made(
    const struct scratch *scratch, const char *name, unsigned syncs)
{
	unsigned before = synced_names.syncs;
	return pv_file_make_directory(scratch_file(scratch, name), 0700) &&
	       synced_names.syncs - before == syncs;
}

/* P3: a file is nowhere if its name is lost. */
static void test_names(const struct scratch *scratch)
{
	char path[] = "file.XXXXXX";
	close(mkstemp(path));
	unsigned before = synced_names.syncs;
	ok(pv_file_replace(path, PV_STR("one"), 0600) &&
		synced_names.syncs == before + 1,
	    "P3: a file's new name is put on the disk");
	synced_names.error = EIO;
	ok(!pv_file_replace(path, PV_STR("two"), 0600) && errno == EIO &&
		!pv_file_sync_name(path),
	    "if that fails, it has not been done");
	ok(!is_made(scratch, "e", 1) && errno == EIO,
	    "nor has a directory been made");
	synced_names.error = EINVAL;
	ok(pv_file_sync_name(path),
	    "where a file system does not know how, nothing is to be done");
	synced_names.error = 0;
	unlink(path);
	ok(is_made(scratch, "a/b/c", 3) && is_made(scratch, "a/b/c", 0) &&
		is_made(scratch, "a/d", 1),
	    "P3: so is that of each directory that is made");
	before = synced_names.syncs;
	ok(pv_file_sync_name("/file") && pv_file_sync_name("file") &&
		synced_names.syncs == before + 2,
	    "the root is a directory, and so is the one where we are");
	ok(!pv_file_sync_name("no/such/place") && errno == ENOENT,
	    "one that is not there is not synced");
}

/* Memory that is given out has held something else before. */
static void test_empty(void)
{
	struct pv_buf buf;
	mallopt(M_PERTURB, 0x55);
	pv_buf_init(&buf, 100);
	ok(pv_file_read("/dev/null", &buf) == PV_FILE_READ && !buf.len,
	    "an empty file is read");
	is_text(pv_str_of(pv_buf_text(&buf)), "", "and its text ends");
	pv_buf_finish(&buf);
	mallopt(M_PERTURB, 0);
}

int main(void)
{
	struct scratch scratch;
	if (!scratch_make(&scratch))
		return 1;
	test_names(&scratch);
	test_writing(scratch_file(&scratch, "file"));
	test_half(scratch_file(&scratch, "file"));
	test_strange(scratch.path);
	test_pipe(scratch_file(&scratch, "named"));
	test_empty();
	test_replace_by(&scratch);
	scratch_remove(&scratch);
	test_replace();
	return tap_done();
}
