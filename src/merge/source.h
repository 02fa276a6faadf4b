#ifndef PAVANE_MERGE_SOURCE_H
#define PAVANE_MERGE_SOURCE_H

#include "audit/parts.h"
#include "base/why.h"
#include "policy/policy.h"
#include "store/lock.h"
#include "store/tables/merged_state.h"

/* An update: the crawl itself is the first round, and not among them. */
struct pv_merge_round {
	int64_t number;
	int64_t began_wall_ms; /* by the source's own clock */
	int64_t ended_wall_ms; /* 0: it was not there at its end */
};

/* A directory that is merged: locked, its state open to be read. */
struct pv_merge_source {
	const char *directory; /* the caller's */
	struct pv_lock lock;
	bool is_locked;
	struct pv_merged_source state;
	struct pv_policy *policy;
	struct pv_audit_parts journal;
	int64_t run_count;
	int64_t fleet_crawl;  /* the number of its fleet's crawl; 0: it is no
				fleet's worker */
	int64_t fleet_worker; /* which of its workers it was last; 0 */
	int64_t worker;       /* whose line was read last (merge/workers.h) */
	int64_t finished_at;  /* wall time; 0: it has not come to its end */
	struct pv_merge_round *rounds; /* in which it took part */
	size_t round_count;
	size_t round_size;
	struct pv_distant_rows *distant_rows; /* NULL: it has none */

	/* the file of its journal that was read last */
	int file; /* -1: none */
	uint64_t generation;
};

/* False, with the reason, if it cannot be used: no crawl, one that runs, a merge
 * itself. A source that is all zeros can be closed. */
bool pv_merge_source_open(struct pv_merge_source *source, const char *directory,
    int64_t place, struct pv_why *why);
void pv_merge_source_close(struct pv_merge_source *source);

/* In which round of the crawl it was then, from 1. */
int64_t pv_merge_source_round(
    const struct pv_merge_source *source, int64_t wall_ms);

/* The last round in which it took part. */
int64_t pv_merge_source_last_round(const struct pv_merge_source *source);

/* Whether it has come to the end of that round. */
bool pv_merge_source_has_finished(
    const struct pv_merge_source *source, int64_t round);

/* Whether both are workers of one fleet. */
bool pv_merge_source_is_of_fleet(
    const struct pv_merge_source *source, const struct pv_merge_source *first);

/* Whether another worker has read the page since, and its rows stand for what this one
 * was given. */
bool pv_merge_source_has_distant_rows(
    const struct pv_merge_source *source, struct pv_str url);

/* Notes what is still pending in it. */
void pv_merge_source_tell_unfinished(
    const struct pv_merge_source *source, struct pv_why *why);

/* Its path of that name below the directory. */
void pv_merge_path(
    const char *directory, const char *name, struct pv_buf *path);

/* Puts a piece of its journal into a buffer; false, with the reason, if that
 * cannot be read. */
bool pv_merge_source_read(struct pv_merge_source *source, uint64_t generation,
    uint64_t offset, uint64_t length, struct pv_buf *piece, struct pv_why *why);

#endif
