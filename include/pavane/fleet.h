#ifndef PAVANE_FLEET_H
#define PAVANE_FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"

/* Fleets: crawls that several machines work together, which meet in a database of
 * PostgreSQL (pavane_crawl_options.fleet). How such a crawl stands, and orders to
 * all of its workers.
 *
 * Each function reaches the database by itself and waits for its answer, for ten
 * seconds at most. Where the library was built without PostgreSQL, it says so. */

#ifdef __cplusplus
extern "C" {
#endif

/* One worker: a directory on a machine. */
struct pavane_fleet_worker {
	int64_t number;
	const char *place; /* "host:directory" */
	bool is_alive;     /* it has not left */
	bool is_silent;    /* but it has missed a beat: nothing was heard of it
			      for a quarter of a minute */
	int64_t clocks; /* hosts that are its own, or groups of them that share
			      a delay */
	int64_t pages;
	int64_t bytes;
	int64_t requests; /* of its run */
	double pages_per_second;
	int64_t unsent;  /* reports that are not passed on yet */
	int64_t seen_ms; /* how long ago it was heard of */
};

struct pavane_fleet_status {
	size_t size;
	const char *name;
	bool is_finished;
	const char *pauses;   /* that were ordered, in words; "" for none */
	const char *settings; /* the same of keys: "rate.max_rate=5" */
	int64_t pages;        /* by all, those that have left as well */
	int64_t bytes;
	double pages_per_second;
	int64_t clocks;  /* that workers own */
	int64_t waiting; /* clocks with work that wait for a worker */
	int64_t links;   /* on their way to the worker of their host */
	const struct pavane_fleet_worker
	    *workers; /* that live, then the last ones that have left */
	size_t worker_count;
	size_t living;      /* of them; those are not that were not heard of for
			  half a minute */
	int64_t left;       /* all workers that live no more ... */
	int64_t left_pages; /* ... what they have fetched ... */
	int64_t reaped;     /* ... and how many of them had fallen silent */

	/* One for each of the workers: whether it has nothing to do, as all that is
	 * left belongs to others, and whether it was silent for too long, so that
	 * others have taken over its hosts. */
	const bool *are_idle;
	const bool *were_reaped;
};

/* How the crawl of that name stands; NULL, with the reason given to on_line, if
 * that cannot be found out. */
PAVANE_API struct pavane_fleet_status *pavane_fleet_status_read(
    const char *fleet, const char *name, pavane_line_fn on_line, void *ctx);
PAVANE_API void pavane_fleet_status_destroy(struct pavane_fleet_status *status);

/* The same as a JSON object on a line. */
PAVANE_API void pavane_fleet_status_write_json(
    const struct pavane_fleet_status *status, pavane_write_fn write, void *ctx);

/* The policy of that crawl, as YAML, to be given back with free; NULL as above. */
PAVANE_API char *pavane_fleet_policy(
    const char *fleet, const char *name, pavane_line_fn on_line, void *ctx);

/* Orders, in the place of those to a directory (order.h), which say what becomes
 * of them and what they answer. Each worker heeds them within a moment, and who
 * joins later does, too. */
struct pavane_fleet_order {
	size_t size;
	const char *fleet; /* "postgresql://..." */
	const char *name;  /* of the crawl there */
	const char *host;  /* a host alone; NULL: the whole crawl */
	const char *until; /* when the pause ends; NULL: when it is resumed */
	pavane_line_fn on_line; /* gets the reason where nothing was changed */
	void *ctx;
};

PAVANE_API enum pavane_answer pavane_fleet_pause(
    const struct pavane_fleet_order *order);
PAVANE_API enum pavane_answer pavane_fleet_resume(
    const struct pavane_fleet_order *order);
PAVANE_API enum pavane_answer pavane_fleet_set(
    const struct pavane_fleet_order *order, const char *const *assignments,
    size_t count);

/* Asks all workers to stop, without waiting for them. PAVANE_NO if none lives; but who
 * is on the way back to the fleet then stops, too. */
PAVANE_API enum pavane_answer pavane_fleet_stop(
    const struct pavane_fleet_order *order);

#ifdef __cplusplus
}
#endif

#endif
