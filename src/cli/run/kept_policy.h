#ifndef PAVANE_CLI_RUN_KEPT_POLICY_H
#define PAVANE_CLI_RUN_KEPT_POLICY_H

#include <stdbool.h>

#include "cli/run/running.h"

/* The policy that is kept in a crawl's directory, for the commands that take no
 * other: `continue` and `update`. */

/* Runs the crawl of the directory by it, with what the options change; returns
 * the exit status. `command` is for those who name something else. */
int pv_kept_policy_run(const char *command, const struct pv_run *run);

#endif
