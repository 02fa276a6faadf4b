#ifndef PAVANE_CRAWL_PROGRESS_FORECAST_H
#define PAVANE_CRAWL_PROGRESS_FORECAST_H

#include <stdint.h>

#include "base/buf.h"

/* How long a crawl will take, said once in a run: soon enough to stop it, or to
 * ask for less, and as soon as it can be reckoned.
 *
 * That is where all that is left lies on one host, whose rests make up the
 * time: what is known so far, times what lies between two requests. Where hosts
 * go on side by side, or hours or limits decide, nothing is said.
 */
struct pv_crawl;

void pv_forecast_step(struct pv_crawl *crawl);

/* Appends a time as one tells it beforehand: "40 s", "9 min", "1 h 20 min",
 * "3 days". */
void pv_forecast_write_time(int64_t ms, struct pv_buf *buf);

#endif
