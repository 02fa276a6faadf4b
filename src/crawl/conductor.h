#ifndef PAVANE_CRAWL_CONDUCTOR_H
#define PAVANE_CRAWL_CONDUCTOR_H

#include <stdatomic.h>
#include <uv.h>

#include "base/log.h"
#include "crawl/environment.h"
#include "crawl/host/authority.h"
#include "crawl/host/dns.h"
#include "crawl/host/held_hosts.h"
#include "crawl/host/host_returns.h"
#include "crawl/host/host_slots.h"
#include "crawl/host/host_visits.h"
#include "crawl/host/hosts.h"
#include "crawl/host/live_host.h"
#include "crawl/progress/counters.h"
#include "crawl/run/halt.h"
#include "crawl/run/ledger_book.h"
#include "crawl/run/origins.h"
#include "crawl/run/outbox.h"
#include "crawl/run/refusals.h"
#include "crawl/run/secrets.h"
#include "crawl/run/seeding.h"
#include "crawl/run/sinks.h"
#include "crawl/visit/disk_space.h"
#include "crawl/visit/part_files.h"
#include "fetch/fetch.h"
#include "limiter/shared_clocks.h"
#include "loop/clock.h"
#include "loop/pool.h"
#include "loop/wakeup.h"
#include "mirror/update/gone_files.h"
#include "names/names.h"
#include "pavane/pavane.h"
#include "policy/sameness.h"
#include "schedule/schedule_host.h"
#include "scope/scope.h"
#include "store/store.h"
#include "store/tables/redirects.h"
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
 *   host/refused_hosts  what becomes of their visits
 *   host/clock_claims   what other crawls on this machine leave us
 *   visit/read_job      an answer --> decoded, parsed, judged, stored (in the
 *                       pool)
 *   visit/commit        --> frontier and sinks, in one transaction
 *   visit/resume        what a large body that was broken off still lacks
 *   visit/part_job      its files (in the pool)
 *   visit/conditional   what an update asks for
 *   visit/rewrite       pages and their links, as a mirror has them
 *   run/halt            why the crawl ends
 *   run/stopping        the end, however it comes
 *   run/crawl_entry     the page by which a mirror is entered
 *   update/rounds       an update, after that
 *   update/gone_pages   the files of pages that an update did not find any more
 *   progress/forecast   how long it will take
 *
 * What has to go back that way is noted (halt.h, host_visits.h); `turn`
 * (crawl.c), once in each round of the loop, goes on from there.
 */
#define PV_SPARE_BODIES 128

/* What becomes of an update that was asked for. */
enum pv_update {
	PV_UPDATE_NONE, /* nobody asked for one */
	PV_UPDATE_BEGINS,
	PV_UPDATE_GOES_ON, /* something was not finished */
	PV_UPDATE_EMPTY,   /* nothing is due */
};

struct pv_crawl {
	const struct pv_policy *policy;
	const char *directory;
	struct pavane_crawl_options options;
	struct pv_log log;

	uv_loop_t loop;
	struct pv_wakeup
	    wakeup; /* by the writer, the pool, and who asks to stop */
	uv_prepare_t turn;
	struct pv_environment around;
	struct pv_clock *clock; /* for the earliest of all deadlines */
	int64_t beat_at;        /* of progress */
	struct pv_time now;     /* of this round of the loop */
	int64_t run;            /* the how manieth of this crawl, from 1 */
	int64_t run_began;      /* by the clock that never jumps */

	struct pv_store *store;
	struct pv_frontier *frontier;
	struct pv_outbox outbox;
	struct pv_sinks sinks;
	struct pv_refusals *refusals;  /* the writer's thread's */
	struct pv_ledger_book *ledger; /* the writer's thread's */
	struct pv_names *names;
	struct pv_fetch *fetch;
	struct pv_schedule *schedule;
	struct pv_shared_clocks *clocks; /* with other crawls on this machine;
					    NULL: alone */
	struct pv_scope *scope;
	const struct pv_seed *deepest; /* as judges need it */
	struct pv_vouchers *vouchers;  /* of hosts for sitemaps elsewhere */
	struct pv_sameness sameness;
	struct pv_traps *traps;
	struct pv_redirects redirects;    /* the writer's thread's */
	struct pv_saved_links *saved;     /* of pages that were kept */
	atomic_bool has_kept;             /* a page, in this run */
	bool is_linked;                   /* all of them to one another */
	struct pv_trap_store *trap_store; /* the writer's thread's */
	struct pv_pool *pool;
	struct pv_reader_desk *desks; /* one for each of its threads */
	size_t desk_count;
	const char *spill; /* directory for large bodies */

	struct pv_seeding seeding;
	struct pv_origins origins; /* of the seeds: secrets may go there */
	struct pv_secrets secrets;

	/* hosts */
	struct pv_held_hosts hosts;
	struct pv_host_visits visits; /* of theirs */
	struct pv_host_taking taking;
	struct pv_host_giving giving;
	struct pv_host_slots places;
	struct pv_dns naming;
	struct pv_authorities authorities;

	struct pv_disk_space disk_room;
	struct pv_part_files part_files;

	/* after we ran out of something */
	int64_t pause_until;  /* nothing is released */
	int64_t scarce_until; /* no more than so many are in flight */
	size_t in_flight_max;
	unsigned unkept_pauses; /* since a page was kept, because of ones that
				   could not be */
	bool has_idle_to_close; /* connections that nobody waits for */

	/* open visits */
	size_t open_count;
	size_t fetching_count;
	uint64_t open_bytes; /* of answers that have ended */
	size_t reading_count;
	size_t settling_count; /* those that are being read among them */
	bool is_urgent;        /* what waits for its commit */
	struct pv_open *opens; /* all of them */
	struct pv_open *spare; /* that are used again */
	size_t spare_bytes;
	struct pv_buf spare_bodies[PV_SPARE_BODIES]; /* the memory of some */
	size_t spare_body_count;

	/* the end */
	struct pv_halt halt;
	bool is_counting;
	struct pv_count_request count_request;
	struct pv_counts counts;
	struct pv_round round;       /* as of then */
	enum pv_update update;       /* what became of one */
	struct pv_gone_figures gone; /* of files whose pages are gone, once it
					is complete */
	int64_t refusals_told;       /* up to which address (finishing.h) */
	int64_t finished_at;         /* by an earlier run, as wall time; 0 */

	struct pv_counters counters;
	struct pavane_progress progress;
	char progress_note[240];
	char progress_held[240];
	char status_words[PAVANE_TALLIES_MAX][8];
	struct pv_count_request look_request;
	bool is_looking;   /* for counts */
	bool has_forecast; /* it has been told how long it will take */
	uint64_t looked_at_requests;
	int64_t sampled_at; /* the pace */
	int64_t kept_at;    /* the state of things */
	uint64_t turned_at; /* the loop, by the clock's ticks */
	uint64_t turned_idle;
	enum pv_holder holder; /* whom the loop waits for */
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

/* By when that has happened which just did: what may begin a rest is told so
 * (schedule/wait.h). */
static inline int64_t pv_crawl_now_over(const struct pv_crawl *crawl)
{
	return crawl->now.monotonic_ms + 1;
}

#endif
