#ifndef PAVANE_CRAWL_HOST_HOST_SLOTS_H
#define PAVANE_CRAWL_HOST_HOST_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Places in memory: so many hosts are held at once, however many there are.
 *
 * All hosts that have something left stand in one line, by when they are ready
 * to be asked, be it here or in the frontier. While hosts that are ready wait
 * there, a host here that was asked and has to rest gives its place to one of
 * them, and so does one that has nothing left; each comes back when its rest is
 * over. Its clock stays with the schedule as long as it has anything to say,
 * and is in the state file, too.
 *
 * Where the crawl cannot keep up, hosts that are ready stand in line here as
 * well (`late_ms`). Then one that waits in the frontier gets a place when it
 * has been ready for half as long: so its whole wait is no more than one and a
 * half of what the others wait, and places do not change hands with each
 * request.
 *
 * What hosts need of memory the cache of the state file does without, so that a
 * crawl of many hosts takes about as much as one of many addresses. Where crawls
 * share a ceiling of caches (crawl/runtime.h), each keeps to its part of it.
 */
struct pv_crawl;
struct pv_host_request;
struct pv_live_host;

struct pv_host_slots {
	size_t max;            /* so many hosts are held at once */
	bool has_waiting;      /* hosts in the frontier have something left */
	size_t ready_outside;  /* hosts in the frontier, by its last answer */
	int64_t next_outside;  /* when the first of them is ready */
	int64_t look_at;       /* in the frontier, at the earliest ... */
	int64_t search_at;     /* ... and among all hosts here */
	int64_t late_ms;       /* how long who is ready waits here, about */
	int64_t wall_ahead_ms; /* of the monotonic clock, at most so far */
	size_t cache_bytes;    /* that the state file's cache may take ... */
	size_t link_bytes;     /* ... and the links at hand */
};

void pv_host_slots_init(struct pv_host_slots *places);

/* Hosts that wait in the frontier have got something to do. */
void pv_host_slots_note_waiting(struct pv_crawl *crawl);

/* What the cache of the state file may take beside so many hosts that are held,
 * and so many authorities that are remembered, where it may take so much without
 * any. */
size_t pv_host_slots_cache_bytes(size_t all, size_t held, size_t remembered);

/* How many further hosts may be held. */
size_t pv_host_slots_free(const struct pv_crawl *crawl);

/* Whether all places are taken and others wait for one. */
bool pv_host_slots_are_short(const struct pv_crawl *crawl);

/* Whether it is time to see who waits in the frontier though none is free. */
bool pv_host_slots_are_to_look(const struct pv_crawl *crawl);

/* What a request for hosts asks about those that wait on, and what it says. */
void pv_host_slots_ask(
    const struct pv_crawl *crawl, struct pv_host_request *request);
void pv_host_slots_hear(
    struct pv_crawl *crawl, const struct pv_host_request *request);

/* A request was released that could have been so long before. */
void pv_host_slots_note_late(struct pv_crawl *crawl, int64_t late_ms);

/* The host was asked, or has nothing more: it may be another's turn. */
void pv_host_slots_offer(struct pv_crawl *crawl, struct pv_live_host *host);

/* Before when the host is not asked, as far as it is known: now, if it may be
 * at once; PV_NEVER if it has nothing left, or if that depends on what is under
 * way. */
int64_t pv_host_slots_ready_at(
    const struct pv_crawl *crawl, const struct pv_live_host *host);

/* Looks for places among all hosts, once in a while. */
void pv_host_slots_step(struct pv_crawl *crawl);

/* When the first host in the frontier may get a place that is not free now;
 * PV_NEVER if none waits there. */
int64_t pv_host_slots_first_due(const struct pv_crawl *crawl);

/* When all that has to be looked at again; PV_NEVER. */
int64_t pv_host_slots_next(const struct pv_crawl *crawl);

#endif
