#ifndef PAVANE_LIMITER_CLOCK_TURN_H
#define PAVANE_LIMITER_CLOCK_TURN_H

#include <stdbool.h>
#include <stdint.h>

/* Whose turn it is at a shared clock (limiter/limiter.h).
 *
 * A crawl with a short rest would always come before one with a longer rest. So
 * a crawl that was refused is noted in the slot with when it will ask again,
 * and nobody who has waited for a shorter time is granted anything before it.
 * Only the one that has waited longest is noted: the others ask again and
 * remember themselves since when they have been refused. A turn lapses when its
 * crawl is over, or does not ask by the time that it was given and as much more
 * as anybody rests there (1 to 10 s). A turn only ever refuses, so nobody is
 * asked sooner for it.
 *
 * The caller holds the slot's bucket.
 */
struct pv_clock_file;
struct pv_clock_slot;

/* Whether the turn is another crawl's: refused since before `since`. */
bool pv_clock_turn_is_others(const struct pv_clock_file *file,
    const struct pv_clock_slot *slot, int64_t since, int64_t now);

/* This crawl, refused since `since`, will ask again at `at`. */
void pv_clock_turn_wait(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, int64_t since, int64_t at, int64_t now);

/* This crawl was granted its request: its turn is over. */
void pv_clock_turn_end(
    const struct pv_clock_file *file, struct pv_clock_slot *slot);

#endif
