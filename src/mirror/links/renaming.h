#ifndef PAVANE_MIRROR_LINKS_RENAMING_H
#define PAVANE_MIRROR_LINKS_RENAMING_H

#include "base/buf.h"
#include "mirror/links/spares.h"

/* Files that lie whole, and on the disk, among the temporary ones take the place
 * of what has their names; what had them is a spare then, among the temporary
 * ones, if the file system can exchange two files. */
struct pv_renaming {
	struct pv_buf file;            /* below the crawl's directory */
	char name[PV_SPARE_NAME_SIZE]; /* among the temporary ones */
	int error;                     /* an errno; then it is removed */
};

struct pv_renaming_plan {
	struct pv_directories *directories;
	struct pv_str temporary; /* where those are, below the same root */
	struct pv_spares *spares;
	struct pv_renaming *items; /* one with an error is removed, too */
	size_t count;
};

void pv_renaming_run(const struct pv_renaming_plan *plan);

#endif
