#ifndef PAVANE_SINK_SINK_H
#define PAVANE_SINK_SINK_H

#include "base/why.h"
#include "policy/shard.h"
#include "record/page.h"

/* Where answers go: files of a mirror, the journal, the report of changes, and
 * what the state keeps of them. Each is a row of a table.
 *
 * A kind of sink is a const entry of verbs; where it does nothing, a verb is
 * NULL. `prepare` is done in any thread and may take its time: it computes, and
 * writes whole files under their final names; what it wants to have when the
 * page is appended it puts into its part of the page. `append` and `sync`
 * belong to the thread that commits: what was prepared is written to the end of
 * the kind's files or into the state, and the lengths of the files are true
 * once they are committed with it. `recover` is called at the start, with the
 * lengths that were committed: what lies beyond them was never promised, and is
 * cut.
 */
struct pavane_sink;
struct pv_database;
struct pv_linking;
struct pv_policy;
struct pv_program;
struct pv_record;
struct pv_sink;
struct pv_untold;
struct pv_vouchers;

struct pv_sink_plan {
	const char *directory;          /* of the crawl; it exists */
	const struct pv_policy *policy; /* outlives the sinks */
	struct pv_shard shard;          /* of a crawl that is divided */
	uint64_t round;                 /* of the crawl (record/change.h) */
	uint64_t journal_generation;    /* of the journal's file that is
					   appended to (record/journal_name.h)
					   ... */
	int64_t journal_turn_ms;        /* ... which is followed by the next
					   after so long; 0: never */

	/* For those that write into the state (crawl/consumers) */
	struct pv_database *database;
	struct pv_vouchers *vouchers;
	struct pv_linking *linking;
	struct pv_program *program; /* NULL for none */
	struct pv_untold *untold;

	/* Those of the program that runs the crawl (pavane/sink.h), and the one
	 * of them that is to be opened */
	const struct pavane_sink *const *own_sinks;
	size_t own_sink_count;
	const struct pavane_sink *own_sink;
};

/* A page that is appended. */
struct pv_sink_entry {
	const struct pv_page *page;
	const struct pv_buf *part;      /* what this sink has prepared of it */
	const struct pv_record *record; /* of its visit; NULL: there was none */
	bool is_final;                  /* it is the last word on its address */
	uint64_t *number; /* of the page, for the program that runs the crawl:
			     set by its consumer; NULL without a record */
	struct pv_database *database;
};

struct pv_sink_kind {
	const char *name;

	bool (*is_wanted)(const struct pv_sink_plan *plan); /* NULL: always */

	/* NULL, with the reason, if it cannot be. */
	struct pv_sink *(*open)(
	    const struct pv_sink_plan *plan, struct pv_why *why);

	/* The names of those that an open sink appends to, below the directory,
	 * with a NULL behind them: as many as its policy asks for, and the
	 * sink's. NULL: it has none. `lengths` below have one for each. */
	const char *const *(*files)(const struct pv_sink *sink);
	bool (*recover)(
	    struct pv_sink *sink, const uint64_t *lengths, struct pv_why *why);

	/* False, with page->fault, if the disk is in the way: then the page
	 * was not kept, and has to be asked for again. */
	bool (*prepare)(
	    struct pv_sink *sink, struct pv_page *page, struct pv_buf *part);

	/* False if it cannot be written: errno says why. What goes wrong with
	 * the state the database knows. */
	bool (*append)(struct pv_sink *sink, const struct pv_sink_entry *entry);

	/* Puts all of it on the disk, or into the state; how long the files are
	 * then. */
	bool (*sync)(struct pv_sink *sink, uint64_t *lengths);

	/* Once these lengths are set: whether from now on it appends to others,
	 * which are empty, and committed as such with those. */
	bool (*turn)(struct pv_sink *sink);
	void (*close)(struct pv_sink *sink);
};

extern const struct pv_sink_kind pv_sink_mirror;   /* mirror/files/files.c */
extern const struct pv_sink_kind pv_sink_journal;  /* sink/journal.c */
extern const struct pv_sink_kind pv_sink_changes;  /* sink/changes.c */
extern const struct pv_sink_kind pv_sink_fields;   /* fields/output/output.c */
extern const struct pv_sink_kind pv_sink_outbound; /* sink/outbound.c */

/* All kinds that write files, in the order in which they are asked; those that
 * write into the state stand in crawl/consumers/consumers.h. */
extern const struct pv_sink_kind *const pv_sink_kinds[];
extern const size_t pv_sink_kind_count;

#endif
