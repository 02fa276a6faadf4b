#ifndef PAVANE_CRAWL_PROGRESS_HOST_EVENTS_H
#define PAVANE_CRAWL_PROGRESS_HOST_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schedule/wait.h"

/* What hosts wait for, as the program that runs the crawl hears it (on_host).
 *
 * A host whose visit has ended is noted, and looked at in the same round of the
 * loop, since much begins a rest then that nobody could see later. All else, such
 * as names, pauses and the hours of the day, is found with the next beat, in which
 * all hosts are looked at. */
struct pv_crawl;
struct pv_live_host;

/* What was told last of one host. */
struct pv_host_telling {
	struct pv_wait wait; /* PV_WAIT_NOT: that it waits for nothing */
	bool is_given_up;
	bool is_noted;
};

struct pv_host_events {
	uint64_t *noted; /* ids of hosts; owned */
	size_t count;
	size_t size;
};

void pv_host_events_finish(struct pv_host_events *events);

/* Perhaps there is something to tell of it. */
void pv_host_events_note(struct pv_crawl *crawl, struct pv_live_host *host);

/* Tells of those that were noted; of all. */
void pv_host_events_step(struct pv_crawl *crawl);
void pv_host_events_beat(struct pv_crawl *crawl);

/* The host is held no more. */
void pv_host_events_leave(
    const struct pv_crawl *crawl, const struct pv_live_host *host);

#endif
