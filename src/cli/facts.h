#ifndef PAVANE_CLI_FACTS_H
#define PAVANE_CLI_FACTS_H

#include <stdbool.h>
#include <stdio.h>

#include "pavane/pavane.h"

/* What a crawl has done, in aligned lines: for the summary at its end, for
 * `status`, and whenever somebody asks by a signal. */

/* Addresses, pages, errors, answers, and what was refused and why. */
void pv_facts_write(const struct pavane_progress *progress, FILE *file);

/* What goes on now: in flight, waiting, and what for. */
void pv_facts_write_now(const struct pavane_progress *progress, FILE *file);

/* How long names, connections and answers took, and what held us up. */
void pv_facts_write_times(const struct pavane_progress *progress, FILE *file);

#endif
