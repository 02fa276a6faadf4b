#include "mirror/spares.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"

struct spare {
	char name[PV_SPARE_NAME_SIZE];
};

/* In the order in which they came. */
struct pv_spares {
	pthread_mutex_t mutex;
	struct spare *items;
	size_t listed;
	size_t size;
	size_t dropped; /* that stood before those, and were taken */
	size_t count;   /* that were added */
	size_t synced;  /* of them */
	size_t taken;   /* of those, or of all in the end */
};

struct pv_spares *pv_spares_create(void)
{
	struct pv_spares *spares = pv_alloc(sizeof(*spares));
	pthread_mutex_init(&spares->mutex, NULL);
	return spares;
}

void pv_spares_destroy(struct pv_spares *spares)
{
	pthread_mutex_destroy(&spares->mutex);
	free(spares->items);
	free(spares);
}

/* Instead of a longer list: most are taken soon. */
static void drop_taken(struct pv_spares *spares)
{
	size_t taken = spares->taken - spares->dropped;
	if (taken <= spares->size / 2)
		return;
	spares->listed -= taken;
	spares->dropped += taken;
	memmove(spares->items, spares->items + taken,
	    spares->listed * sizeof(*spares->items));
}

void pv_spares_add(struct pv_spares *spares, const char *name)
{
	pthread_mutex_lock(&spares->mutex);
	if (spares->listed == spares->size)
		drop_taken(spares);
	struct spare *spare =
	    PV_ARRAY_PUSH(spares->items, spares->listed, spares->size);
	snprintf(spare->name, sizeof(spare->name), "%s", name);
	spares->count++;
	pthread_mutex_unlock(&spares->mutex);
}

uint64_t pv_spares_added(struct pv_spares *spares)
{
	pthread_mutex_lock(&spares->mutex);
	uint64_t added = spares->count;
	pthread_mutex_unlock(&spares->mutex);
	return added;
}

void pv_spares_synced(struct pv_spares *spares, uint64_t added)
{
	pthread_mutex_lock(&spares->mutex);
	spares->synced = added;
	pthread_mutex_unlock(&spares->mutex);
}

static bool take(struct pv_spares *spares, const size_t *most, char *name)
{
	pthread_mutex_lock(&spares->mutex);
	bool is_taken = spares->taken < *most;
	if (is_taken)
		memcpy(name,
		    spares->items[spares->taken++ - spares->dropped].name,
		    PV_SPARE_NAME_SIZE);
	pthread_mutex_unlock(&spares->mutex);
	return is_taken;
}

bool pv_spares_take(struct pv_spares *spares, char name[PV_SPARE_NAME_SIZE])
{
	return take(spares, &spares->count, name);
}

/* Nobody else has it open: who wants to hear of others who open a file gets that
 * wish only then. The signal by which he would hear of it is one that does
 * nothing. */
static bool is_open_nowhere_else(int file)
{
	bool is_alone = fcntl(file, F_SETSIG, SIGURG) == 0 &&
			fcntl(file, F_SETLEASE, F_WRLCK) == 0;
	if (is_alone)
		fcntl(file, F_SETLEASE, F_UNLCK);
	return is_alone;
}

/* Where files have a mark of what they are for the system, all that are side by
 * side here have the same. */
static bool has_more_than_text(int file)
{
	static const char mark[] = "security.selinux";
	char names[sizeof(mark)];
	ssize_t len = flistxattr(file, names, sizeof(names));
	if (len < 0)
		return errno != ENOTSUP;
	return len &&
	       (len != sizeof(mark) || memcmp(names, mark, sizeof(mark)) != 0);
}

/* Nor has it another name, or more than a text. */
static bool is_ours_alone(int file)
{
	struct stat status;
	return fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
	       status.st_nlink == 1 && !has_more_than_text(file) &&
	       is_open_nowhere_else(file);
}

int pv_spares_open(struct pv_spares *spares,
    const struct pv_directory *directory, char name[PV_SPARE_NAME_SIZE])
{
	while (take(spares, &spares->synced, name)) {
		int file = openat(
		    directory->file, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
		if (file >= 0 && is_ours_alone(file))
			return file;
		unlinkat(directory->file, name, 0);
		if (file >= 0)
			close(file);
	}
	return -1;
}
