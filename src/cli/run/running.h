#ifndef PAVANE_CLI_RUN_RUNNING_H
#define PAVANE_CLI_RUN_RUNNING_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/run/options.h"

/* One crawl, from its directory's name to the program's exit status: what
 * `crawl`, `mirror`, `continue`, `update` and `demo` have in common. */
struct pv_run {
	const struct pv_options *options;
	const struct pavane_policy *policy;
	const struct pavane_sources *sources; /* of it, to be read again; NULL:
						 it cannot be */
	const char *directory; /* NULL: as the options or the policy say */
	const char *address;   /* that it begins at, if there is one; or NULL */
	const char *preface;   /* whole lines that are said once the directory
				has been; or NULL */

	bool is_update; /* what a finished crawl has is asked for once more */

	bool is_passing; /* no command will go on with it */

	/* What else is to be said at the end; returns the exit status that
	 * then holds. NULL for nothing. */
	int (*examine)(
	    void *ctx, const struct pavane_progress *progress, FILE *file);
	void *ctx;
};

/* The policy has no problems. */
int pv_run_crawl(const struct pv_run *run);

/* Prints what a crawl would do, and does none of it; returns the exit
 * status. */
int pv_dry_run(const struct pv_run *run);

#endif
