#ifndef PAVANE_SCHEDULE_ADDRESS_CLOCK_H
#define PAVANE_SCHEDULE_ADDRESS_CLOCK_H

#include "base/system.h"
#include "schedule/host_clock.h"

/* An address's clock: when may any host be asked that lives there?
 *
 * Only two things count: ip_delay between starts, whatever the names, and
 * failures to connect, which say that nobody there will answer. Retry-After
 * and all other failures stay with the host. As long as a request to the
 * address is about to go out, no other is released, unless there is no delay
 * to keep and the address has not failed.
 */
struct pv_address_clock {
	int64_t last_start;   /* negative: none yet */
	int64_t asked_before; /* as of pv_host_clock */
	int64_t ip_delay_ms;
	int64_t others_until; /* what other crawls on this machine ask for */
	int64_t others_since; /* they have refused; 0: they have not */
	struct pv_backoff backoff;
	int64_t restored_until;
	uint32_t connecting;
};

void pv_address_clock_init(struct pv_address_clock *clock);

/* Takes a host's ip_delay into account: the longest of all is kept. */
void pv_address_clock_join(
    struct pv_address_clock *clock, const struct pv_pace *pace);

/* As pv_host_clock_next. */
struct pv_wait pv_address_clock_next(const struct pv_address_clock *clock);

/* As pv_host_clock_due. */
struct pv_wait pv_address_clock_due(const struct pv_address_clock *clock);

void pv_address_clock_release(struct pv_address_clock *clock);
void pv_address_clock_start(struct pv_address_clock *clock, int64_t now);
void pv_address_clock_end(struct pv_address_clock *clock,
    const struct pv_pace *pace, const struct pv_visit_end *end,
    struct pv_flight_times times);

/* As if it had been asked just now: the full rest. */
void pv_address_clock_rest(struct pv_address_clock *clock, int64_t now);

/* Writes into what is saved of a host the part of its address, and takes it
 * over from there as pv_host_clock_restore does: a wait beyond ip_delay as one
 * that a failure asked for. */
void pv_address_clock_save(const struct pv_address_clock *clock,
    struct pv_time now, struct pv_saved_clock *saved);
void pv_address_clock_restore(struct pv_address_clock *clock,
    const struct pv_saved_clock *saved, struct pv_time now);

/* From when on a clock tells nothing more than a new one. */
int64_t pv_address_clock_forget_at(
    const struct pv_address_clock *clock, const struct pv_pace *pace);

#endif
