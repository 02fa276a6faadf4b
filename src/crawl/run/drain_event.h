#ifndef PAVANE_CRAWL_RUN_DRAIN_EVENT_H
#define PAVANE_CRAWL_RUN_DRAIN_EVENT_H

#include <stdbool.h>
#include <stddef.h>

/* The event that a stop waits for: no visit is open any more.
 *
 * A visit is open from its release until its commit. The first one clears the
 * event, and the last one to be closed sets it. When a crawl is to stop,
 * nothing new starts, and the conductor waits for this event, or for
 * drain_timeout, before it gives its hosts back, commits and ends (stopping.h).
 * It is set from the beginning: where nothing is open there is nothing to wait
 * for.
 */
struct pv_drain_event {
	size_t open; /* visits */
};

static inline void pv_drain_event_enter(struct pv_drain_event *event)
{
	event->open++;
}

static inline void pv_drain_event_leave(struct pv_drain_event *event)
{
	event->open--;
}

static inline bool pv_drain_event_is_set(const struct pv_drain_event *event)
{
	return !event->open;
}

#endif
