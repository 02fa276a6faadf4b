#ifndef PAVANE_MIRROR_LOOKUP_DOCUMENT_WALK_H
#define PAVANE_MIRROR_LOOKUP_DOCUMENT_WALK_H

#include "mirror/lookup/page_links.h"
#include "store/tables/link_notes.h"

/* All documents of a mirror are read, a thread on each processor, and what they
 * link to among what is wanted is noted.
 *
 * The state and the notes are used by one thread at a time, under a lock: each
 * takes the next few documents, reads them on its own, and hands in what it has
 * found. The caller's thread reads as well, and gets the progress in between.
 * What is gone from its server is passed over: nobody reads it there.
 */
struct pv_document_walk {
	const struct pv_kept_state *state;
	const struct pv_wanted_links *wanted;
	struct pv_link_notes *notes;
	void (*on_progress)(void *ctx, uint64_t read, uint64_t all);
	void *ctx;

	/* what came of it */
	uint64_t files;     /* that there are, documents and others */
	uint64_t seen;      /* of them, so far */
	uint64_t documents; /* that were read */
	uint64_t unread;    /* could not be, or not as a whole */
};

/* Faults are those of the state's database and of the notes'. */
void pv_document_walk_run(struct pv_document_walk *walk);

#endif
