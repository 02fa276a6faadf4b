#ifndef PAVANE_CLI_RUN_FLEET_ORDERS_H
#define PAVANE_CLI_RUN_FLEET_ORDERS_H

#include "cli/run/options.h"

/* Commands with --fleet: what is meant is the crawl of that name in the database,
 * in the place of a directory. Each gives the status that the program ends with. */
int pv_fleet_pause(const struct pv_options *options);
int pv_fleet_resume(const struct pv_options *options);
int pv_fleet_set(const struct pv_options *options);
int pv_fleet_stop(const struct pv_options *options);
int pv_fleet_status(const struct pv_options *options);

/* Joins as a further worker, by the policy that is in the database; for an update
 * the next round begins, if the crawl is finished. */
int pv_fleet_join(const struct pv_options *options, bool is_update);

#endif
