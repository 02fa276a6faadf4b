#ifndef PAVANE_MIRROR_LINKS_STUBS_H
#define PAVANE_MIRROR_LINKS_STUBS_H

#include "mirror/links/replacing.h"
#include "mirror/links/targets.h"

/* Pages in the place of addresses that were redirected: a reader who comes to
 * one from outside the mirror, where links were not rewritten, is led on from
 * there.
 *
 * There is one where both the address and the file that it leads to are named
 * as pages, and nothing is kept in its place. What is called so and is not ours
 * is left alone; and a stub without a target is removed.
 */
struct pv_stubs {
	struct pv_database *database;
	struct pv_targets *targets;
	struct pv_replacing *replacing;
	int root;         /* the crawl's directory, open */
	bool is_portable; /* how files are named (mirror/files/file_name.h) */
};

/* All that are needed and do not stand there already; how many these were. It
 * ends where the state cannot be read, as the database or the targets say. */
uint64_t pv_stubs_write(const struct pv_stubs *stubs);

/* The number of the address whose stub has that name, be it there or not; 0 if
 * none has. */
uint64_t pv_stubs_find(
    struct pv_database *database, struct pv_str file, bool is_portable);

/* What one says that leads to that relative address. */
void pv_stub_text(struct pv_str address, struct pv_buf *text);

#endif
