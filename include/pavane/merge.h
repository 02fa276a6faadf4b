#ifndef PAVANE_MERGE_H
#define PAVANE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"

/* Several crawls in one directory: the parts of one crawl, or the workers of a
 * fleet. */

#ifdef __cplusplus
extern "C" {
#endif

struct pavane_merge_options {
	size_t size;
	const char *output; /* the directory that is made: there is none, or it
			       is empty */
	const char *const *directories; /* of crawls that do not run */
	size_t directory_count;
	bool (*is_enough)(void *ctx); /* whether to give up; asked for each line
					 and each address; NULL: no */
	pavane_line_fn on_line;
	void *ctx;
};

struct pavane_merged {
	size_t size;
	uint64_t lines; /* of the journal */
	uint64_t stale; /* of these that were final, until another took their
			   place */
	uint64_t files; /* of a mirror */
	bool is_cut;    /* is_enough said so: there is no output */
};

/* Makes one directory of those of several crawls by one policy, or of a fleet's
 * workers whose policy may have changed, for pavane_audit,
 * pavane_explain, pavane_status_read and all who read journals and rows; no crawl
 * goes on there. The journal has all lines by time, each with its worker: the
 * number that a fleet gave it, or where there is none the place of the directory,
 * or the next number that nobody has. Of several final lines for one address in
 * one round one stays final, and the others are stale; where a fleet's crawl is
 * finished, each address has one.
 * The directories stay as they are. False, with the reason given to on_line, if it
 * could not be done: there is no output then, either. */
PAVANE_API bool pavane_merge(
    const struct pavane_merge_options *options, struct pavane_merged *merged);

#ifdef __cplusplus
}
#endif

#endif
