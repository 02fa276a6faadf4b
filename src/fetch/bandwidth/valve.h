#ifndef PAVANE_FETCH_BANDWIDTH_VALVE_H
#define PAVANE_FETCH_BANDWIDTH_VALVE_H

#include <stddef.h>

#include "fetch/bandwidth/byte_bucket.h"

/* A limit on bytes a second that several bodies share, and those of them that
 * wait for it.
 *
 * Each waits with one piece of its body and is served in turn; while it is its
 * turn it may go on up to PV_FLOW_TURN bytes, however small its pieces are. So
 * all get the same share, in any order. One that has had little yet waits in a
 * line of its own, and the two lines take turns: a small answer is not long
 * behind large ones, however many there are, and no number of small ones keeps
 * a large one waiting for good.
 *
 * Time is the caller's, in milliseconds. Nothing here is on the heap.
 */
struct pv_flow;

struct pv_flow_line {
	struct pv_flow *first;
	struct pv_flow *last;
};

struct pv_valve {
	struct pv_byte_bucket bucket;
	struct pv_flow_line fresh; /* had less than PV_FLOW_FRESH bytes */
	struct pv_flow_line others;
	bool is_turn_of_others;
	const struct pv_flow *turn_of; /* who was served last and may go on */
};

#define PV_FLOW_FRESH UINT64_C(8192)
#define PV_FLOW_TURN ((size_t)16384)

/* A body that comes in pieces. */
struct pv_flow {
	struct pv_flow *next; /* of those that wait */
	struct pv_flow *previous;
	struct pv_valve *valve; /* for which it waits; NULL: it does not */
	struct pv_flow_line *line;
	size_t wanted;    /* bytes, while it waits */
	size_t turn_left; /* bytes that it may go on by, in its turn */
	uint64_t passed;  /* bytes of it that have come in all */
};

void pv_valve_init(struct pv_valve *valve, int64_t limit, int64_t now);

/* Whether so many bytes of a body may come now. If not, or if others wait, it
 * waits for them. */
bool pv_valve_pass(
    struct pv_valve *valve, struct pv_flow *flow, size_t bytes, int64_t now);

/* Whose piece may come now: it waits no more, and it is its turn until the next
 * is taken, or the end. NULL if nobody's. */
struct pv_flow *pv_valve_take_next(struct pv_valve *valve, int64_t now);
void pv_valve_end_turn(struct pv_valve *valve);

/* In how many milliseconds somebody's piece may come; PV_VALVE_NEVER if nobody
 * waits. */
#define PV_VALVE_NEVER INT64_MAX
int64_t pv_valve_wait(struct pv_valve *valve, int64_t now);

/* It waits no more, if it did. */
void pv_valve_forget(struct pv_flow *flow);

#endif
