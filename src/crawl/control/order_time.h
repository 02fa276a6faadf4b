#ifndef PAVANE_CRAWL_CONTROL_ORDER_TIME_H
#define PAVANE_CRAWL_CONTROL_ORDER_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* When a pause ends, as a person writes it: a duration ("2h"), a time of the day
 * ("14:30", the next), or the beginning of a day ("2026-11-27"), both on the
 * clock of this machine. False if it is none of these. */
bool pv_order_time_read(struct pv_str text, int64_t now_ms, int64_t *until_ms);

#endif
