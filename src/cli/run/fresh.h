#ifndef PAVANE_CLI_RUN_FRESH_H
#define PAVANE_CLI_RUN_FRESH_H

#include "cli/run/options.h"

/* What --fresh would throw away, somebody has to have agreed to: at a terminal
 * they are asked, else --yes says so. EXIT_FINISHED if the crawl may begin in
 * this directory; else the exit status, the reason having been said. */
int pv_fresh_check(const struct pv_options *options, const char *directory);

#endif
