#ifndef PAVANE_CRAWL_CONTROL_PAUSE_TEXT_H
#define PAVANE_CRAWL_CONTROL_PAUSE_TEXT_H

#include "store/orders.h"

/* Pauses in words, for people: "paused since 14:03 until 16:00; docs.example.org
 * is paused since 14:05 (it moves)". */

/* Who ends those that hold in all crawls of a process: no order to this one does. */
#define PV_PAUSED_BY_PROGRAM "by the program that runs the crawl"

/* Appends all that hold at that time, behind what stands there already. `by` says
 * whose they are; "" for those of this crawl alone. */
void pv_pause_text_write(const struct pv_orders *orders, int64_t wall_ms,
    const char *by, struct pv_buf *buf);

#endif
