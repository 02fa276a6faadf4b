#ifndef PAVANE_CLI_RUN_FACTS_H
#define PAVANE_CLI_RUN_FACTS_H

#include <stdbool.h>
#include <stdio.h>

#include "pavane/pavane.h"

/* What a crawl has done, in aligned lines: for the summary at its end, for
 * `status`, and whenever somebody asks by a signal. */

/* Addresses, pages, errors, answers, and what was refused and why. */
void pv_facts_write(const struct pavane_progress *progress, FILE *file);

/* What goes on now: in flight, waiting, and what for. */
void pv_facts_write_now(const struct pavane_progress *progress, FILE *file);

/* Which limit stopped it, if one did. */
void pv_facts_write_limit(const struct pavane_progress *progress, FILE *file);

/* Whom it waited for most of the time. */
void pv_facts_write_holder(const struct pavane_progress *progress, FILE *file);

/* How long names, connections and answers took. */
void pv_facts_write_times(const struct pavane_progress *progress, FILE *file);

/* How long our own loop was held up, and what is not written down yet. */
void pv_facts_write_loop(const struct pavane_progress *progress, FILE *file);

#endif
