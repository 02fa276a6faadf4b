#ifndef PAVANE_FETCH_CONNECTION_ABSENCE_H
#define PAVANE_FETCH_CONNECTION_ABSENCE_H

#include <stdint.h>

/* Whether we were away: stopped by somebody (SIGSTOP, Ctrl+Z), asleep with the
 * machine where its clock goes on meanwhile, or kept from the processor.
 *
 * A loop that waits knows when it will be at work again, if not before. If it
 * is not until much later, the time between was nobody's but ours: what came
 * meanwhile we have not heard yet, and what was due of us did not happen. Then
 * no deadline is to be held against a host. Time is the caller's.
 */
struct pv_absence {
	int64_t awaited; /* when we are at work again at the latest */
	int64_t away_ms; /* how long we were away in all */
};

/* Being so much late is still a busy machine's, or a long turn's. */
#define PV_ABSENCE_LEAST_MS 1000

struct pv_absence pv_absence_of(int64_t now);

/* The loop waits, for so long at most; negative: until something happens. */
void pv_absence_sleep(
    struct pv_absence *absence, int64_t now, int64_t timeout_ms);

/* It is at work, which may be said as often as anybody likes; how long we were
 * away in all until now. */
int64_t pv_absence_wake(struct pv_absence *absence, int64_t now);

#endif
