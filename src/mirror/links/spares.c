#include "mirror/links/spares.h"

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

/* Spares of one size are on one shelf, in so many units; the last shelf has all
 * that are larger. */
#define SHELVES 64
#define UNIT 4096

struct spare {
	struct spare *next;
	uint64_t bytes;
	char name[PV_SPARE_NAME_SIZE];
};

struct pv_spares {
	pthread_mutex_t mutex;
	struct spare *oldest; /* that is not synced */
	struct spare **newest_next;
	struct spare *shelves[SHELVES]; /* the others */
	uint64_t added;
	uint64_t synced;
};

struct pv_spares *pv_spares_create(void)
{
	struct pv_spares *spares = pv_alloc(sizeof(*spares));
	pthread_mutex_init(&spares->mutex, NULL);
	spares->newest_next = &spares->oldest;
	return spares;
}

static void free_all(struct spare *spare)
{
	while (spare) {
		struct spare *next = spare->next;
		free(spare);
		spare = next;
	}
}

void pv_spares_destroy(struct pv_spares *spares)
{
	free_all(spares->oldest);
	for (size_t i = 0; i < SHELVES; i++)
		free_all(spares->shelves[i]);
	pthread_mutex_destroy(&spares->mutex);
	free(spares);
}

void pv_spares_add(struct pv_spares *spares, const char *name, uint64_t bytes)
{
	struct spare *spare = pv_alloc(sizeof(*spare));
	spare->bytes = bytes;
	snprintf(spare->name, sizeof(spare->name), "%s", name);
	pthread_mutex_lock(&spares->mutex);
	*spares->newest_next = spare;
	spares->newest_next = &spare->next;
	spares->added++;
	pthread_mutex_unlock(&spares->mutex);
}

uint64_t pv_spares_added(struct pv_spares *spares)
{
	pthread_mutex_lock(&spares->mutex);
	uint64_t added = spares->added;
	pthread_mutex_unlock(&spares->mutex);
	return added;
}

static size_t shelf_of(uint64_t bytes)
{
	uint64_t units = (bytes + UNIT - 1) / UNIT;
	return units < SHELVES ? (size_t)units : SHELVES - 1;
}

static void shelve_oldest(struct pv_spares *spares)
{
	struct spare *spare = spares->oldest;
	struct spare **shelf = &spares->shelves[shelf_of(spare->bytes)];
	spares->oldest = spare->next;
	if (!spares->oldest)
		spares->newest_next = &spares->oldest;
	spare->next = *shelf;
	*shelf = spare;
	spares->synced++;
}

void pv_spares_synced(struct pv_spares *spares, uint64_t added)
{
	pthread_mutex_lock(&spares->mutex);
	while (spares->synced < added)
		shelve_oldest(spares);
	pthread_mutex_unlock(&spares->mutex);
}

/* The best there is: the largest that need not be made smaller, for a disk that
 * discards unused blocks takes time for that. */
static struct spare **best_for(struct pv_spares *spares, uint64_t bytes)
{
	size_t wanted = shelf_of(bytes);
	for (size_t i = wanted + 1; i--;) {
		if (spares->shelves[i])
			return &spares->shelves[i];
	}
	for (size_t i = wanted + 1; i < SHELVES; i++) {
		if (spares->shelves[i])
			return &spares->shelves[i];
	}
	return NULL;
}

static bool take(
    struct pv_spares *spares, uint64_t bytes, char name[PV_SPARE_NAME_SIZE])
{
	pthread_mutex_lock(&spares->mutex);
	struct spare **shelf = best_for(spares, bytes);
	struct spare *spare = shelf ? *shelf : NULL;
	if (spare)
		*shelf = spare->next;
	pthread_mutex_unlock(&spares->mutex);
	bool is_taken = spare != NULL;
	if (is_taken)
		memcpy(name, spare->name, PV_SPARE_NAME_SIZE);
	free(spare);
	return is_taken;
}

bool pv_spares_take(struct pv_spares *spares, char name[PV_SPARE_NAME_SIZE])
{
	return take(spares, 0, name);
}

/* Nobody else has it open: who wants to hear of others who open a file gets
 * that wish only then. The signal by which he would hear of it is one that does
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
    const struct pv_directory *directory, uint64_t bytes,
    char name[PV_SPARE_NAME_SIZE])
{
	while (take(spares, bytes, name)) {
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
