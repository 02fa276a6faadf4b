#include "mirror/files/unsynced.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.h"

#define LARGE_BYTES ((size_t)64 * 1024)

void pv_unsynced_init(struct pv_unsynced *unsynced)
{
	*unsynced =
	    (struct pv_unsynced){.unwritten = pv_unwritten_bytes, .disk = -1};
	pthread_mutex_init(&unsynced->mutex, NULL);
	pv_buf_init(&unsynced->paths, PV_UNSYNCED_BYTES_MAX);
	for (size_t i = 0; i < PV_UNSYNCED_KNOWN; i++)
		pv_buf_init(&unsynced->known[i], PV_UNSYNCED_BYTES_MAX);
}

bool pv_unsynced_hold(struct pv_unsynced *unsynced, int root)
{
	unsynced->disk = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return unsynced->disk >= 0;
}

void pv_unsynced_finish(struct pv_unsynced *unsynced)
{
	if (unsynced->disk >= 0)
		close(unsynced->disk);
	pv_buf_finish(&unsynced->paths);
	for (size_t i = 0; i < PV_UNSYNCED_KNOWN; i++)
		pv_buf_finish(&unsynced->known[i]);
	pthread_mutex_destroy(&unsynced->mutex);
}

void pv_unsynced_begin(int file, size_t len)
{
#ifdef SYNC_FILE_RANGE_WRITE
	if (len >= LARGE_BYTES)
		(void)sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
	(void)file;
	(void)len;
#endif
}

void pv_unsynced_add(struct pv_unsynced *unsynced, struct pv_str path)
{
	struct pv_buf *paths = &unsynced->paths;
	pthread_mutex_lock(&unsynced->mutex);
	bool has_room = unsynced->count < PV_UNSYNCED_MAX &&
			path.len < PV_UNSYNCED_BYTES_MAX - paths->len;
	if (has_room) {
		pv_buf_append(paths, path);
		pv_buf_append_char(paths, '\0');
		unsynced->count++;
	} else {
		unsynced->has_more = true;
	}
	pthread_mutex_unlock(&unsynced->mutex);
}

/* Whether somebody has put a pipe or a device in the place of what we wrote. */
static bool is_special(int file)
{
	struct stat status;
	return fstat(file, &status) == 0 && !S_ISREG(status.st_mode) &&
	       !S_ISDIR(status.st_mode);
}

/* Opens it, has it synced, and closes it; false, with errno, if it cannot
 * be. */
static bool sync_one(int root, const char *path, int (*sync_file)(int file))
{
	int file =
	    openat(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return false;
	bool is_synced = is_special(file) || sync_file(file) == 0;
	int saved = errno;
	close(file);
	errno = saved;
	return is_synced;
}

/* What somebody else has removed, or put a link in the place of, is nothing
 * that could be lost. */
static bool is_gone(void)
{
	return errno == ENOENT || errno == ELOOP;
}

/* Neither is empty where it is true. */
static bool is_at_or_above(struct pv_str above, struct pv_str directory)
{
	return above.len && pv_str_starts(directory, above) &&
	       (directory.len == above.len || directory.ptr[above.len] == '/');
}

/* Whether a directory's own name is on the disk, and those of all above it: of
 * one that we have synced, or of one above that. */
static bool is_known(struct pv_unsynced *unsynced, struct pv_str directory)
{
	bool is_one = false;
	pthread_mutex_lock(&unsynced->mutex);
	for (size_t i = 0; !is_one && i < PV_UNSYNCED_KNOWN; i++) {
		struct pv_str known = pv_buf_str(&unsynced->known[i]);
		is_one = is_at_or_above(directory, known);
	}
	pthread_mutex_unlock(&unsynced->mutex);
	return is_one;
}

/* In the place of one above it, which it stands for as well. */
static void remember(struct pv_unsynced *unsynced, struct pv_str directory)
{
	pthread_mutex_lock(&unsynced->mutex);
	struct pv_buf *place = NULL;
	for (size_t i = 0; !place && i < PV_UNSYNCED_KNOWN; i++) {
		struct pv_str known = pv_buf_str(&unsynced->known[i]);
		if (is_at_or_above(known, directory))
			place = &unsynced->known[i];
	}
	if (!place) {
		place = &unsynced->known[unsynced->known_next++];
		unsynced->known_next %= PV_UNSYNCED_KNOWN;
	}
	pv_buf_clear(place);
	pv_buf_append(place, directory);
	pthread_mutex_unlock(&unsynced->mutex);
}

void pv_unsynced_forget(struct pv_unsynced *unsynced)
{
	pthread_mutex_lock(&unsynced->mutex);
	for (size_t i = 0; i < PV_UNSYNCED_KNOWN; i++)
		pv_buf_clear(&unsynced->known[i]);
	pthread_mutex_unlock(&unsynced->mutex);
}

/* The directory, and those above it that a new name may be in: up to one that
 * is known, and, of what is gone, at least to the nearest that is there. The
 * path is empty for the root. */
static bool sync_upwards(struct pv_unsynced *unsynced, int root, char *path)
{
	bool is_there = sync_one(root, *path ? path : ".", fsync);
	if (!is_there && !is_gone())
		return false;
	if (!is_there)
		pv_unsynced_forget(unsynced);
	if (!*path || is_known(unsynced, pv_str_of(path)))
		return true;
	char *slash = strrchr(path, '/');
	char *end = slash ? slash : path;
	char saved = *end;
	*end = '\0';
	bool is_synced = sync_upwards(unsynced, root, path);
	*end = saved;
	if (is_synced && is_there)
		remember(unsynced, pv_str_of(path));
	return is_synced;
}

/* The directory of the path, whose text is cut for that; the same as last time
 * has been synced. */
static bool sync_directory_of(
    struct pv_unsynced *unsynced, int root, char *path, const char **last)
{
	char *slash = strrchr(path, '/');
	*(slash ? slash : path) = '\0';
	if (*last && strcmp(*last, path) == 0)
		return true;
	*last = path;
	return sync_upwards(unsynced, root, path);
}

static bool sync_each(
    struct pv_unsynced *unsynced, int root, struct pv_buf *paths)
{
	char *end = paths->ptr + paths->len;
	const char *last = NULL;
	for (char *path = paths->ptr; path < end; path += strlen(path) + 1) {
		if (!sync_one(root, path, fdatasync) && !is_gone())
			return false;
	}
	for (char *path = paths->ptr; path < end;) {
		size_t len = strlen(path);
		if (!sync_directory_of(unsynced, root, path, &last))
			return false;
		path += len + 1;
	}
	return true;
}

static bool are_worth_a_disk(const struct pv_unsynced *unsynced)
{
	return unsynced->has_more ||
	       (unsynced->count > PV_UNSYNCED_FEW &&
		   unsynced->unwritten() <= PV_UNSYNCED_OTHERS_MAX);
}

static bool sync_disk(const struct pv_unsynced *unsynced, int root)
{
	return unsynced->disk >= 0 ? syncfs(unsynced->disk) == 0
				   : sync_one(root, ".", syncfs);
}

/* The files cannot be opened. */
static bool can_sync_disk_only(const struct pv_unsynced *unsynced)
{
	return unsynced->disk >= 0 && (errno == EMFILE || errno == ENFILE);
}

bool pv_unsynced_sync(struct pv_unsynced *unsynced, int root)
{
	struct pv_buf paths;
	pthread_mutex_lock(&unsynced->mutex);
	bool is_disk = are_worth_a_disk(unsynced);
	paths = unsynced->paths;
	pv_buf_init(&unsynced->paths, PV_UNSYNCED_BYTES_MAX);
	unsynced->count = 0;
	unsynced->has_more = false;
	pthread_mutex_unlock(&unsynced->mutex);
	bool is_synced =
	    !is_disk && (!paths.len || sync_each(unsynced, root, &paths));
	if (is_disk || (!is_synced && can_sync_disk_only(unsynced)))
		is_synced = sync_disk(unsynced, root);
	int saved = errno;
	pv_buf_finish(&paths);
	errno = saved;
	return is_synced;
}
