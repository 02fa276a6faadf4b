#ifndef PAVANE_SERVE_FETCHES_FETCH_BELL_H
#define PAVANE_SERVE_FETCHES_FETCH_BELL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* What wakes the keeper of fetches, and the replies of crawls to what it has told
 * them. Loops of crawls ring it, which wait for nothing else: its mutex is held for
 * a moment only. */
#define PV_FETCH_BELL_FOR_EVER INT64_C(-1)

struct pv_fetch_reply;

struct pv_fetch_bell {
	pthread_mutex_t mutex;
	pthread_cond_t rung;
	bool has_news;
	struct pv_fetch_reply *replies; /* the last first */
};

void pv_fetch_bell_init(struct pv_fetch_bell *bell);
void pv_fetch_bell_finish(struct pv_fetch_bell *bell);

void pv_fetch_bell_ring(struct pv_fetch_bell *bell);

/* The same, with a reply, which is the keeper's from then on. */
void pv_fetch_bell_reply(
    struct pv_fetch_bell *bell, struct pv_fetch_reply *reply);

/* All replies that have come, the last first; nobody has rung then. */
struct pv_fetch_reply *pv_fetch_bell_take(struct pv_fetch_bell *bell);

/* Waits until it is rung, but not for longer than so many milliseconds. */
void pv_fetch_bell_wait(struct pv_fetch_bell *bell, int64_t most_ms);

#endif
