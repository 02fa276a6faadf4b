#ifndef PAVANE_MIRROR_LINKS_RELINKING_H
#define PAVANE_MIRROR_LINKS_RELINKING_H

#include "base/why.h"
#include "url/crawl_identity.h"

/* Links the documents of a mirror to one another.
 *
 * A page is kept with whole addresses for links, so that none is broken,
 * however the run ends. When it has ended, all documents are read once more: a
 * link to what was kept becomes a relative one to its file, and one to a file
 * that is no longer there becomes the whole address again. Only documents in
 * which something changes are written. It can be done at any time, and over
 * again; documents are shared among threads.
 */
struct pv_relinking_plan {
	const char *directory; /* of the crawl */
	const struct pv_crawl_identity *identity;
	size_t threads;
	bool is_portable; /* how files are named (mirror/files/file_name.h) */
	size_t link_max;  /* longer links are left as they are */

	/* Whether to end before the end; asked for each document, by any of the
	 * threads, but by one at a time. */
	bool (*is_enough)(void *ctx);
	void *ctx;
};

struct pv_relinking {
	uint64_t documents; /* read */
	uint64_t changed;
	uint64_t failed; /* could not be read, looked up or written */
	bool is_cut;     /* ended before the end, or where the state could not
			    be read: what is not linked then is as before */
	char fault[200]; /* the first failure, in words */
};

/* False, with the reason, if it cannot be begun. */
bool pv_relinking_run(const struct pv_relinking_plan *plan,
    struct pv_relinking *result, struct pv_why *why);

#endif
