#ifndef PAVANE_CLI_RUN_DRY_RUN_H
#define PAVANE_CLI_RUN_DRY_RUN_H

#include "cli/run/running.h"

/* Prints what a crawl would do, and does none of it; returns the exit status. */
int pv_dry_run(const struct pv_run *run);

#endif
