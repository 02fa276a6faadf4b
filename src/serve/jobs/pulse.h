#ifndef PAVANE_SERVE_JOBS_PULSE_H
#define PAVANE_SERVE_JOBS_PULSE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether something that goes on and on still does: a number that it raises is
 * looked at now and then, and must not stay the same for too long. Time is given
 * by the caller; for one thread at a time. All zero is one that was never looked
 * at. */
struct pv_pulse {
	uint64_t count;
	int64_t seen_ms; /* when that was seen first */
	bool is_known;
};

bool pv_pulse_beats(struct pv_pulse *pulse, uint64_t count, int64_t now_ms,
    int64_t patience_ms);

#endif
