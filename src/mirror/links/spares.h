#ifndef PAVANE_MIRROR_LINKS_SPARES_H
#define PAVANE_MIRROR_LINKS_SPARES_H

#include <stdbool.h>
#include <stdint.h>

#include "mirror/files/directories.h"

/* Files that lost their names to others. The next texts are written over them,
 * since file systems take longer to make and remove files than to fill them,
 * and some much longer.
 *
 * Two things are minded. Until it is on the disk that a file has lost its name,
 * it keeps its text: else what comes back after a power cut would be another
 * page. And a file that somebody still reads, or has by another name, is left
 * to him. For any number of threads. */
#define PV_SPARE_NAME_SIZE 48

struct pv_spares;

struct pv_spares *pv_spares_create(void);
void pv_spares_destroy(struct pv_spares *spares);

/* One that takes up so much room is in the directory now. */
void pv_spares_add(struct pv_spares *spares, const char *name, uint64_t bytes);

/* How many were added so far; and that it is on the disk of so many, counted
 * from the first: only those are available. */
uint64_t pv_spares_added(struct pv_spares *spares);
void pv_spares_synced(struct pv_spares *spares, uint64_t added);

/* Opens one to be written over with so much, and tells its name; -1 if there is
 * none. */
int pv_spares_open(struct pv_spares *spares,
    const struct pv_directory *directory, uint64_t bytes,
    char name[PV_SPARE_NAME_SIZE]);

/* Takes any out of the list; false if there is none. */
bool pv_spares_take(struct pv_spares *spares, char name[PV_SPARE_NAME_SIZE]);

#endif
