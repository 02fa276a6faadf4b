#ifndef PAVANE_CLI_RUN_ENDING_H
#define PAVANE_CLI_RUN_ENDING_H

#include <stdbool.h>
#include <stdio.h>

#include "pavane/pavane.h"

/* What is said when a crawl has ended, however that came: what was done, what
 * was refused and why, where to look, and the command that goes on. */
struct pv_ending {
	const char *program;   /* as it was called: "./pavane" */
	const char *directory; /* of the crawl */
	const char *address;   /* that it began at, or NULL */
	bool is_passing;       /* what was crawled is gone with us, and no
				  command goes on */
	bool is_of_fleet;      /* no directory by itself goes on */
};

/* The command that goes on from a directory, to be copied into a shell. */
void pv_ending_write_command(
    const char *program, const char *directory, FILE *file);

void pv_ending_write(const struct pv_ending *ending,
    const struct pavane_progress *progress, FILE *file);

#endif
