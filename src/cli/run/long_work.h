#ifndef PAVANE_CLI_RUN_LONG_WORK_H
#define PAVANE_CLI_RUN_LONG_WORK_H

#include "cli/run/options.h"
#include "cli/run/signals.h"
#include "cli/terminal/meter.h"
#include "pavane/pavane.h"

/* A command that works through many things of one sort: how far it is, on a
 * terminal, what it has to say meanwhile, and whether somebody wants it to
 * end. */
struct pv_long_work {
	const char *thing; /* "page" */
	const char *rest;  /* behind how many: "read; Ctrl+C ..." */
	struct pv_signals *signals;
	struct pv_meter meter;
	uint64_t count;
};

/* The caller has set the texts. */
void pv_long_work_begin(
    struct pv_long_work *work, const struct pv_options *options);
void pv_long_work_end(struct pv_long_work *work);

/* For the library, with the work as its ctx: one thing more is done; true if it
 * is to stop. */
bool pv_long_work_is_enough(void *ctx);

/* The same: prints a line. */
void pv_long_work_tell(void *ctx, enum pavane_level level, const char *line);

#endif
