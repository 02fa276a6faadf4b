#ifndef PAVANE_LOOP_CLOCK_H
#define PAVANE_LOOP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/system.h"

/* The clock that a conductor is given: it tells the time, and turns the
 * conductor's loop when a deadline has come.
 *
 * The real one is the system's, with a timer of libuv. A simulated one
 * (tests/crawl/simulated_clock.h) goes to the next deadline as soon as nobody
 * is at work any more, so that a crawl of days takes seconds. Therefore the
 * conductor uses no other clock, and reports when threads are at work for it.
 *
 * It belongs to the thread of its loop; `ticks_ns` is for any thread.
 */
struct uv_loop_s;
struct pv_clock;

/* A deadline has come; called in the loop. */
typedef void (*pv_clock_fn)(void *ctx);

struct pv_clock_kind {
	struct pv_clock *(*create)(
	    struct uv_loop_s *loop, pv_clock_fn on_wake, void *ctx);

	/* Its memory goes when the loop has run its closing callbacks. NULL is
	 * fine. */
	void (*destroy)(struct pv_clock *clock);

	struct pv_time (*now)(const struct pv_clock *clock);

	/* By which leases are counted (base/lease.h); for any thread. */
	int64_t (*boot_ms)(const struct pv_clock *clock);

	/* Calls on_wake once, after so many milliseconds, instead of the time
	 * of the last call; negative: never. Until then, where threads are at
	 * work whose answers make the loop turn (`is_busy`), no simulated time
	 * goes by. */
	void (*wake_in)(struct pv_clock *clock, int64_t wait_ms, bool is_busy);

	/* A stopwatch for work of our own, and how much of its time the loop
	 * had nothing to do. */
	uint64_t (*ticks_ns)(const struct pv_clock *clock);
	uint64_t (*idle_ns)(const struct pv_clock *clock);

	/* How much of a processor's time the calling thread has had. */
	uint64_t (*cpu_ns)(const struct pv_clock *clock);
};

extern const struct pv_clock_kind pv_real_clock;

#endif
