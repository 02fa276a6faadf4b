#ifndef PAVANE_FLEET_WISHES_H
#define PAVANE_FLEET_WISHES_H

#include <stdint.h>

#include "base/str.h"

/* What people want of a fleet's crawl, as its workers hear of it.
 *
 * It is the text of orders (store/orders.h) in the crawl's row, with a number that
 * each change raises. A worker hears of it with each beat, and at once by a NOTIFY
 * that makes it look. Pauses and settings hold for who joins later, too. A stop is
 * for those that were there: its number is that of the wish by which it came, so
 * that it never stops a later worker.
 */
struct pv_fleet;

/* As it stands in the database. */
void pv_wishes_hear(struct pv_fleet *fleet, int64_t number, struct pv_str wish);

/* For pv_fleet_line_options. */
void pv_wishes_on_notify(void *ctx, const char *channel, const char *payload);

#endif
