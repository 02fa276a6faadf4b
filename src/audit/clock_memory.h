#ifndef PAVANE_AUDIT_CLOCK_MEMORY_H
#define PAVANE_AUDIT_CLOCK_MEMORY_H

#include "audit/clock_event.h"
#include "store/database.h"

/* What the workers of a fleet wrote down of times and clocks, to be asked: when
 * was it by the server's time, and who held that clock then?
 *
 * Events are added in the order of their files, and settled once. There may be
 * more of them than fit into memory, so they stand in a database without a name
 * (audit/memory.h). Faults are the database's.
 */
struct pv_clock_memory {
	struct pv_database *database;
	struct pv_statement *add_time;
	struct pv_statement *add_event;
	struct pv_statement *add_reaping;
	struct pv_statement *add_hold;
	struct pv_statement *reckon;
	struct pv_statement *find_first;
	struct pv_statement *find_reaping;
	struct pv_statement *find_uncertainty;
	struct pv_statement *find_hold;
	struct pv_statement *find_holder;
	uint64_t time_count;
	uint64_t event_count; /* all but times */
	int64_t most_uncertain_ms;
	int64_t longest_step_ms; /* by which the clock of a worker was set */
	int64_t last_worker;     /* whose time came last ... */
	int64_t last_ahead_ms;   /* ... and how far the server's was ahead */
};

void pv_clock_memory_open(struct pv_clock_memory *memory);
void pv_clock_memory_close(struct pv_clock_memory *memory);

void pv_clock_memory_add(
    struct pv_clock_memory *memory, const struct pv_clock_event *event);

/* What the server's clock showed when a worker's own showed that: by the last
 * measurement before it, or the first one of all; the same time, and -1 for how
 * uncertain it is, where the worker has measured nothing. */
int64_t pv_clock_memory_server_ms(struct pv_clock_memory *memory,
    int64_t worker, int64_t wall_ms, int64_t *uncertainty_ms);

/* Two workers held one thing at the same time, for longer than their measurements
 * are uncertain together. */
struct pv_clock_overlap {
	struct pv_str name;
	bool is_address;
	int64_t worker; /* who took it ... */
	int64_t other;  /* ... while this one had it */
	int64_t from_ms;
	int64_t until_ms; /* INT64_MAX: to the end */
};

/* Reckons from all events who held what when; calls it with each overlap. */
typedef void (*pv_clock_overlap_fn)(
    void *ctx, const struct pv_clock_overlap *overlap);
void pv_clock_memory_settle(
    struct pv_clock_memory *memory, pv_clock_overlap_fn on_overlap, void *ctx);

/* Whether anything is written of that worker. */
bool pv_clock_memory_knows(struct pv_clock_memory *memory, int64_t worker);

/* Whether the worker has ever said that it took a clock, or an address. */
bool pv_clock_memory_has_taken(
    struct pv_clock_memory *memory, int64_t worker, bool is_address);

/* Whether it held that one at some moment of that time. */
bool pv_clock_memory_held(struct pv_clock_memory *memory, int64_t worker,
    struct pv_str name, bool is_address, int64_t from_ms, int64_t until_ms);

#endif
