#ifndef PAVANE_MIRROR_RENAMING_H
#define PAVANE_MIRROR_RENAMING_H

#include "base/buf.h"
#include "sink/directories.h"

/* Files that lie whole, and on the disk, among the temporary ones take the place
 * of what has their names. */
#define PV_RENAMING_NAME_SIZE 48

struct pv_renaming {
	struct pv_buf file;               /* below the crawl's directory */
	char name[PV_RENAMING_NAME_SIZE]; /* among the temporary ones */
	int error;                        /* an errno; then it is removed */
};

/* Each with error set already is removed, too. `temporary` is where they are,
 * below the root of the directories. */
void pv_renaming_run(struct pv_directories *directories,
    struct pv_str temporary, struct pv_renaming *items, size_t count);

#endif
