#ifndef PAVANE_CRAWL_VISIT_ANSWERED_H
#define PAVANE_CRAWL_VISIT_ANSWERED_H

/* A visit whose answer has ended: it goes to the pool to be read, and what the
 * pool has found goes on to the commit. On the loop. */
struct pv_flight;

void pv_answered_begin(struct pv_flight *flight);

#endif
