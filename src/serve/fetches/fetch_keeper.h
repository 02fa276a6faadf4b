#ifndef PAVANE_SERVE_FETCHES_FETCH_KEEPER_H
#define PAVANE_SERVE_FETCHES_FETCH_KEEPER_H

/* The thread that opens the crawls of profiles, tells them addresses, and reads in
 * their journals what came of these; until the fetches are over. The context is a
 * struct pv_fetches. */
void *pv_fetch_keeper_run(void *ctx);

#endif
