#ifndef PAVANE_SCHEDULE_GATES_H
#define PAVANE_SCHEDULE_GATES_H

#include "base/address.h"
#include "base/line.h"
#include "base/named_table.h"
#include "schedule/address_clock.h"
#include "schedule/deadline_heap.h"
#include "schedule/executor.h"
#include "schedule/forgotten.h"
#include "schedule/host_clock.h"
#include "schedule/pace.h"
#include "schedule/schedule.h"
#include "schedule/scheduler.h"
#include "schedule/shared_rate.h"
#include "schedule/visit_head.h"

/* Where a host waits. Inside of the schedule, for its own files.
 *
 * A host that has visits passes three gates. At its own it waits for hours of
 * the day and as long as it is parked; then it stands in line for its clock,
 * where hosts that share one take turns; and the clock stands in line for the
 * address of the host at its head. Whatever has to wait for a time, and only
 * that, is in the heap of deadlines: a host at its own gate, a clock with
 * hosts in line, an address with clocks in line. A deadline that has passed
 * stays in the heap and so keeps its turn until a token and a place are free.
 * A clock or an address that nobody uses is left over, in a heap of its own,
 * until it has nothing more to say.
 *
 * Servers can make that long, and names are theirs to make: so there is a
 * ceiling. Beyond it those are forgotten first that matter for the shortest
 * time, and a host that comes back, or falls into the same drawer
 * (schedule/forgotten.h), waits for the end of that time.
 */

/* So many are left over at most: some 40 MB. Hosts that answer are left over
 * for their rest only, so that those that fail come near it, each of which is
 * for half an hour or more: some 50 a second. */
#define PV_LEFT_OVER_MAX 100000

enum pv_gate_kind { PV_GATE_HOST, PV_GATE_CLOCK, PV_GATE_ADDRESS };

struct pv_schedule_host {
	struct pv_deadline gate;
	struct pv_line_link link; /* for its clock, or for hours of the day */
	struct pv_schedule_clock *clock;
	struct pv_schedule_address *address;
	const struct pv_pace *pace;
	struct pv_hours *visit_time; /* owned; NULL: always */
	struct pv_visit_head visits;
	int64_t ready_at; /* since when it stands in line for its clock */
	int64_t parked_until;
	bool is_paused; /* by a person, until told otherwise */
	void *ctx;
	uint32_t number; /* among all hosts */
	bool is_waiting_for_hours;
};

struct pv_schedule_clock {
	struct pv_deadline due;
	struct pv_line_link link;
	struct pv_schedule_address *waits_at; /* in whose line it stands */
	struct pv_line hosts;
	struct pv_host_clock clock;
	const struct pv_pace *pace; /* the strictest of its hosts' */
	struct pv_named named;
	uint32_t host_count;
	bool is_left_over;
	char name[];
};

struct pv_schedule_address {
	struct pv_deadline due;
	struct pv_line clocks;
	struct pv_address_clock clock;
	const struct pv_pace *pace; /* of the host that was asked last */
	struct pv_named named;
	uint32_t users;      /* hosts and places in flight ... */
	uint32_t host_count; /* ... and hosts alone */
	bool is_left_over;
	struct pv_address address;
};

struct pv_schedule {
	struct pv_scheduler scheduler;
	struct pv_executor executor;
	struct pv_rate_share all_crawls; /* their rate */
	uint64_t random;
	struct pv_paces paces;
	struct pv_deadline_heap heap;
	struct pv_deadline_heap left_over;
	size_t left_over_max;
	struct pv_forgotten forgotten;
	struct pv_named_table clocks;
	struct pv_named_table addresses;
	struct pv_line waiting_for_hours;
	struct pv_schedule_host **hosts;
	size_t host_count;
	size_t host_size;
	int64_t wall_offset; /* by which hours of the day were reckoned */
};

/* Puts a host where it has to wait now. */
void pv_gate_host(
    struct pv_schedule *schedule, struct pv_schedule_host *host, int64_t now);

/* Lets a host stand in line for its clock, in which it has waited since
 * then. */
void pv_gate_line_up(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t ready_at);

/* Takes a host out of whatever line or heap it is in; its clock is to be seen
 * to. */
void pv_gate_leave(struct pv_schedule *schedule, struct pv_schedule_host *host);

/* A host that stands in line for its clock waits for hours of the day. */
void pv_gate_host_for_hours(struct pv_schedule *schedule,
    struct pv_schedule_host *host, struct pv_time now, int64_t wall_ms);

/* Sees to a clock or an address after something about it has changed. */
void pv_gate_clock(
    struct pv_schedule *schedule, struct pv_schedule_clock *clock);
void pv_gate_address(
    struct pv_schedule *schedule, struct pv_schedule_address *address);

/* A clock that is due stands in line for the address of its first host. */
void pv_gate_clock_at_address(
    struct pv_schedule *schedule, struct pv_schedule_clock *clock);

/* The first host in line for a clock; NULL if there is none. */
struct pv_schedule_host *pv_gate_first_host(
    const struct pv_schedule_clock *clock);

/* The clock and the address of a name, new if it is not known. */
struct pv_schedule_clock *pv_gate_find_clock(
    struct pv_schedule *schedule, struct pv_str name);
struct pv_schedule_address *pv_gate_find_address(
    struct pv_schedule *schedule, const struct pv_address *address);

/* Forgets what is left over and has nothing more to say, or has no place. */
void pv_gate_forget(struct pv_schedule *schedule, int64_t now);

void pv_gate_finish(struct pv_schedule *schedule);

#endif
