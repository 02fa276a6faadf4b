#ifndef PAVANE_RECORD_STATE_H
#define PAVANE_RECORD_STATE_H

#include <stdint.h>

/* Where an address is on its way. It is in exactly one of these at any
 * instant; done and refused are its ends. The numbers stand in state files. */
enum pv_address_state {
	PV_STATE_PENDING,
	PV_STATE_IN_FLIGHT, /* given out, and not reported yet */
	PV_STATE_DONE,      /* its outcome is known */
	PV_STATE_REFUSED,   /* the reason is known */
	PV_STATE_ELSEWHERE, /* another worker's of the fleet, who owns its
			       host */
	PV_STATE_COUNT,
};

/* The word for it in views and tables; "unknown" for a number that is not
 * ours. */
const char *pv_state_word(unsigned state);

/* How many addresses are in each state, and of those done and refused, for each
 * outcome and reason. */
#define PV_CAUSE_MAX 64

struct pv_counts {
	uint64_t states[PV_STATE_COUNT];
	uint64_t outcomes[PV_CAUSE_MAX]; /* enum pv_outcome */
	uint64_t reasons[PV_CAUSE_MAX];  /* enum pv_reason */
};

#endif
