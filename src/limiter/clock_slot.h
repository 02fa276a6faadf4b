#ifndef PAVANE_LIMITER_CLOCK_SLOT_H
#define PAVANE_LIMITER_CLOCK_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/system.h"

/* What a slot of the shared clocks says (limiter/clock_file.h), made true of
 * this boot and of the crawls that are there. The caller holds the slot's
 * bucket, but for pv_clock_slot_raise. */
struct pv_clock_file;
struct pv_clock_slot;

/* Makes a time later, never earlier, also if other crawls write it. */
void pv_clock_slot_raise(_Atomic int64_t *time, int64_t value);

/* When something was last heard of a request there. */
int64_t pv_clock_slot_last(const struct pv_clock_slot *slot);

/* Translates times of an earlier boot, lets go of what crawls have left that
 * are over, and repairs what nobody would write. */
void pv_clock_slot_refresh(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, struct pv_time now);

/* Whether it may be given up for another name. */
bool pv_clock_slot_is_quiet(const struct pv_clock_slot *slot, int64_t now);

/* Gives it to a name that is new. */
void pv_clock_slot_start_anew(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, struct pv_time now);

#endif
