#ifndef PAVANE_SINK_H
#define PAVANE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"
#include "pavane/events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file of the program's own, kept as the crawl keeps its journal: what it has
 * of a page is committed with that page. After any end, a kill or a power
 * failure included, the next start has the file cut back to the length that was
 * committed, and the pages behind it are requested again; so the file has what
 * is recorded of each committed page exactly once.
 *
 * An answer takes this way: `prepare` computes what is to be kept of it, `append`
 * writes that to the end of the file, `sync` puts the file on the disk and tells
 * its length, and the state, which records the page, keeps the length in the same
 * transaction. A program that writes elsewhere, such as into a database, takes
 * the length for the number of its last row.
 *
 * What comes this way are answers with a status, the same as for on_page: also
 * errors, redirects and, in an update, each answer once more, with status 304
 * where nothing has changed. What was refused, or failed without an answer, does
 * not; nor does robots.txt. pavane_fields requests nothing and calls no sink.
 *
 * The state knows a sink by its name. One that it does not know begins with
 * length 0, and gets the answers from then on, not those of earlier runs. One
 * that is missing in a run keeps its length, and has nothing of that run when it
 * is there again. With is_fresh all begin with length 0.
 *
 * At most 4 sinks are given in the options of a crawl (pavane_crawl_options),
 * which copies the structs and the names. Threads are named as in events.h; verbs
 * of the writer are never called at the same time as one another. What takes long
 * holds the crawl back, and what was prepared counts as memory of the crawl. */

/* Why a verb has failed, to be filled in by it; all of it is 0 before. */
struct pavane_fault {
	int error;      /* an errno, as far as there is one: with ENOSPC, EDQUOT
		      and EFBIG the crawl ends as on a full disk */
	char text[160]; /* a sentence for people, with which the crawl ends;
			   where there is none, that of `error` */
};

/* What `prepare` makes of an answer. */
struct pavane_part;

/* Adds to it. False, with nothing added, if it would be longer than 8 MiB. */
PAVANE_API bool pavane_part_append(
    struct pavane_part *part, const void *bytes, size_t len);

/* What is appended. */
struct pavane_entry {
	const char *address;
	uint16_t status;
	bool is_final;    /* no further try is to come in this round */
	uint64_t number;  /* as on_committed tells it; 0 without on_committed */
	const char *part; /* what was prepared: part_len bytes */
	size_t part_len;
};

struct pavane_sink {
	size_t size; /* PAVANE_INIT(struct pavane_sink) */

	/* Of the bytes a-z, 0-9 and -, at most 32 of them. */
	const char *name;
	void *ctx;

	/* Each verb but `close` says whether it could do its part. If not, the
	 * crawl ends as PAVANE_FAILED, or is not opened, and what was not
	 * committed by then comes again in the next run. */

	/* Where the crawl is opened, the directory being there: cuts the file,
	 * or makes it, to that length. If it is shorter, or other than it was,
	 * that is an error. */
	bool (*recover)(void *ctx, uint64_t length, struct pavane_fault *fault);

	/* pool. Makes of an answer what is to be appended. It may be called in
	 * vain, and again for the same address: what was prepared is dropped if
	 * the answer cannot be kept, or the crawl is stopped for good. So no
	 * pointer to memory travels in it. NULL: nothing is prepared. */
	bool (*prepare)(void *ctx, const struct pavane_page *page,
	    struct pavane_part *part, struct pavane_fault *fault);

	/* writer. Writes it to the end of the file; it need not be on the disk
	 * yet. The texts are borrowed for the call. */
	bool (*append)(void *ctx, const struct pavane_entry *entry,
	    struct pavane_fault *fault);

	/* writer. Before each commit that has something which was appended: puts
	 * it on the disk, and tells how long the file is then. It is never
	 * shorter than before. */
	bool (*sync)(void *ctx, uint64_t *length, struct pavane_fault *fault);

	/* Where the crawl is closed, or could not be opened: once, if `recover`
	 * was called. NULL: nothing is to be done. */
	void (*close)(void *ctx);
};

#ifdef __cplusplus
}
#endif

#endif
