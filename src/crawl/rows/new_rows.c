#include "crawl/rows/new_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "fields/output/layout.h"
#include "store/tables/note.h"

/* That the promise is open. */
#define NOTE PV_STR("fields-new")

#define OLD PV_FIELDS_DIRECTORY
#define NEW PV_NEW_ROWS_DIRECTORY "/" PV_FIELDS_DIRECTORY

/* A file in the new directory tells it from the old, in whichever place it is,
 * until the promise is kept. */
#define MARK ".new"
#define ASIDE PV_NEW_ROWS_DIRECTORY "/old"

static bool fail(const char *directory, const char *what, struct pv_why *why)
{
	pv_why_add(why, (struct pv_place){.file = directory}, PV_STR(""),
	    "%s cannot be written anew: %s: %s", PV_FIELDS_DIRECTORY, what,
	    strerror(errno));
	return false;
}

static int remove_one(
    const char *path, const struct stat *facts, int type, struct FTW *at)
{
	(void)facts;
	(void)type;
	(void)at;
	return remove(path);
}

static bool remove_all(const char *directory, struct pv_why *why)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/" PV_NEW_ROWS_DIRECTORY, directory);
	bool is_gone = nftw(pv_buf_text(&path), remove_one, 32,
			   FTW_DEPTH | FTW_PHYS) == 0 ||
		       errno == ENOENT ||
		       fail(directory, "removing fields.new", why);
	pv_buf_finish(&path);
	return is_gone;
}

static int open_root(const char *directory)
{
	return open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool pv_new_rows_make(const char *directory, struct pv_why *why)
{
	struct pv_buf path;
	if (!remove_all(directory, why))
		return false;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/" PV_NEW_ROWS_DIRECTORY, directory);
	bool is_made = mkdir(pv_buf_text(&path), 0777) == 0 ||
		       fail(directory, "making fields.new", why);
	pv_buf_finish(&path);
	return is_made;
}

/* Marks */

static bool make_mark(int root)
{
	int file = openat(root, NEW "/" MARK,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	return file >= 0 && close(file) == 0;
}

static bool is_marked(int root, const char *mark)
{
	struct stat facts;
	return fstatat(root, mark, &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool sync_both(int root)
{
	return pv_file_sync_directory(root, ".") &&
	       (pv_file_sync_directory(root, PV_NEW_ROWS_DIRECTORY) ||
		   errno == ENOENT);
}

bool pv_new_rows_promise(
    const char *directory, struct pv_database *database, struct pv_why *why)
{
	int root = open_root(directory);
	bool is_made = root >= 0 && make_mark(root) &&
		       pv_file_sync_directory(root, NEW) && sync_both(root);
	if (!is_made)
		fail(directory, "preparing fields.new", why);
	if (root >= 0)
		close(root);
	pv_note_set(database, NOTE, 1);
	return is_made;
}

/* Keeping a promise */

/* In one step where the file system knows how; else there is none for a
 * moment. */
static bool exchange(int root)
{
	if (renameat2(root, OLD, root, NEW, RENAME_EXCHANGE) == 0)
		return true;
	if (renameat(root, OLD, root, ASIDE) != 0 && errno != ENOENT)
		return false;
	return renameat(root, NEW, root, OLD) == 0;
}

static bool keep(const char *directory, struct pv_why *why)
{
	int root = open_root(directory);
	bool is_kept =
	    root >= 0 && (!is_marked(root, NEW "/" MARK) || exchange(root)) &&
	    sync_both(root) &&
	    (unlinkat(root, OLD "/" MARK, 0) == 0 || errno == ENOENT);
	if (!is_kept)
		fail(directory, "putting fields.new in its place", why);
	if (root >= 0)
		close(root);
	return is_kept;
}

static bool tell_state(const char *directory,
    const struct pv_database *database, struct pv_why *why)
{
	if (pv_database_status(database) == PV_STORE_OK)
		return true;
	pv_why_add(why, (struct pv_place){.file = directory}, PV_STR(""),
	    "state.db cannot be used: %s", pv_database_fault(database));
	return false;
}

static bool forget(
    const char *directory, struct pv_database *database, struct pv_why *why)
{
	pv_database_begin(database);
	pv_notes_forget(database, NOTE);
	pv_database_commit(database);
	return tell_state(directory, database, why);
}

bool pv_new_rows_settle(
    const char *directory, struct pv_database *database, struct pv_why *why)
{
	bool is_open = pv_note_get(database, NOTE, 0) != 0;
	return tell_state(directory, database, why) &&
	       (!is_open || (keep(directory, why) &&
				forget(directory, database, why))) &&
	       remove_all(directory, why);
}
