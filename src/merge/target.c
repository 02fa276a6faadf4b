#include "merge/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define MARK "merging"
#define FILE_BYTES ((size_t)256 * 1024)

/* Above this a line does not fit, and nothing writes a longer one. */
#define LINE_MAX_BYTES ((size_t)8 * 1024 * 1024)

static bool fail(const char *path, struct pv_why *why, const char *what)
{
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""), "%s: %s",
	    what, strerror(errno));
	return false;
}

static void path_of(
    const struct pv_merge_target *target, const char *name, struct pv_buf *path)
{
	pv_buf_init(path, SIZE_MAX);
	pv_buf_append_format(
	    path, "%s/%s", pv_buf_text(&target->directory), name);
}

/* Opening */

/* Whether a directory has nothing in it; also one that is not there. */
static bool is_empty(const char *path)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;
	bool is_it = directory || errno == ENOENT;
	while (directory && is_it && (entry = readdir(directory)))
		is_it = strcmp(entry->d_name, ".") == 0 ||
			strcmp(entry->d_name, "..") == 0;
	if (directory)
		closedir(directory);
	return is_it;
}

static bool is_free(const struct pv_merge_target *target, struct pv_why *why)
{
	const char *path = pv_buf_text(&target->output);
	if (target->output.len && is_empty(path))
		return true;
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
	    "exists and is not an empty directory: choose another output");
	return false;
}

static bool has_mark(const struct pv_merge_target *target)
{
	struct pv_buf path;
	struct stat facts;
	path_of(target, MARK, &path);
	bool has = lstat(pv_buf_text(&path), &facts) == 0;
	pv_buf_finish(&path);
	return has;
}

static int remove_one(
    const char *path, const struct stat *facts, int type, struct FTW *at)
{
	(void)facts;
	(void)type;
	(void)at;
	return remove(path);
}

static bool remove_all(const struct pv_merge_target *target)
{
	return nftw(pv_buf_text(&target->directory), remove_one, 32,
		   FTW_DEPTH | FTW_PHYS) == 0 ||
	       errno == ENOENT;
}

/* Whoever made it has ended, or its lock would be held. */
static bool remove_earlier(
    const struct pv_merge_target *target, struct pv_why *why)
{
	const char *path = pv_buf_text(&target->directory);
	if (is_empty(path))
		return rmdir(path) == 0 || errno == ENOENT ||
		       fail(path, why, "cannot be removed");
	if (!has_mark(target)) {
		pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
		    "is in the way: the merge is made in a directory of that "
		    "name; move it away, or choose another output");
		return false;
	}
	if (pv_lock_holder(path)) {
		pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
		    "another merge is at work there: wait for it, or choose "
		    "another output");
		return false;
	}
	return remove_all(target) || fail(path, why, "cannot be removed");
}

static bool mark(const struct pv_merge_target *target, struct pv_why *why)
{
	struct pv_buf path;
	path_of(target, MARK, &path);
	int file = open(
	    pv_buf_text(&path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool is_marked =
	    file >= 0 || fail(pv_buf_text(&path), why, "cannot be created");
	if (file >= 0)
		close(file);
	pv_buf_finish(&path);
	return is_marked;
}

static bool make(struct pv_merge_target *target, struct pv_why *why)
{
	const char *path = pv_buf_text(&target->directory);
	if (!pv_file_make_directory(path, 0777))
		return fail(path, why, "cannot be created");
	if (!mark(target, why))
		return false;
	target->is_open = pv_lock_take(&target->lock, path, why);
	return target->is_open;
}

bool pv_merge_target_open(
    struct pv_merge_target *target, const char *output, struct pv_why *why)
{
	struct pv_str name = pv_str_of(output);
	*target = (struct pv_merge_target){.is_open = false};
	pv_buf_init(&target->output, SIZE_MAX);
	pv_buf_init(&target->directory, SIZE_MAX);
	while (name.len > 1 && name.ptr[name.len - 1] == '/')
		name = pv_str_head(name, name.len - 1);
	pv_buf_append(&target->output, name);
	pv_buf_append_format(
	    &target->directory, "%s.merging", pv_buf_text(&target->output));
	return is_free(target, why) && remove_earlier(target, why) &&
	       make(target, why);
}

/* Finishing */

static bool sync_all(const struct pv_merge_target *target)
{
	int directory = open(pv_buf_text(&target->directory),
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_synced = directory >= 0 && syncfs(directory) == 0;
	if (directory >= 0)
		close(directory);
	return is_synced;
}

static void remove_mark(const struct pv_merge_target *target)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/" MARK, pv_buf_text(&target->output));
	unlink(pv_buf_text(&path));
	pv_buf_finish(&path);
}

bool pv_merge_target_finish(struct pv_merge_target *target, struct pv_why *why)
{
	const char *directory = pv_buf_text(&target->directory);
	const char *output = pv_buf_text(&target->output);
	if (!sync_all(target))
		return fail(directory, why, "cannot be written to the disk");
	if (rename(directory, output) != 0)
		return fail(output, why,
		    "cannot be created by renaming what was merged");
	target->is_open = false;
	pv_lock_give(&target->lock);
	remove_mark(target);
	return pv_file_sync_name(output) ||
	       fail(output, why, "cannot be written to the disk");
}

void pv_merge_target_close(struct pv_merge_target *target)
{
	if (target->is_open) {
		remove_all(target);
		pv_lock_give(&target->lock);
	}
	pv_buf_finish(&target->output);
	pv_buf_finish(&target->directory);
}

/* Files */

static bool make_above(const struct pv_buf *path)
{
	struct pv_buf above;
	size_t slash = pv_str_find_last(pv_buf_str(path), '/');
	pv_buf_init(&above, SIZE_MAX);
	pv_buf_append(&above, pv_str_head(pv_buf_str(path), slash));
	bool is_made = pv_file_make_directory(pv_buf_text(&above), 0777);
	pv_buf_finish(&above);
	return is_made;
}

bool pv_merge_file_open(struct pv_merge_file *file,
    const struct pv_merge_target *target, const char *name, unsigned mode,
    struct pv_why *why)
{
	*file = (struct pv_merge_file){.file = -1};
	pv_buf_init(&file->bytes, FILE_BYTES + LINE_MAX_BYTES);
	path_of(target, name, &file->path);
	const char *path = pv_buf_text(&file->path);
	if (make_above(&file->path))
		file->file =
		    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	return file->file >= 0 || fail(path, why, "cannot be created");
}

static bool write_out(struct pv_merge_file *file, struct pv_why *why)
{
	bool is_written = pv_file_write(file->file, pv_buf_str(&file->bytes));
	file->length += file->bytes.len;
	pv_buf_clear(&file->bytes);
	return is_written ||
	       fail(pv_buf_text(&file->path), why, "cannot be written");
}

bool pv_merge_file_flush(struct pv_merge_file *file, struct pv_why *why)
{
	return file->bytes.len < FILE_BYTES || write_out(file, why);
}

bool pv_merge_file_close(struct pv_merge_file *file, struct pv_why *why)
{
	bool is_written = file->file >= 0 && write_out(file, why);
	if (file->file >= 0 && close(file->file) != 0 && is_written)
		is_written =
		    fail(pv_buf_text(&file->path), why, "cannot be written");
	pv_buf_finish(&file->path);
	pv_buf_finish(&file->bytes);
	return is_written;
}

/* Copying */

static bool copy_bytes(
    int from, struct pv_merge_file *to, uint64_t length, struct pv_why *why)
{
	while (length) {
		size_t most = length < FILE_BYTES ? (size_t)length : FILE_BYTES;
		char *room = pv_buf_reserve(&to->bytes, most);
		ssize_t got = read(from, room, most);
		if (got < 0)
			return fail(pv_buf_text(&to->path), why,
			    "what it is copied from cannot be read");
		if (!got)
			return true;
		to->bytes.len += (size_t)got;
		if (length != PV_MERGE_WHOLE)
			length -= (uint64_t)got;
		if (!pv_merge_file_flush(to, why))
			return false;
	}
	return true;
}

static int open_plain(const char *path, struct stat *facts, struct pv_why *why)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (file < 0) {
		fail(path, why, "cannot be read");
	} else if (fstat(file, facts) != 0 || !S_ISREG(facts->st_mode)) {
		pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
		    "is no file");
		close(file);
		file = -1;
	}
	return file;
}

bool pv_merge_file_take(struct pv_merge_file *file, const char *path,
    uint64_t length, struct pv_why *why)
{
	struct stat facts;
	int from = open_plain(path, &facts, why);
	bool is_taken = from >= 0 && copy_bytes(from, file, length, why);
	if (from >= 0)
		close(from);
	return is_taken;
}

bool pv_merge_target_copy(const struct pv_merge_target *target,
    const char *directory, const char *name, struct pv_why *why)
{
	struct pv_buf path;
	struct pv_merge_file to;
	struct stat facts;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, name);
	int from = open_plain(pv_buf_text(&path), &facts, why);
	pv_buf_finish(&path);
	if (from < 0)
		return false;
	bool is_copied =
	    pv_merge_file_open(&to, target, name, facts.st_mode & 0777, why) &&
	    copy_bytes(from, &to, PV_MERGE_WHOLE, why);
	is_copied = pv_merge_file_close(&to, why) && is_copied;
	close(from);
	return is_copied;
}
