#ifndef PAVANE_CLI_RUN_PLAIN_LINES_H
#define PAVANE_CLI_RUN_PLAIN_LINES_H

#include <stdbool.h>
#include <stdio.h>

#include "pavane/pavane.h"

/* A crawl's progress where nobody watches a terminal: whole lines for a file,
 * a pipe or a service's log, at once when something begins or is asked to stop,
 * else at most every ten seconds, and every minute while nothing moves. The
 * time is the progress's own. */
struct pv_plain_lines {
	bool has_told;
	int64_t told_ms;
	enum pavane_phase phase;
	uint64_t requests;
	uint64_t done;
};

/* Whether a line is due, which is then taken for told. */
bool pv_plain_lines_take(
    struct pv_plain_lines *lines, const struct pavane_progress *progress);

/* Writes the line, with its end. */
void pv_plain_line_write(const struct pavane_progress *progress, FILE *file);

#endif
