#ifndef PAVANE_CRAWL_CONDUCTOR_H
#define PAVANE_CRAWL_CONDUCTOR_H

#include <uv.h>

#include "base/log.h"
#include "crawl/consumers/untold.h"
#include "crawl/control/commands.h"
#include "crawl/control/control.h"
#include "crawl/environment.h"
#include "crawl/host/hosts.h"
#include "crawl/host/live_host.h"
#include "crawl/progress/counters.h"
#include "crawl/progress/progress.h"
#include "crawl/run/finishing.h"
#include "crawl/run/fleet_worker.h"
#include "crawl/run/halt.h"
#include "crawl/run/lease_watch.h"
#include "crawl/run/outbox.h"
#include "crawl/run/refusals.h"
#include "crawl/run/secrets.h"
#include "crawl/run/ending.h"
#include "crawl/run/seed_copy.h"
#include "crawl/run/seeding.h"
#include "crawl/run/sinks.h"
#include "crawl/shard/inbound.h"
#include "crawl/update/rounds.h"
#include "crawl/visit/backpressure.h"
#include "crawl/visit/flight.h"
#include "crawl/visit/part_files.h"
#include "crawl/visit/read_job.h"
#include "crawl/visit/rewrite.h"
#include "fetch/fetch.h"
#include "limiter/clock_waiters.h"
#include "limiter/limiter.h"
#include "loop/clock.h"
#include "loop/wakeup.h"
#include "names/names.h"
#include "reading/program/program.h"
#include "reading/context.h"
#include "schedule/schedule_host.h"
#include "store/store.h"
#include "traps/trap_store.h"

/* The conductor: what the files of this room share.
 *
 * It carries each paper from room to room, on one thread, and is given a clock.
 * Each file does one part of the way and calls the next, never one that calls
 * it:
 *
 *   run/seeding         seeds --> frontier
 *   host/hosts          frontier --> names --> schedule
 *   host/held_hosts     all hosts that were taken ...
 *   host/host_visits    ... their next visits ...
 *   host/host_returns   ... and their way back
 *   host/host_slots     who is held while there are more hosts than there is
 *                       room for
 *   visit/release       schedule --> robots, fetch
 *   visit/backpressure  when nothing is released
 *   host/robots_gate    robots.txt of an authority
 *   host/giving_up      hosts that are not asked any more
 *   host/host_limits    how much a host may be asked for in all
 *   host/refused_hosts  what becomes of their visits
 *   host/proxies        by which proxy a host is reached, and how those are
 *   host/clock_claims   what other crawls on this machine leave us
 *   visit/read_job      an answer --> decoded, parsed, judged, stored (in the
 *                       pool)
 *   visit/commit        --> frontier and sinks, in one transaction
 *   visit/resume        what a large body that was broken off still lacks
 *   visit/part_files    its files
 *   visit/conditional   what an update asks for
 *   visit/rewrite       pages and their links, as a mirror has them
 *   control/control     pauses, and what else a person asks for from outside
 *   control/settings    keys of the policy that were set so
 *   control/mailbox     commands of the program that runs the crawl ...
 *   control/commands    ... which are carried out in their order
 *   control/added       addresses that it adds
 *   shard/kept_shard    which shard of a divided crawl this is ...
 *   shard/sharing       ... what it leaves to the others ...
 *   shard/inbound       ... and what those have found for it
 *   run/halt            why the crawl ends
 *   run/stopping        the end, however it comes
 *   run/lease_watch     what it does when its hosts may be another machine's
 *   run/crawl_entry     the page by which a mirror is entered
 *   update/rounds       an update, after that
 *   update/gone_pages   the files of pages that an update did not find any more
 *   progress/forecast   how long it will take
 *
 * What has to go back that way is noted (halt.h, host_visits.h); `turn`
 * (crawl.c), once in each round of the loop, goes on from there.
 */
struct pv_runtime;

struct pv_crawl_run {
	int64_t number; /* of this run of the crawl, from 1 */
	int64_t began;  /* by the clock that never jumps */
	uv_prepare_t turn;
	struct pv_runtime *own_runtime; /* if it shares none */
	bool has_lost_fleet;            /* it is to be opened again */
	bool has_made_directory;        /* there was none before */
	struct pv_ending ending;
	struct pv_seed_copy seed_copy;
	struct pv_program program; /* that runs the crawl */
	struct pv_untold untold;
};

struct pv_crawl {
	const struct pv_policy *policy;
	const char *directory;
	struct pavane_crawl_options options;
	struct pv_log log;
	struct pv_crawl_run run;

	uv_loop_t loop;
	struct pv_wakeup
	    wakeup; /* by the writer, the pool, and who asks to stop */
	struct pv_environment around;
	struct pv_clock *clock; /* for the earliest of all deadlines */
	struct pv_time now;     /* of this round of the loop */

	struct pv_store *store;
	struct pv_frontier *frontier;
	struct pv_fleet *fleet; /* whose worker it is; NULL: none's */
	struct pv_fleet_rejudge fleet_rejudge;
	struct pv_outbox outbox;
	struct pv_sinks sinks;
	struct pv_refusals *refusals;     /* the writer's thread's */
	struct pv_trap_store *trap_store; /* the writer's thread's */
	struct pv_linking linking;        /* of a mirror's pages */
	struct pv_part_files part_files;

	struct pv_names *names;
	struct pv_fetch *fetch;
	struct pv_schedule *schedule;
	struct pv_limiter *limiter; /* shared with other crawls, or alone */
	struct pv_clock_party clock_party; /* those of this process */

	struct pv_seeding seeding;
	struct pv_inbound inbound; /* from other shards */
	struct pv_secrets secrets;
	struct pv_hosts hosts;
	struct pv_flights flights;
	struct pv_backpressure backpressure;
	struct pv_reading_context reading;
	struct pv_readers readers;

	struct pv_update update;
	struct pv_finishing finishing;
	struct pv_halt halt;
	struct pv_lease_watch lease_watch;
	struct pv_control control;
	struct pv_commands commands;
	struct pv_counters counters;
	struct pv_progress progress;
};

/* Time may have gone by since the loop's last turn. */
static inline void pv_crawl_look_at_clock(struct pv_crawl *crawl)
{
	crawl->now = crawl->around.clock->now(crawl->clock);
}

/* A stopwatch, for any thread. */
static inline uint64_t pv_crawl_ticks_ns(const struct pv_crawl *crawl)
{
	return crawl->around.clock->ticks_ns(crawl->clock);
}

/* Now, as of this round of the loop. */
static inline int64_t pv_crawl_now(const struct pv_crawl *crawl)
{
	return crawl->now.monotonic_ms;
}

/* The end of the current millisecond: the time to give for an event that may
 * begin a rest (schedule/wait.h). */
static inline int64_t pv_crawl_now_over(const struct pv_crawl *crawl)
{
	return crawl->now.monotonic_ms + 1;
}

#endif
