#include "mirror/links/replacing.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/file.h"
#include "base/system.h"
#include "mirror/links/spares.h"

#define TEMPORARY PV_STR(PV_REPLACING_TEMPORARY)

/* So many wait for their place, or take up so much room: at least, that there
 * is a point in it, and at most. Between the two it is as the disk likes. */
#define WAITING_MIN 64
#define WAITING_BYTES_MIN ((uint64_t)4 << 20)
#define WAITING_MAX 4096
#define WAITING_BYTES_MAX ((uint64_t)64 << 20)

/* A file that lies whole among the temporary ones. */
struct item {
	struct pv_buf file;            /* whose place it takes */
	char name[PV_SPARE_NAME_SIZE]; /* until then */
};

/* Files that take their places together. */
struct batch {
	struct item *items;
	size_t count;
	size_t size;
	uint64_t bytes;
};

struct pv_replacing {
	int root;
	const char *name;
	struct pv_directories *directories;
	struct pv_spares *spares;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	pthread_t thread;
	bool is_started;
	bool is_ending;
	struct batch waiting;
	uint64_t made;
	uint64_t replaced;
	int disk_error; /* an errno; what is written since may be lost, too */
	struct pv_replacing_faults faults;
};

/* By errno. */
static void note_fault(struct pv_replacing *replacing, struct pv_str file)
{
	int error = errno;
	pthread_mutex_lock(&replacing->mutex);
	if (!replacing->faults.count++) {
		replacing->faults.error = error;
		pv_buf_append(&replacing->faults.file, file);
	}
	pthread_mutex_unlock(&replacing->mutex);
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

/* What was written over may have been longer; to ask is less work than to cut
 * nothing off. */
static bool cut(int file, size_t len)
{
	struct stat status;
	return fstat(file, &status) == 0 &&
	       (status.st_size == (off_t)len ||
		   ftruncate(file, (off_t)len) == 0);
}

static bool fill(int file, struct pv_str text, const struct stat *old)
{
	bool is_filled = pv_file_write(file, text) && cut(file, text.len) &&
			 keep_like(file, old);
	int saved = errno;
	if (close(file) != 0 && is_filled)
		return false;
	errno = saved;
	return is_filled;
}

static int begin_file(const struct pv_directory *to, const char *name)
{
	return openat(to->file, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* What a run that was killed left under that name may have been a page before,
 * which somebody still reads or has by another name. */
static int make_file(struct pv_replacing *replacing,
    const struct pv_directory *to, char name[PV_SPARE_NAME_SIZE])
{
	pthread_mutex_lock(&replacing->mutex);
	uint64_t number = replacing->made++;
	pthread_mutex_unlock(&replacing->mutex);
	snprintf(
	    name, PV_SPARE_NAME_SIZE, "%s-%" PRIu64, replacing->name, number);
	int file = begin_file(to, name);
	if (file >= 0 || errno != EEXIST)
		return file;
	unlinkat(to->file, name, 0);
	return begin_file(to, name);
}

/* One that is new to the tree is new altogether, and its mode is as the user
 * likes it. */
static int open_file(struct pv_replacing *replacing,
    const struct pv_directory *to, const struct stat *old, size_t len,
    char name[PV_SPARE_NAME_SIZE])
{
	int file = S_ISREG(old->st_mode)
		       ? pv_spares_open(replacing->spares, to, len, name)
		       : -1;
	return file >= 0 ? file : make_file(replacing, to, name);
}

static bool write_text(struct pv_replacing *replacing, struct item *item,
    struct pv_str text, const struct stat *old)
{
	struct pv_directory *to = take(replacing, TEMPORARY);
	if (!to)
		return false;
	int file = open_file(replacing, to, old, text.len, item->name);
	bool is_written = file >= 0 && fill(file, text, old);
	int saved = errno;
	if (file >= 0 && !is_written)
		unlinkat(to->file, item->name, 0);
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
	int error =
	    fstatat(parent->file, name_in(file), old, AT_SYMLINK_NOFOLLOW) == 0
		? 0
		: errno;
	pv_directories_give(replacing->directories, parent);
	errno = error ? error : ELOOP;
	return error ? error == ENOENT : S_ISREG(old->st_mode);
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

static bool is_file(int directory, const char *name, struct stat *status)
{
	return fstatat(directory, name, status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(status->st_mode);
}

/* What had the name is a spare then, if the file system can exchange two
 * files. */
static bool rename_item(
    struct pv_replacing *replacing, int from, const struct item *item)
{
	struct pv_directory *to =
	    take_parent(replacing, pv_buf_str(&item->file));
	const char *place = name_in(&item->file);
	struct stat old;
	if (!to)
		return false;
	bool is_exchanged =
	    is_file(to->file, place, &old) &&
	    renameat2(from, item->name, to->file, place, RENAME_EXCHANGE) == 0;
	bool is_renamed =
	    is_exchanged || renameat(from, item->name, to->file, place) == 0;
	int saved = errno;
	if (is_exchanged)
		pv_spares_add(
		    replacing->spares, item->name, (uint64_t)old.st_size);
	pv_directories_give(replacing->directories, to);
	errno = saved;
	return is_renamed;
}

static void move_item(struct pv_replacing *replacing,
    const struct pv_directory *from, const struct item *item, int error)
{
	errno = error;
	if (from && !error && rename_item(replacing, from->file, item)) {
		replacing->replaced++;
		return;
	}
	note_fault(replacing, pv_buf_str(&item->file));
	if (from)
		unlinkat(from->file, item->name, 0);
}

/* What could not be put on the disk does not take the place of what is there. A
 * disk tells of it once only, and that may have been of files that were written
 * while others were put there. */
static int sync_before(struct pv_replacing *replacing)
{
	uint64_t spares = pv_spares_added(replacing->spares);
	if (!replacing->disk_error)
		replacing->disk_error = sync_all(replacing);
	if (!replacing->disk_error)
		pv_spares_synced(replacing->spares, spares);
	return replacing->disk_error;
}

static void move(struct pv_replacing *replacing, struct batch *batch)
{
	struct pv_directory *from = take(replacing, TEMPORARY);
	int error = from ? sync_before(replacing) : errno;
	for (size_t i = 0; i < batch->count; i++) {
		move_item(replacing, from, &batch->items[i], error);
		pv_buf_finish(&batch->items[i].file);
	}
	if (from)
		pv_directories_give(replacing->directories, from);
	free(batch->items);
}

static bool is_worth_it(const struct batch *batch)
{
	return batch->count >= WAITING_MIN || batch->bytes >= WAITING_BYTES_MIN;
}

static void *move_batches(void *ctx)
{
	struct pv_replacing *replacing = ctx;
	struct batch batch;
	pthread_mutex_lock(&replacing->mutex);
	for (;;) {
		while (
		    !is_worth_it(&replacing->waiting) && !replacing->is_ending)
			pthread_cond_wait(
			    &replacing->changed, &replacing->mutex);
		if (!replacing->waiting.count)
			break;
		batch = replacing->waiting;
		replacing->waiting = (struct batch){.items = NULL};
		pthread_cond_broadcast(&replacing->changed);
		pthread_mutex_unlock(&replacing->mutex);
		move(replacing, &batch);
		pthread_mutex_lock(&replacing->mutex);
	}
	pthread_mutex_unlock(&replacing->mutex);
	return NULL;
}

/* Adding */

static bool is_full(const struct batch *batch)
{
	return batch->count >= WAITING_MAX || batch->bytes >= WAITING_BYTES_MAX;
}

static void push(
    struct pv_replacing *replacing, const struct item *item, uint64_t bytes)
{
	struct batch *waiting = &replacing->waiting;
	pthread_mutex_lock(&replacing->mutex);
	while (is_full(waiting) && replacing->is_started)
		pthread_cond_wait(&replacing->changed, &replacing->mutex);
	*PV_ARRAY_PUSH(waiting->items, waiting->count, waiting->size) = *item;
	waiting->bytes += bytes;
	if (is_worth_it(waiting))
		pthread_cond_broadcast(&replacing->changed);
	pthread_mutex_unlock(&replacing->mutex);
}

void pv_replacing_add(
    struct pv_replacing *replacing, struct pv_str file, struct pv_str text)
{
	struct item item;
	struct stat old;
	pv_buf_init(&item.file, SIZE_MAX);
	pv_buf_append(&item.file, file);
	if (get_old(replacing, &item.file, &old) &&
	    write_text(replacing, &item, text, &old)) {
		push(replacing, &item, text.len);
		return;
	}
	note_fault(replacing, file);
	pv_buf_finish(&item.file);
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

/* Beginning and ending */

struct pv_replacing *pv_replacing_create(int root, const char *name)
{
	struct pv_replacing *replacing = pv_alloc(sizeof(*replacing));
	replacing->root = root;
	replacing->name = name;
	replacing->directories = pv_directories_create(root);
	replacing->spares = pv_spares_create();
	pthread_mutex_init(&replacing->mutex, NULL);
	pthread_cond_init(&replacing->changed, NULL);
	pv_buf_init(&replacing->faults.file, SIZE_MAX);
	replacing->is_started = pv_thread_start(
	    &replacing->thread, "replacing", move_batches, replacing);
	return replacing;
}

static void begin_end(struct pv_replacing *replacing)
{
	pthread_mutex_lock(&replacing->mutex);
	replacing->is_ending = true;
	pthread_cond_broadcast(&replacing->changed);
	pthread_mutex_unlock(&replacing->mutex);
}

static void end_thread(struct pv_replacing *replacing)
{
	if (replacing->is_started)
		pthread_join(replacing->thread, NULL);
	else
		move_batches(replacing);
}

static void remove_spares(struct pv_replacing *replacing)
{
	char name[PV_SPARE_NAME_SIZE];
	struct pv_directory *from = take(replacing, TEMPORARY);
	while (from && pv_spares_take(replacing->spares, name))
		unlinkat(from->file, name, 0);
	if (from)
		pv_directories_give(replacing->directories, from);
}

/* What the last ones have taken the place of is not let go of before that is on
 * the disk, either. */
static void sync_last(struct pv_replacing *replacing)
{
	if (replacing->replaced && !replacing->disk_error) {
		replacing->disk_error = sync_all(replacing);
		errno = replacing->disk_error;
		if (errno)
			note_fault(replacing, TEMPORARY);
	}
	pv_spares_synced(replacing->spares, pv_spares_added(replacing->spares));
}

/* Most that are to go do so while the last ones take their places. */
uint64_t pv_replacing_end(
    struct pv_replacing *replacing, struct pv_replacing_faults *faults)
{
	begin_end(replacing);
	remove_spares(replacing);
	end_thread(replacing);
	sync_last(replacing);
	remove_spares(replacing);
	uint64_t replaced = replacing->replaced;
	*faults = replacing->faults;
	pv_spares_destroy(replacing->spares);
	pv_directories_destroy(replacing->directories);
	pthread_cond_destroy(&replacing->changed);
	pthread_mutex_destroy(&replacing->mutex);
	free(replacing);
	return replaced;
}
