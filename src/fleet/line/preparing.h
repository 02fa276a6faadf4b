#ifndef PAVANE_FLEET_LINE_PREPARING_H
#define PAVANE_FLEET_LINE_PREPARING_H

#include "fleet/line/greeting.h"

/* The last step before a line is up: the connection changes into pipeline mode,
 * all statements are prepared and the channels listened to, in one way there and
 * back. */
struct pv_fleet_preparing {
	PGconn *pg;
	size_t results_left;
};

enum pv_fleet_greeted pv_fleet_preparing_start(
    struct pv_fleet_preparing *preparing, PGconn *pg,
    const struct pv_fleet_line_options *options, char *const *channels,
    struct pv_buf *why);

enum pv_fleet_greeted pv_fleet_preparing_read(
    struct pv_fleet_preparing *preparing, struct pv_buf *why);

#endif
