#include "sink/sink.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/visible.h"
#include "http/date.h"
#include "mirror/files/directories.h"
#include "mirror/files/file_name.h"
#include "mirror/files/index_keeping.h"
#include "mirror/files/nameless.h"
#include "mirror/files/unsynced.h"
#include "policy/policy.h"

/* A mirror: each page that is kept is a file of its own below site/.
 *
 * A file is written whole to site/.pavane, which no page can be called, and
 * then renamed. So nothing partial ever has a page's name, and what a sudden
 * end leaves behind is in one place, which is emptied at the start.
 *
 * It is synced before the outcome of its page is committed (unsynced.h), so
 * that neither a kill nor a power cut takes a page that is known to be there.
 */
#define SITE "site"
#define TEMPORARY ".pavane"

/* Longer addresses than any policy lets through. */
#define ADDRESS_MAX ((size_t)256 * 1024)

struct files {
	int root;
	bool is_portable;
	bool has_nameless; /* the file system does */
	struct pv_directories *directories;
	struct pv_unsynced unsynced;
	atomic_uint_fast64_t count; /* of files begun: each has its name */
};

static struct files *files_of(struct pv_sink *sink)
{
	return (struct files *)sink;
}

static bool is_wanted(const struct pv_sink_plan *plan)
{
	return plan->policy->output.has_mirror;
}

/* Faults */

static const char *reason(int error)
{
	if (error == ELOOP)
		return "it is a symbolic link, which is not followed";
	return strerror(error);
}

/* The reason first, since a path may be longer than there is room. */
static void tell(struct pv_page *page, int error, struct pv_str path)
{
	struct pv_buf fault;
	pv_buf_init(&fault, sizeof(page->fault) - 1);
	pv_buf_append_format(&fault, "cannot be stored: %s: ", reason(error));
	pv_visible_append(&fault, path);
	pv_page_fail(page, pv_buf_text(&fault), error);
	pv_buf_finish(&fault);
}

static void tell_why(
    const char *directory, struct pv_str path, struct pv_why *why)
{
	int error = errno;
	struct pv_buf file;
	pv_buf_init(&file, SIZE_MAX);
	pv_buf_append_text(&file, directory);
	if (path.len)
		pv_buf_append_format(&file, "/%.*s", PV_STR_ARG(path));
	pv_why_add(why, (struct pv_place){.file = pv_buf_text(&file)},
	    PV_STR(""), "cannot write the mirror: %s", reason(error));
	pv_buf_finish(&file);
}

/* Opening */

static void remove_temporary(struct files *files)
{
	size_t reached;
	struct pv_directory *site =
	    pv_directories_take(files->directories, PV_STR(SITE), &reached);
	if (!site)
		return;
	unlinkat(site->file, TEMPORARY, AT_REMOVEDIR);
	pv_directories_give(files->directories, site);
}

static void destroy(struct files *files)
{
	pv_directories_destroy(files->directories);
	pv_unsynced_finish(&files->unsynced);
	close(files->root);
	free(files);
}

static void close_files(struct pv_sink *sink)
{
	if (!sink)
		return;
	remove_temporary(files_of(sink));
	destroy(files_of(sink));
}

/* What the last run left; what cannot be removed is in nobody's way. */
static void empty(const struct pv_directory *temporary)
{
	int file = openat(temporary->file, ".",
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *directory = file < 0 ? NULL : fdopendir(file);
	const struct dirent *entry;
	while (directory && (entry = readdir(directory)))
		unlinkat(temporary->file, entry->d_name, 0);
	if (directory)
		closedir(directory);
	else if (file >= 0)
		close(file);
}

static bool make_temporary(
    struct files *files, const char *directory, struct pv_why *why)
{
	struct pv_str path = PV_STR(SITE "/" TEMPORARY);
	size_t reached;
	struct pv_directory *temporary =
	    pv_directories_take(files->directories, path, &reached);
	if (!temporary) {
		tell_why(directory, pv_str_head(path, reached), why);
		return false;
	}
	empty(temporary);
	files->has_nameless = pv_nameless_can_be(temporary->file);
	pv_directories_give(files->directories, temporary);
	return true;
}

static struct pv_sink *open_files(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	int root = open(plan->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0) {
		tell_why(plan->directory, PV_STR(""), why);
		return NULL;
	}
	struct files *files = pv_alloc(sizeof(*files));
	files->root = root;
	files->is_portable = plan->policy->output.mirror.portable;
	files->directories = pv_directories_create(root);
	pv_unsynced_init(&files->unsynced);
	if (!pv_unsynced_hold(&files->unsynced, root))
		tell_why(plan->directory, PV_STR(""), why);
	else if (make_temporary(files, plan->directory, why))
		return (struct pv_sink *)files;
	destroy(files);
	return NULL;
}

/* Writing a file; each of these says by errno why not. */

/* Its last component, which is followed by a NUL. */
static const char *name_in(const struct pv_buf *file)
{
	return strrchr(pv_buf_text(file), '/') + 1;
}

/* When it was changed, if the server says so and it was not in the future. A
 * file without is as good. */
static void set_time(int file, const struct pv_page *page)
{
	struct pv_str value =
	    pv_headers_get(&page->response->headers, PV_STR("Last-Modified"));
	int64_t time_ms;
	if (!value.ptr || !pv_date_read(value, page->wall_ms, &time_ms) ||
	    time_ms < 0 || time_ms > page->wall_ms)
		return;
	struct timespec times[2] = {
	    {.tv_nsec = UTIME_OMIT},
	    {.tv_sec = (time_t)(time_ms / 1000)},
	};
	(void)futimens(file, times);
}

static bool write_text(int file, const struct pv_page *page)
{
	struct pv_str text = page->rewritten.ptr ? page->rewritten : page->text;
	struct pv_pieces pieces =
	    pv_pieces_of(text, page->is_mapped && !page->rewritten.ptr);
	struct pv_str piece;
	bool is_written = true;
	while (is_written && pv_pieces_next(&pieces, &piece))
		is_written = pv_file_write(file, piece);
	int saved = errno;
	if (is_written) {
		set_time(file, page);
		pv_unsynced_begin(file, text.len);
	}
	errno = saved;
	return is_written;
}

/* What it says if all was well so far counts, too. */
static bool close_file(int file, bool is_well)
{
	int saved = errno;
	if (close(file) != 0 && is_well)
		return false;
	errno = saved;
	return is_well;
}

/* Writes a file without a name, which it then gets, if nothing has it; and
 * loses, if it cannot be closed: some file systems write it only then. */
static bool write_nameless(
    int file, const struct pv_page *page, const struct pv_directory *directory)
{
	const char *name = name_in(&page->file);
	bool is_named = write_text(file, page) &&
			pv_nameless_name(file, directory->file, name);
	if (close_file(file, is_named))
		return true;
	int saved = errno;
	if (is_named)
		unlinkat(directory->file, name, 0);
	errno = saved;
	return false;
}

#define BEGUN_SIZE 24

/* A file of its own among the temporary ones. What an earlier run has left and
 * could not be removed keeps its name. */
static int begin_file(struct files *files, const struct pv_directory *temporary,
    char name[BEGUN_SIZE])
{
	int file;
	do {
		snprintf(name, BEGUN_SIZE, "%" PRIuFAST64,
		    atomic_fetch_add(&files->count, 1));
		file = openat(temporary->file, name,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	} while (file < 0 && errno == EEXIST);
	return file;
}

static bool is_there(
    const struct pv_directory *directory, const struct pv_buf *file)
{
	struct stat status;
	return fstatat(directory->file, name_in(file), &status,
		   AT_SYMLINK_NOFOLLOW) == 0;
}

/* Whether it is what the page had before. */
static bool is_own(const struct pv_page *page)
{
	struct pv_copy had;
	return pv_copy_unpack(page->visit->copy, &had) &&
	       pv_str_equal(had.file, pv_buf_str(&page->file));
}

/* Makes a whole file among the temporary ones and gives it its name, whatever
 * had that. What had it is known to be there: so this one is on the disk before
 * it takes its place. */
static bool write_and_move(struct files *files, const struct pv_page *page,
    const struct pv_directory *temporary, const struct pv_directory *directory)
{
	char begun[BEGUN_SIZE];
	const char *name = name_in(&page->file);
	int file = begin_file(files, temporary, begun);
	if (file < 0)
		return false;
	bool is_whole =
	    write_text(file, page) &&
	    (!is_there(directory, &page->file) || fdatasync(file) == 0);
	is_whole = close_file(file, is_whole);
	if (is_whole && !is_own(page))
		pv_index_keep(directory->file, name, temporary->file, begun);
	if (is_whole &&
	    renameat(temporary->file, begun, directory->file, name) == 0)
		return true;
	int saved = errno;
	unlinkat(temporary->file, begun, 0);
	errno = saved;
	return false;
}

/* Most names are new. */
static bool write_whole(struct files *files, const struct pv_page *page,
    const struct pv_directory *temporary, const struct pv_directory *directory)
{
	int file = files->has_nameless && !is_there(directory, &page->file)
		       ? pv_nameless_open(directory->file)
		       : -1;
	if (file >= 0 && write_nameless(file, page, directory))
		return true;
	if (file >= 0 && errno != EEXIST)
		return false;
	return write_and_move(files, page, temporary, directory);
}

static struct pv_directory *take(
    struct files *files, struct pv_str path, struct pv_str *fault)
{
	size_t reached;
	struct pv_directory *directory =
	    pv_directories_take(files->directories, path, &reached);
	if (!directory)
		*fault = pv_str_head(path, reached);
	return directory;
}

/* Gives a directory back; if something in it was not found, it may have been
 * removed since it was opened. */
static void give(struct files *files, struct pv_directory *directory, int error)
{
	if (directory && error == ENOENT) {
		pv_directories_forget(files->directories, directory);
		pv_unsynced_forget(&files->unsynced);
	}
	if (directory)
		pv_directories_give(files->directories, directory);
}

/* 0, or an errno and the path that is at fault. */
static int write_once(
    struct files *files, const struct pv_page *page, struct pv_str *fault)
{
	struct pv_str path = pv_buf_str(&page->file);
	struct pv_str parent = pv_str_head(path, pv_str_find_last(path, '/'));
	struct pv_str begun = PV_STR(SITE "/" TEMPORARY);
	struct pv_directory *to = NULL;
	bool is_written = false;
	struct pv_directory *from = take(files, begun, fault);
	if (from)
		to = take(files, parent, fault);
	if (to) {
		*fault = path;
		is_written = write_whole(files, page, from, to);
	}
	if (is_written)
		pv_unsynced_add(&files->unsynced, path);
	int error = is_written ? 0 : errno;
	give(files, from, error);
	give(files, to, error);
	return error;
}

static int write_twice(
    struct files *files, const struct pv_page *page, struct pv_str *fault)
{
	int error = write_once(files, page, fault);
	if (error == ENOENT)
		error = write_once(files, page, fault);
	pv_directories_exit(files->directories);
	return error;
}

/* A page that cannot be kept for want of a descriptor would have to be asked
 * for again: so it waits until nobody else writes one. */
static bool write_file(struct files *files, struct pv_page *page)
{
	struct pv_str fault;
	pv_directories_enter(files->directories);
	int error = write_twice(files, page, &fault);
	if (error == EMFILE || error == ENFILE) {
		pv_directories_enter_alone(files->directories);
		error = write_twice(files, page, &fault);
	}
	if (error)
		tell(page, error, fault);
	return !error;
}

static bool write_name(const struct files *files, struct pv_page *page)
{
	struct pv_url url;
	const struct pv_file_naming naming = {page->type, files->is_portable};
	pv_url_init(&url, ADDRESS_MAX);
	pv_buf_clear(&page->file);
	bool is_named = pv_url_parse(&url, page->visit->url) == PV_URL_OK &&
			pv_file_name_write(&url, &naming, &page->file);
	pv_url_finish(&url);
	return is_named;
}

/* An update has brought the same bytes once more. */
static bool is_kept_already(const struct pv_page *page)
{
	struct pv_copy had;
	return page->change == PV_CHANGE_SAME &&
	       pv_copy_unpack(page->visit->copy, &had) && had.is_there &&
	       pv_str_equal(had.file, pv_buf_str(&page->file));
}

static bool prepare(
    struct pv_sink *sink, struct pv_page *page, struct pv_buf *part)
{
	(void)part;
	if (!page->is_kept || !page->response)
		return true;
	if (!write_name(files_of(sink), page)) {
		tell(page, ENAMETOOLONG, page->visit->url);
		return false;
	}
	if (is_kept_already(page) || write_file(files_of(sink), page))
		return true;
	pv_buf_clear(&page->file);
	return false;
}

static bool sync_files(struct pv_sink *sink, uint64_t *lengths)
{
	struct files *files = files_of(sink);
	(void)lengths;
	return pv_unsynced_sync(&files->unsynced, files->root);
}

const struct pv_sink_kind pv_sink_mirror = {
    .name = "mirror",
    .is_wanted = is_wanted,
    .open = open_files,
    .prepare = prepare,
    .sync = sync_files,
    .close = close_files,
};
