#ifndef PAVANE_CRAWL_RUN_SINKS_H
#define PAVANE_CRAWL_RUN_SINKS_H

#include "sink/sink.h"
#include "store/writer.h"

/* The sinks that a policy wants, as one; and the bond between what they append
 * and what the state says: their lengths are committed with it. */
#define PV_SINKS_MAX PV_PAGE_PARTS_MAX

struct pv_sink_item {
	const struct pv_sink_kind *kind;
	struct pv_sink *sink;
	const char *const *files; /* the sink's; NULL for none */
	size_t file_count;
	uint64_t *lengths; /* of each, as it says ... */
	uint64_t *kept;    /* ... and as the state does */
	bool has_kept;     /* it has all of them */
};

struct pv_sinks {
	struct pv_sink_item items[PV_SINKS_MAX];
	size_t count;
	const char *directory; /* of the crawl */
};

/* Opens them for a store that is open and not started; false, with the reason,
 * if one cannot be. In any case to be closed. */
bool pv_sinks_open(struct pv_sinks *sinks, const struct pv_sink_plan *plan,
    struct pv_why *why);
void pv_sinks_close(struct pv_sinks *sinks);

/* Has what was appended synced before each commit: behind all that may append
 * anything then. */
void pv_sinks_join(struct pv_sinks *sinks, struct pv_writer *writer);

/* In any thread; false, with page->fault, if the disk is in the way. */
bool pv_sinks_prepare(const struct pv_sinks *sinks, struct pv_page *page);

/* The open sink of that kind; NULL if there is none. */
struct pv_sink *pv_sinks_find(
    const struct pv_sinks *sinks, const struct pv_sink_kind *kind);

/* Leaves it in the database, in the writer's thread, that the files of that name
 * cannot be written: errno says why. */
void pv_sinks_fail(struct pv_database *database, const char *name);

/* In the writer's; what goes wrong is left in the database. Of the entry each
 * sink is given its own part. */
void pv_sinks_append(
    const struct pv_sinks *sinks, const struct pv_sink_entry *entry);

#endif
