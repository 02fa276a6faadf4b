#include "mirror/files/directories.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/reader.h"
#include "base/system.h"

/* So many are kept at most, and no more than such a part of what may be open:
 * who sends requests needs descriptors, too. */
#define KEPT_MAX 32
#define KEPT_PART 16

struct entry {
	struct pv_directory directory; /* first: what is given out */
	struct pv_buf path;
	unsigned users;
	uint64_t used;
	bool is_kept;
};

struct pv_directories {
	int root;
	pthread_rwlock_t users; /* for writing: who is alone */
	pthread_mutex_t door;   /* kept shut by who waits to be alone */
	pthread_mutex_t mutex;  /* of all below, and of the entries */
	struct entry *kept[KEPT_MAX];
	size_t count;
	size_t most;
	uint64_t takes;
};

static struct entry *entry_of(struct pv_directory *directory)
{
	return (struct entry *)(void *)directory;
}

static size_t most_kept(void)
{
	uint64_t most = pv_descriptors_limit() / KEPT_PART;
	if (most >= KEPT_MAX)
		return KEPT_MAX;
	return most ? (size_t)most : 1;
}

struct pv_directories *pv_directories_create(int root)
{
	struct pv_directories *directories = pv_alloc(sizeof(*directories));
	directories->root = root;
	directories->most = most_kept();
	pthread_rwlock_init(&directories->users, NULL);
	pthread_mutex_init(&directories->door, NULL);
	pthread_mutex_init(&directories->mutex, NULL);
	return directories;
}

static void destroy_entry(struct entry *entry)
{
	close(entry->directory.file);
	pv_buf_finish(&entry->path);
	free(entry);
}

void pv_directories_destroy(struct pv_directories *directories)
{
	if (!directories)
		return;
	for (size_t i = 0; i < directories->count; i++)
		destroy_entry(directories->kept[i]);
	pthread_mutex_destroy(&directories->mutex);
	pthread_mutex_destroy(&directories->door);
	pthread_rwlock_destroy(&directories->users);
	free(directories);
}

/* Walking */

static int open_directory(int parent, const char *name)
{
	int file =
	    openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;
	if (file < 0 && errno == ENOTDIR &&
	    fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
		errno = S_ISLNK(status.st_mode) ? ELOOP : ENOTDIR;
	return file;
}

static int make_directory(int parent, const char *name)
{
	int file = open_directory(parent, name);
	if (file >= 0 || errno != ENOENT)
		return file;
	if (mkdirat(parent, name, 0777) != 0 && errno != EEXIST)
		return -1;
	return open_directory(parent, name);
}

/* One component further; the parent is closed unless it is the root. */
static int step(
    struct pv_directories *directories, int parent, struct pv_str component)
{
	struct pv_buf name;
	pv_buf_init(&name, component.len);
	pv_buf_append(&name, component);
	int file = make_directory(parent, pv_buf_text(&name));
	int saved = errno;
	pv_buf_finish(&name);
	if (parent != directories->root)
		close(parent);
	errno = saved;
	return file;
}

static int walk(
    struct pv_directories *directories, struct pv_str path, size_t *reached)
{
	struct pv_reader reader = pv_reader_of(path);
	int file = directories->root;
	while (file >= 0 && !pv_reader_is_end(&reader)) {
		struct pv_str component = pv_reader_take_until(&reader, '/');
		file = step(directories, file, component);
		if (file < 0)
			*reached = path.len - pv_reader_left(&reader);
		pv_reader_accept(&reader, '/');
	}
	return file;
}

/* Keeping */

static struct entry *find(
    const struct pv_directories *directories, struct pv_str path)
{
	for (size_t i = 0; i < directories->count; i++) {
		struct entry *entry = directories->kept[i];
		if (pv_str_equal(pv_buf_str(&entry->path), path))
			return entry;
	}
	return NULL;
}

static void leave(struct pv_directories *directories, size_t number)
{
	struct entry *entry = directories->kept[number];
	directories->kept[number] = directories->kept[--directories->count];
	entry->is_kept = false;
	if (!entry->users)
		destroy_entry(entry);
}

/* Makes room where everything is kept, for which the one goes that nobody has
 * asked for the longest. */
static void leave_oldest(struct pv_directories *directories)
{
	size_t oldest = 0;
	for (size_t i = 1; i < directories->count; i++) {
		if (directories->kept[i]->used <
		    directories->kept[oldest]->used)
			oldest = i;
	}
	leave(directories, oldest);
}

static void use(struct pv_directories *directories, struct entry *entry)
{
	entry->users++;
	entry->used = ++directories->takes;
}

static struct entry *keep(
    struct pv_directories *directories, struct pv_str path, int file)
{
	struct entry *entry = pv_alloc(sizeof(*entry));
	entry->directory.file = file;
	entry->is_kept = true;
	pv_buf_init(&entry->path, path.len);
	pv_buf_append(&entry->path, path);
	if (directories->count == directories->most)
		leave_oldest(directories);
	directories->kept[directories->count++] = entry;
	return entry;
}

static void leave_all(struct pv_directories *directories)
{
	pthread_mutex_lock(&directories->mutex);
	while (directories->count)
		leave(directories, directories->count - 1);
	pthread_mutex_unlock(&directories->mutex);
}

void pv_directories_enter(struct pv_directories *directories)
{
	pthread_mutex_lock(&directories->door);
	pthread_rwlock_rdlock(&directories->users);
	pthread_mutex_unlock(&directories->door);
}

void pv_directories_enter_alone(struct pv_directories *directories)
{
	pthread_mutex_lock(&directories->door);
	pthread_rwlock_wrlock(&directories->users);
	pthread_mutex_unlock(&directories->door);
	leave_all(directories);
}

void pv_directories_exit(struct pv_directories *directories)
{
	pthread_rwlock_unlock(&directories->users);
}

/* Where descriptors are few, none is kept for later. */
static int walk_by_all_means(
    struct pv_directories *directories, struct pv_str path, size_t *reached)
{
	int file = walk(directories, path, reached);
	if (file >= 0 || (errno != EMFILE && errno != ENFILE))
		return file;
	leave_all(directories);
	return walk(directories, path, reached);
}

struct pv_directory *pv_directories_take(
    struct pv_directories *directories, struct pv_str path, size_t *reached)
{
	pthread_mutex_lock(&directories->mutex);
	struct entry *entry = find(directories, path);
	if (!entry) {
		/* Others need not wait for the disk; if one of them comes to
		 * the same path, it is kept twice for a while. */
		pthread_mutex_unlock(&directories->mutex);
		int file = walk_by_all_means(directories, path, reached);
		if (file < 0)
			return NULL;
		pthread_mutex_lock(&directories->mutex);
		entry = keep(directories, path, file);
	}
	use(directories, entry);
	pthread_mutex_unlock(&directories->mutex);
	return &entry->directory;
}

void pv_directories_give(
    struct pv_directories *directories, struct pv_directory *directory)
{
	struct entry *entry = entry_of(directory);
	pthread_mutex_lock(&directories->mutex);
	bool is_last = --entry->users == 0 && !entry->is_kept;
	pthread_mutex_unlock(&directories->mutex);
	if (is_last)
		destroy_entry(entry);
}

void pv_directories_forget(
    struct pv_directories *directories, const struct pv_directory *directory)
{
	pthread_mutex_lock(&directories->mutex);
	for (size_t i = 0; i < directories->count; i++) {
		if (&directories->kept[i]->directory == directory) {
			leave(directories, i);
			break;
		}
	}
	pthread_mutex_unlock(&directories->mutex);
}
