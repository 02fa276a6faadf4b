#include "sink/unsynced.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void pv_unsynced_init(struct pv_unsynced *unsynced)
{
	*unsynced = (struct pv_unsynced){.count = 0};
	pthread_mutex_init(&unsynced->mutex, NULL);
}

static void close_all(const struct pv_unsynced_file *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		close(items[i].file);
		close(items[i].directory);
	}
}

void pv_unsynced_finish(struct pv_unsynced *unsynced)
{
	close_all(unsynced->items, unsynced->count);
	pthread_mutex_destroy(&unsynced->mutex);
}

/* The directory may be open only to be walked through, and is opened again. */
void pv_unsynced_add(struct pv_unsynced *unsynced, int file, int directory)
{
	int opened = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	pthread_mutex_lock(&unsynced->mutex);
	bool has_room = opened >= 0 && unsynced->count < PV_UNSYNCED_MAX;
	if (has_room)
		unsynced->items[unsynced->count++] =
		    (struct pv_unsynced_file){file, opened};
	else
		unsynced->has_more = true;
	pthread_mutex_unlock(&unsynced->mutex);
	if (has_room)
		return;
	close(file);
	if (opened >= 0)
		close(opened);
}

static bool sync_each(const struct pv_unsynced_file *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (fdatasync(items[i].file) != 0)
			return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (fsync(items[i].directory) != 0)
			return false;
	}
	return true;
}

/* The root may be open only to be walked through. */
static bool sync_disk(int root)
{
	int file = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file < 0)
		return false;
	bool is_synced = syncfs(file) == 0;
	int saved = errno;
	close(file);
	errno = saved;
	return is_synced;
}

bool pv_unsynced_sync(struct pv_unsynced *unsynced, int root)
{
	struct pv_unsynced_file items[PV_UNSYNCED_MAX];
	pthread_mutex_lock(&unsynced->mutex);
	size_t count = unsynced->count;
	bool has_more = unsynced->has_more;
	memcpy(items, unsynced->items, count * sizeof(*items));
	unsynced->count = 0;
	unsynced->has_more = false;
	pthread_mutex_unlock(&unsynced->mutex);
	bool is_synced = has_more ? sync_disk(root) : sync_each(items, count);
	int saved = errno;
	close_all(items, count);
	errno = saved;
	return is_synced;
}
