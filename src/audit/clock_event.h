#ifndef PAVANE_AUDIT_CLOCK_EVENT_H
#define PAVANE_AUDIT_CLOCK_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* A line of clocks.jsonl: what a worker of a fleet wrote down of the time of the
 * fleet's server, and of the clocks and network addresses that it held. One JSON
 * object each:
 *
 *   {"event":"time","worker":3,"wall_ms":W,"server_ms":S,"uncertainty_ms":U}
 *       the server's time was S when the worker's own was W, give or take U
 *   {"event":"taken","worker":3,"clock":"a.example","server_ms":S}
 *   {"event":"given","worker":3,"clock":"a.example","server_ms":S}
 *       it held the clock from then on, or no longer; of a network address there
 *       is "address":"192.0.2.1" in place of the clock
 *   {"event":"reaped","worker":2,"by":3,"server_ms":S}
 *       all that worker 2 held was free from then on
 *
 * What else an object says is passed over. Its texts belong to the event until
 * that is finished. */
struct pv_json;

enum pv_clock_event_kind {
	PV_CLOCK_TIME,
	PV_CLOCK_TAKEN,
	PV_CLOCK_GIVEN,
	PV_CLOCK_REAPED,
	PV_CLOCK_EVENT_COUNT,
};

#define PV_CLOCK_EVENTS_FILE "clocks.jsonl"

/* Workers have numbers below this. */
#define PV_WORKER_MAX (INT64_C(1) << 31)

struct pv_clock_event {
	struct pv_json *value; /* owned */
	enum pv_clock_event_kind kind;
	int64_t worker;
	int64_t by; /* who reaped it */
	int64_t wall_ms;
	int64_t server_ms;
	int64_t uncertainty_ms;
	struct pv_str name; /* of a clock, or an address */
	bool is_address;
};

/* False if the line is none of these; there is nothing to be finished then. */
bool pv_clock_event_read(struct pv_clock_event *event, struct pv_str line);
void pv_clock_event_finish(struct pv_clock_event *event);

#endif
