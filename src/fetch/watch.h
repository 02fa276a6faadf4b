#ifndef PAVANE_FETCH_WATCH_H
#define PAVANE_FETCH_WATCH_H

#include "fetch/lane.h"

/* Sees to it, from the loop that conducts, that no call of libcurl's keeps a
 * lane for long, by its thread's processor time: the connection that it works
 * for is cut off (cuts.h). Once a call has used PV_WATCH_MARK_NS it is noted
 * how much has been read from each connection; the cut comes at a later look,
 * after another PV_WATCH_CALL_NS. So nobody pays for what came before the first
 * look, nor for a single jump of the thread's clock.
 *
 * It looks a few times a second while something is under way, and more often
 * while a lane is in the midst of a call. What counts is processor time, so
 * that a busy machine, or one that was stopped, cuts off nobody.
 */
#define PV_WATCH_MARK_NS UINT64_C(10000000)
#define PV_WATCH_CALL_NS UINT64_C(40000000)
#define PV_WATCH_IDLE_MS 50
#define PV_WATCH_BUSY_MS 20

/* What was seen of a lane. */
struct pv_watch {
	unsigned serial; /* of the call that it was in; even: of none */
	uint64_t cpu_ns; /* that its thread had used when it was seen first,
			    marked, or when somebody was cut off */
	bool is_marked;  /* how much had been read is noted (cuts.h) */
};

/* Looks at the lane; true if it is in the midst of a call. */
bool pv_watch_look(struct pv_watch *watch, struct pv_lane *lane);

/* Cuts off the connection that keeps it busy, now: a caller waits for its
 * end. */
void pv_watch_cut(struct pv_watch *watch, struct pv_lane *lane);

#endif
