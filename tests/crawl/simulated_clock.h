#ifndef PAVANE_TESTS_CRAWL_SIMULATED_CLOCK_H
#define PAVANE_TESTS_CRAWL_SIMULATED_CLOCK_H

#include <stdlib.h>
#include <uv.h>

#include "base/alloc.h"
#include "base/array.h"
#include "loop/clock.h"

/* A clock whose time goes to the next deadline, or to the next event of the
 * world around the crawl, as soon as nobody is at work; while threads are, it
 * stands still, and only what is due already happens. So work takes no time,
 * and waiting none of the test's.
 *
 * Time goes on from one crawl to the next. To be included in one file of a
 * program.
 */
#define SIMULATED_DAY_MS ((int64_t)86400000)

/* Something that will happen, such as an answer; a part of what is its
 * owner's. */
struct simulated_event {
	int64_t at;
	uint64_t order; /* of those at the same time */
	size_t place;   /* in the heap, from 1; 0: it is not to happen */
	void (*happen)(struct simulated_event *event);
};

struct pv_clock {
	uv_idle_t
	    idle; /* once in each turn of the loop, while nobody is at work */
	pv_clock_fn on_wake;
	void *ctx;
	int64_t wake_at; /* INT64_MAX: never */
	bool is_busy;
};

static struct {
	_Atomic int64_t now_ms; /* since the simulation began; all threads ask */
	struct simulated_event **heap;
	size_t count;
	size_t size;
	uint64_t order;
	struct pv_clock *clock; /* of the crawl that is open */
} simulated;

#define SIMULATED_BEGAN_WALL_MS INT64_C(1800000000000)

/* Events: a binary heap, the root at place 1 */

static bool simulated_is_before(
    const struct simulated_event *a, const struct simulated_event *b)
{
	return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void simulated_put(struct simulated_event *event, size_t place)
{
	simulated.heap[place - 1] = event;
	event->place = place;
}

static void simulated_rise(struct simulated_event *event, size_t place)
{
	while (place > 1 &&
	       simulated_is_before(event, simulated.heap[place / 2 - 1])) {
		simulated_put(simulated.heap[place / 2 - 1], place);
		place /= 2;
	}
	simulated_put(event, place);
}

static void simulated_sink(struct simulated_event *event, size_t place)
{
	size_t child;
	while ((child = 2 * place) <= simulated.count) {
		if (child < simulated.count &&
		    simulated_is_before(
			simulated.heap[child], simulated.heap[child - 1]))
			child++;
		if (!simulated_is_before(simulated.heap[child - 1], event))
			break;
		simulated_put(simulated.heap[child - 1], place);
		place = child;
	}
	simulated_put(event, place);
}

static void simulated_remove(struct simulated_event *event)
{
	size_t place = event->place;
	if (!place)
		return;
	struct simulated_event *last = simulated.heap[--simulated.count];
	event->place = 0;
	if (last == event)
		return;
	simulated_sink(last, place);
	simulated_rise(last, last->place);
}

/* Time */

static int64_t simulated_next(const struct pv_clock *clock)
{
	int64_t next = clock->wake_at;
	if (simulated.count && simulated.heap[0]->at < next)
		next = simulated.heap[0]->at;
	return next;
}

/* Whether something may happen in this turn. */
static bool simulated_may_go_on(const struct pv_clock *clock)
{
	int64_t next = simulated_next(clock);
	return next <= simulated.now_ms ||
	       (!clock->is_busy && next != INT64_MAX);
}

static void simulated_go_on(uv_idle_t *idle);

static void simulated_arm(struct pv_clock *clock)
{
	if (!simulated_may_go_on(clock))
		uv_idle_stop(&clock->idle);
	else
		uv_idle_start(&clock->idle, simulated_go_on);
}

static void simulated_go_on(uv_idle_t *idle)
{
	struct pv_clock *clock = idle->data;
	int64_t next = simulated_next(clock);
	if (next > simulated.now_ms && simulated_may_go_on(clock))
		simulated.now_ms = next;
	while (simulated.count && simulated.heap[0]->at <= simulated.now_ms) {
		struct simulated_event *event = simulated.heap[0];
		simulated_remove(event);
		event->happen(event);
	}
	if (clock->wake_at <= simulated.now_ms) {
		clock->wake_at = INT64_MAX;
		clock->on_wake(clock->ctx);
	}
	simulated_arm(clock);
}

/* Lets it happen after so long. */
__attribute__((unused)) static void simulated_add(struct simulated_event *event,
    int64_t wait_ms, void (*happen)(struct simulated_event *event))
{
	event->at = simulated.now_ms + wait_ms;
	event->order = ++simulated.order;
	event->happen = happen;
	*PV_ARRAY_PUSH(simulated.heap, simulated.count, simulated.size) = event;
	simulated_rise(event, simulated.count);
	if (simulated.clock)
		simulated_arm(simulated.clock);
}

/* A simulated crawl commits as often as one of days does, and its machine never
 * loses power: so nobody waits for a disk. For a crawl that has been opened. */
#define SIMULATED_NO_SYNC "PRAGMA synchronous=OFF"

/* The clock */

static struct pv_clock *simulated_create(
    struct uv_loop_s *loop, pv_clock_fn on_wake, void *ctx)
{
	struct pv_clock *clock = pv_alloc(sizeof(*clock));
	uv_idle_init(loop, &clock->idle);
	clock->idle.data = clock;
	clock->on_wake = on_wake;
	clock->ctx = ctx;
	clock->wake_at = INT64_MAX;
	simulated.clock = clock;
	return clock;
}

static void simulated_on_closed(uv_handle_t *idle)
{
	free(idle->data);
}

static void simulated_destroy(struct pv_clock *clock)
{
	if (!clock)
		return;
	simulated.clock = NULL;
	if (!simulated.count) {
		free(simulated.heap);
		simulated.heap = NULL;
		simulated.size = 0;
	}
	uv_close((uv_handle_t *)&clock->idle, simulated_on_closed);
}

static struct pv_time simulated_now(const struct pv_clock *clock)
{
	(void)clock;
	return (struct pv_time){
	    .monotonic_ms = simulated.now_ms,
	    .wall_ms = SIMULATED_BEGAN_WALL_MS + simulated.now_ms,
	};
}

/* As if the machine had been on for a day when the simulation began. */
static int64_t simulated_boot_ms(const struct pv_clock *clock)
{
	(void)clock;
	return SIMULATED_DAY_MS + simulated.now_ms;
}

static void simulated_wake_in(
    struct pv_clock *clock, int64_t wait_ms, bool is_busy)
{
	clock->wake_at = wait_ms < 0 ? INT64_MAX : simulated.now_ms + wait_ms;
	clock->is_busy = is_busy;
	simulated_arm(clock);
}

/* All simulated time goes by without work. */
static uint64_t simulated_ticks_ns(const struct pv_clock *clock)
{
	(void)clock;
	return (uint64_t)simulated.now_ms * 1000000;
}

static const struct pv_clock_kind simulated_clock = {
    .create = simulated_create,
    .destroy = simulated_destroy,
    .now = simulated_now,
    .boot_ms = simulated_boot_ms,
    .wake_in = simulated_wake_in,
    .ticks_ns = simulated_ticks_ns,
    .idle_ns = simulated_ticks_ns,
    .cpu_ns = simulated_ticks_ns,
};

#endif
