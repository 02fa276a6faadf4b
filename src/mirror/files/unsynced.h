#ifndef PAVANE_MIRROR_FILES_UNSYNCED_H
#define PAVANE_MIRROR_FILES_UNSYNCED_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Files that have got their names, and that a power cut could still take.
 *
 * Any thread adds one; the commit that mentions them syncs them all first. A
 * few are synced one by one, each with the directory that its name is in and
 * those above that may be new, so that we need not wait until something is
 * written out that is somebody else's. Many at once are synced with all that is
 * on their disk, which costs less by then; some of them, if there is not much
 * of others. None is kept open until then: descriptors may be few. Where none
 * is left to open them with, the disk is synced, if it is held.
 */
#define PV_UNSYNCED_FEW 4
#define PV_UNSYNCED_MAX 64
#define PV_UNSYNCED_OTHERS_MAX ((uint64_t)8 << 20)
#define PV_UNSYNCED_BYTES_MAX ((size_t)256 * 1024)
#define PV_UNSYNCED_KNOWN 16

struct pv_unsynced {
	uint64_t (*unwritten)(void); /* of all programs (base/system.h) */
	int disk;                    /* -1: opened when it is synced */
	pthread_mutex_t mutex;
	struct pv_buf paths; /* each ends with a zero */
	size_t count;
	bool has_more; /* than there is room for */

	/* Directories that were synced last, with the names of all above them;
	 * of who syncs. */
	struct pv_buf known[PV_UNSYNCED_KNOWN];
	size_t known_next;
};

void pv_unsynced_init(struct pv_unsynced *unsynced);
void pv_unsynced_finish(struct pv_unsynced *unsynced);

/* Opens the disk that `root` is on, so that it can be synced whenever no
 * descriptor is left. False if it cannot be opened: errno says why. */
bool pv_unsynced_hold(struct pv_unsynced *unsynced, int root);

/* A file of so many bytes is written: a disk that begins with a large one at
 * once has less to do when it is synced, which is when a fault of it is
 * told. */
void pv_unsynced_begin(int file, size_t len);

/* A file has got that name, below the root. */
void pv_unsynced_add(struct pv_unsynced *unsynced, struct pv_str path);

/* Somebody has removed a directory: if one is there again, it is another. */
void pv_unsynced_forget(struct pv_unsynced *unsynced);

/* All that were added are on the disk, below `root`; false if that could not be
 * done: errno says why, and what became of any of them is not known. */
bool pv_unsynced_sync(struct pv_unsynced *unsynced, int root);

#endif
