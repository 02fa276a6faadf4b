#ifndef PAVANE_MERGE_MERGE_H
#define PAVANE_MERGE_MERGE_H

#include "base/why.h"

/* One directory made of those of several crawls: the parts of one crawl by one
 * policy, or the workers of a fleet (merge/policies.h).
 *
 * Its journal has all of their lines by time, each with its worker. Where several
 * have fetched one address in one round, one line stays `final`: of what was
 * fetched the last, by the server's time where workers have measured it
 * (audit/clock_file.h); the others become `stale`. State, rows and files are those
 * of whoever has that line. Of a fleet's crawl that is finished each address has a
 * final line (merge/completion.h). Nobody can go on with the crawl there: it is for
 * reading, by status, explain, audit and programs.
 *
 * The directories are locked meanwhile, and stay as they are. All is written to
 * OUTPUT.merging, which gets its name at the end: however it ends, there is
 * either nothing or all of it. What a merge that was cut short has left there the
 * next one removes. Memory does not grow with the journals.
 */
struct pv_merge_options {
	const char *output;
	const char *const *directories;
	size_t count;
	bool (*is_enough)(void *ctx); /* whether to give up: asked for each line
					 and each address; NULL: no */
	void *ctx;
};

struct pv_merge_result {
	uint64_t lines; /* of the journal */
	uint64_t stale; /* of them that had been final */
	uint64_t files; /* of a mirror */
	bool is_cut;    /* it was enough: there is no output */
};

/* False, with the reason, if it could not be done; what is worth a word (a crawl
 * that is not finished, what nobody can merge) is noted. */
bool pv_merge_run(const struct pv_merge_options *options,
    struct pv_merge_result *result, struct pv_why *why);

#endif
