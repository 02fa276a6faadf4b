#include "mirror/replacing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "mirror/renaming.h"

#define TEMPORARY PV_STR(PV_REPLACING_TEMPORARY)

/* So many wait for their place, and take up so much room, at most. Some file
 * systems look long for room for a new file where some were removed just now, so
 * it is better to have many. */
#define WAITING_MAX 4096
#define WAITING_BYTES ((uint64_t)256 << 20)

struct pv_replacing {
	int root;
	const char *name;
	struct pv_directories *directories;
	struct pv_renaming waiting[WAITING_MAX];
	size_t waiting_count;
	uint64_t waiting_bytes;
	uint64_t added;
	uint64_t replaced;
	struct pv_replacing_faults faults;
};

struct pv_replacing *pv_replacing_create(int root, const char *name)
{
	struct pv_replacing *replacing = pv_alloc(sizeof(*replacing));
	replacing->root = root;
	replacing->name = name;
	replacing->directories = pv_directories_create(root);
	for (size_t i = 0; i < WAITING_MAX; i++)
		pv_buf_init(&replacing->waiting[i].file, SIZE_MAX);
	pv_buf_init(&replacing->faults.file, SIZE_MAX);
	return replacing;
}

/* By errno. */
static void note_fault(struct pv_replacing *replacing, struct pv_str file)
{
	int error = errno;
	if (replacing->faults.count++)
		return;
	replacing->faults.error = error;
	pv_buf_append(&replacing->faults.file, file);
}

static struct pv_directory *take(
    struct pv_replacing *replacing, struct pv_str path)
{
	size_t reached;
	return pv_directories_take(replacing->directories, path, &reached);
}

static struct pv_directory *take_parent(
    struct pv_replacing *replacing, struct pv_str file)
{
	return take(replacing, pv_str_head(file, pv_str_find_last(file, '/')));
}

/* Its last component, which is followed by a NUL. */
static const char *name_in(const struct pv_buf *file)
{
	return strrchr(pv_buf_text(file), '/') + 1;
}

/* Writing */

/* A file that was there before keeps its time and its mode. */
static bool keep_like(int file, const struct stat *old)
{
	const struct timespec times[2] = {
	    {.tv_nsec = UTIME_OMIT}, old->st_mtim};
	return !S_ISREG(old->st_mode) ||
	       (fchmod(file, old->st_mode & 0777) == 0 &&
		   futimens(file, times) == 0);
}

/* The disk begins at once, so that less is left to wait for. */
static bool fill(int file, struct pv_str text, const struct stat *old)
{
	bool is_filled = pv_file_write(file, text) && keep_like(file, old);
	if (is_filled)
		(void)sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
	int saved = errno;
	if (close(file) != 0 && is_filled)
		return false;
	errno = saved;
	return is_filled;
}

static bool write_new(struct pv_replacing *replacing,
    struct pv_renaming *waiting, struct pv_str text, const struct stat *old)
{
	struct pv_directory *to = take(replacing, TEMPORARY);
	if (!to)
		return false;
	snprintf(waiting->name, sizeof(waiting->name), "%s-%llu",
	    replacing->name, (unsigned long long)replacing->added++);
	int file = openat(to->file, waiting->name,
	    O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	bool is_written = file >= 0 && fill(file, text, old);
	int saved = errno;
	if (file >= 0 && !is_written)
		unlinkat(to->file, waiting->name, 0);
	pv_directories_give(replacing->directories, to);
	errno = saved;
	return is_written;
}

/* What is called so, if anything is; false if that is no file. */
static bool get_old(
    struct pv_replacing *replacing, const struct pv_buf *file, struct stat *old)
{
	struct pv_directory *parent = take_parent(replacing, pv_buf_str(file));
	*old = (struct stat){.st_mode = 0};
	if (!parent)
		return false;
	bool is_there =
	    fstatat(parent->file, name_in(file), old, AT_SYMLINK_NOFOLLOW) == 0;
	bool is_new = !is_there && errno == ENOENT;
	pv_directories_give(replacing->directories, parent);
	errno = ELOOP;
	return is_new || (is_there && S_ISREG(old->st_mode));
}

/* Taking their places */

static int sync_all(const struct pv_replacing *replacing)
{
	int file =
	    openat(replacing->root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error = file < 0 || syncfs(file) != 0 ? errno : 0;
	if (file >= 0)
		close(file);
	return error;
}

/* What could not be put on the disk does not take the place of what is there. */
static void flush(struct pv_replacing *replacing)
{
	size_t count = replacing->waiting_count;
	int error = count ? sync_all(replacing) : 0;
	for (size_t i = 0; i < count; i++)
		replacing->waiting[i].error = error;
	pv_renaming_run(
	    replacing->directories, TEMPORARY, replacing->waiting, count);
	for (size_t i = 0; i < count; i++) {
		errno = replacing->waiting[i].error;
		if (errno)
			note_fault(
			    replacing, pv_buf_str(&replacing->waiting[i].file));
		else
			replacing->replaced++;
	}
	replacing->waiting_count = 0;
	replacing->waiting_bytes = 0;
}

void pv_replacing_add(
    struct pv_replacing *replacing, struct pv_str file, struct pv_str text)
{
	struct pv_renaming *waiting =
	    &replacing->waiting[replacing->waiting_count];
	struct stat old;
	pv_buf_clear(&waiting->file);
	pv_buf_append(&waiting->file, file);
	if (!get_old(replacing, &waiting->file, &old) ||
	    !write_new(replacing, waiting, text, &old)) {
		note_fault(replacing, file);
		return;
	}
	replacing->waiting_bytes += text.len;
	if (++replacing->waiting_count == WAITING_MAX ||
	    replacing->waiting_bytes > WAITING_BYTES)
		flush(replacing);
}

void pv_replacing_remove(struct pv_replacing *replacing, struct pv_str file)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append(&path, file);
	struct pv_directory *parent = take_parent(replacing, file);
	bool is_removed =
	    parent && unlinkat(parent->file, name_in(&path), 0) == 0;
	if (!is_removed)
		note_fault(replacing, file);
	if (parent)
		pv_directories_give(replacing->directories, parent);
	pv_buf_finish(&path);
}

uint64_t pv_replacing_end(
    struct pv_replacing *replacing, struct pv_replacing_faults *faults)
{
	flush(replacing);
	uint64_t replaced = replacing->replaced;
	*faults = replacing->faults;
	for (size_t i = 0; i < WAITING_MAX; i++)
		pv_buf_finish(&replacing->waiting[i].file);
	pv_directories_destroy(replacing->directories);
	free(replacing);
	return replaced;
}
