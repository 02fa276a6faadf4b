#ifndef PAVANE_CRAWL_RUN_TURN_H
#define PAVANE_CRAWL_RUN_TURN_H

/* One round of the crawl's loop: takes what other threads and the network have
 * brought, starts what is due, and sets the clock to the earliest of all
 * deadlines. Nothing in it waits. */
struct pv_crawl;

void pv_turn_run(struct pv_crawl *crawl);

/* The clock's deadline is there: what is due then is the next round's. */
void pv_turn_on_wake(void *crawl);

/* Another thread has something for the loop. */
void pv_turn_on_wakeup(void *crawl);

#endif
