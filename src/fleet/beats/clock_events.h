#ifndef PAVANE_FLEET_BEATS_CLOCK_EVENTS_H
#define PAVANE_FLEET_BEATS_CLOCK_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* The file clocks.jsonl of a worker's directory: which hosts were its own, and
 * when, by the clock of PostgreSQL's server, which all workers have in common.
 * The audit of a fleet reads that no host had two owners at a time.
 *
 * Each line is one event:
 *
 *   {"event":"time","worker":3,"wall_ms":W,"server_ms":S,"uncertainty_ms":U}
 *   {"event":"taken","worker":3,"clock":"example.org","server_ms":S}
 *   {"event":"given","worker":3,"address":"192.0.2.1","server_ms":S}
 *   {"event":"reaped","worker":2,"by":3,"server_ms":S}
 *
 * Lines are added whole. The server's time is reckoned from when it was last
 * measured, which comes before any other line. The times given here are those of
 * CLOCK_BOOTTIME.
 */
struct pv_clock_events {
	int file; /* negative: it could not be opened, or written */
	int64_t worker;
	int64_t offset_ms; /* of the server's clock, to be added to ours */
	bool has_offset;   /* else no line is written but the time's */
};

enum pv_clock_event { PV_CLOCK_TAKEN, PV_CLOCK_GIVEN };

/* How the server's clock was read: in the midst between two looks at ours. */
struct pv_server_time {
	int64_t server_ms;
	int64_t sent_ms;
	int64_t came_ms;
	int64_t came_wall_ms;
};

/* Opens it, or makes it, and ends a line that a kill has cut short. False if that
 * cannot be: errno says why. */
bool pv_clock_events_open(
    struct pv_clock_events *events, const char *directory, int64_t worker);
void pv_clock_events_close(struct pv_clock_events *events);

/* Each is false if it cannot be written: errno says why. */
bool pv_clock_events_time(
    struct pv_clock_events *events, const struct pv_server_time *time);
bool pv_clock_events_clock(struct pv_clock_events *events,
    enum pv_clock_event event, struct pv_str name, int64_t boot_ms);
bool pv_clock_events_address(struct pv_clock_events *events,
    enum pv_clock_event event, struct pv_str address, int64_t boot_ms);
bool pv_clock_events_reaped(
    struct pv_clock_events *events, int64_t worker, int64_t boot_ms);

#endif
