#ifndef PAVANE_BASE_CLOCK_H
#define PAVANE_BASE_CLOCK_H

#include <stdint.h>

/* The time as a value. Whoever conducts is given a clock (loop/clock.h), and
 * everybody else the time as an argument. Both clocks are read at the same
 * moment, since rests are written down by one of them and kept by the other. */
struct pv_time {
	int64_t monotonic_ms; /* never jumps; counts from anywhere */
	int64_t wall_ms;      /* since 1970, as people and servers tell it */
};

struct pv_time pv_time_now(void);

#endif
