#ifndef PAVANE_SCHEDULE_EXECUTOR_H
#define PAVANE_SCHEDULE_EXECUTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schedule/host_clock.h"
#include "schedule/shared_places.h"

/* The executor: the `concurrency` places of the whole crawl.
 *
 * A request takes a place when the scheduler releases it and gives it back when
 * it has ended, however it ends; robots.txt, redirects and retries do so as
 * pages do. Where no place is free nothing is released: the scheduler keeps its
 * tokens (scheduler.h), and hosts stay in their lines. How many requests may
 * overlap at one host is the host's clock's business (host_clock.h). Several
 * crawls of a process may share a ceiling above their own (shared_places.h).
 *
 * What the scheduler has to know of a request until it ends is kept in its
 * place, which is known by its number. It belongs to the scheduler's thread.
 */
struct pv_schedule_address;
struct pv_schedule_host;

struct pv_executor_place {
	struct pv_schedule_host *host; /* NULL while it is free */
	struct pv_schedule_address *address;
	int64_t released_at;
	int64_t sent_at; /* negative: not yet */
	uint32_t next_free;
	enum pv_trial trial;
};

struct pv_executor {
	int64_t concurrency;
	struct pv_place_share share;
	struct pv_executor_place *places; /* as many as were ever taken */
	size_t count;
	size_t size;
	size_t in_flight;    /* places that are taken */
	uint32_t first_free; /* from 1; 0: none of those */
};

void pv_executor_init(struct pv_executor *executor, int64_t concurrency);
void pv_executor_finish(struct pv_executor *executor);

/* Whether a place of its own is free; whether one of those that it shares was
 * denied, and it waits to be woken. */
bool pv_executor_has_place(const struct pv_executor *executor);
bool pv_executor_is_denied(const struct pv_executor *executor);

/* Takes a free place, and tells its number; NULL if all are taken that it
 * shares. */
struct pv_executor_place *pv_executor_take(
    struct pv_executor *executor, uint32_t *number);

/* Gives the place back; its number may be another request's then. */
void pv_executor_give(struct pv_executor *executor, uint32_t number);

#endif
