#ifndef PAVANE_SINK_SINK_H
#define PAVANE_SINK_SINK_H

#include "base/why.h"
#include "record/page.h"

/* Where answers go: files of a mirror, the journal, the report of changes.
 *
 * A kind of sink is a const entry of four verbs. `prepare` is done in any
 * thread and may take its time: it computes, and writes whole files under
 * their final names. `append` and `sync` belong to the thread that commits:
 * what was prepared is written to the end of the kind's file, and its length
 * is true once it is committed with it. `recover` is called at the start, with
 * the length that was committed: what lies beyond it was never promised, and
 * is cut.
 */
struct pv_policy;
struct pv_sink;

struct pv_sink_plan {
	const char *directory;          /* of the crawl; it exists */
	const struct pv_policy *policy; /* outlives the sinks */
	uint64_t round;                 /* of the crawl (record/change.h) */
};

struct pv_sink_kind {
	const char *name;
	const char *file; /* that is appended to; NULL for none */

	bool (*is_wanted)(const struct pv_sink_plan *plan);

	/* NULL, with the reason, if it cannot be. */
	struct pv_sink *(*open)(
	    const struct pv_sink_plan *plan, struct pv_why *why);
	bool (*recover)(
	    struct pv_sink *sink, uint64_t length, struct pv_why *why);

	/* False, with page->fault, if the disk is in the way: then the page
	 * was not kept, and has to be asked for again. */
	bool (*prepare)(struct pv_sink *sink, struct pv_page *page);

	/* Of a page that is the last word on its address, `is_final`. False if
	 * it cannot be written: errno says why. */
	bool (*append)(
	    struct pv_sink *sink, const struct pv_page *page, bool is_final);
	bool (*sync)(struct pv_sink *sink, uint64_t *length);
	void (*close)(struct pv_sink *sink);
};

extern const struct pv_sink_kind pv_sink_mirror;  /* mirror/files/files.c */
extern const struct pv_sink_kind pv_sink_journal; /* sink/journal.c */
extern const struct pv_sink_kind pv_sink_changes; /* sink/changes.c */

/* All kinds, in the order in which they are asked. */
extern const struct pv_sink_kind *const pv_sink_kinds[];
extern const size_t pv_sink_kind_count;

#endif
