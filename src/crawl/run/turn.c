#include "crawl/run/turn.h"

#include "crawl/conductor.h"
#include "crawl/control/commands.h"
#include "crawl/host/clock_claims.h"
#include "crawl/host/hosts.h"
#include "crawl/host/refused_hosts.h"
#include "crawl/robots/robots_gate.h"
#include "crawl/run/lease_watch.h"
#include "crawl/run/stopping.h"
#include "crawl/visit/release.h"
#include "schedule/gates.h"
#include "schedule/scheduler.h"

/* How old a group of papers grows while nothing is on the wire, or where
 * something in it is urgent. */
#define IDLE_GROUP_MS 20

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Whether there is nothing to be done before something is committed. */
static bool is_waiting_for_commit(const struct pv_crawl *crawl)
{
	return !crawl->flights.fetching && !crawl->flights.reading &&
	       pv_writer_is_idle(&crawl->store->writer);
}

/* How long until the group of papers is to be committed; negative if there is
 * none. Where nobody is on the wire nothing is gained by waiting as long as
 * else, or at all, and what a host asked for must outlive any end; but a sync
 * for each paper would cost more than it gains. */
static int64_t group_wait(const struct pv_crawl *crawl)
{
	int64_t wait_ms =
	    pv_writer_wait(&crawl->store->writer, pv_crawl_now(crawl));
	if (wait_ms < 0 ||
	    (crawl->flights.fetching && !crawl->flights.is_urgent))
		return wait_ms;
	wait_ms -= PV_GROUP_MS - IDLE_GROUP_MS;
	return wait_ms > 0 && !is_waiting_for_commit(crawl) ? wait_ms : 0;
}

static void tend_writer(struct pv_crawl *crawl)
{
	if (group_wait(crawl) != 0)
		return;
	pv_writer_flush(&crawl->store->writer);
	crawl->flights.is_urgent = false;
}

/* Whether threads are at work, whose answers wake the loop. */
static bool is_busy(const struct pv_crawl *crawl)
{
	return !pv_pool_is_idle(crawl->readers.pool) ||
	       !pv_writer_is_idle(&crawl->store->writer);
}

static void arm(struct pv_crawl *crawl)
{
	int64_t now = pv_crawl_now(crawl);
	int64_t group_ms = group_wait(crawl);
	int64_t wake =
	    earlier(pv_stopping_next(crawl), crawl->progress.beat_at);
	if (!crawl->halt.is_ending) {
		wake =
		    earlier(wake, pv_scheduler_next_wake(crawl->schedule, now));
		wake = earlier(wake, crawl->hosts.dns.look_up_next);
		wake = earlier(wake, crawl->hosts.authorities.ask_next);
		wake = earlier(wake, crawl->hosts.hops.next_at);
		wake = earlier(wake, crawl->hosts.visits.later_next);
		wake = earlier(wake, pv_host_slots_next(crawl));
		if (crawl->hosts.visits.refused)
			wake = now;
		if (crawl->backpressure.pause_until > now)
			wake = earlier(wake, crawl->backpressure.pause_until);
	}
	wake = earlier(wake, pv_lease_watch_next(crawl));
	if (group_ms >= 0)
		wake = earlier(wake, now + group_ms);
	crawl->around.clock->wake_in(
	    crawl->clock, wake > now ? wake - now : 0, is_busy(crawl));
}

/* Once all that is due has had its chance in this turn: so a host that was
 * refused a moment ago, perhaps for another crawl, is shown as waiting. */
static void beat(struct pv_crawl *crawl)
{
	if (crawl->progress.beat_at > pv_crawl_now(crawl))
		return;
	crawl->progress.beat_at =
	    pv_crawl_now(crawl) + crawl->options.progress_ms;
	pv_stopping_look_at_state(crawl);
	pv_progress_beat(crawl);
	pv_host_events_beat(crawl);
}

void pv_turn_run(struct pv_crawl *crawl)
{
	pv_crawl_look_at_clock(crawl);
	pv_refusals_tick(crawl->refusals, crawl->now.wall_ms);
	pv_pool_receive(crawl->readers.pool);
	pv_outbox_send(&crawl->outbox, pv_crawl_now(crawl));
	pv_control_step(crawl);
	pv_commands_step(crawl);
	pv_seeding_step(crawl);
	pv_inbound_step(crawl);
	pv_hosts_step(crawl);
	pv_robots_gate_step(crawl);
	pv_robots_hops_step(crawl);
	pv_disk_space_step(crawl);
	pv_stopping_hear(crawl);
	pv_clock_claims_hear(crawl);
	pv_lease_watch_step(crawl);
	pv_release_step(crawl);
	pv_refused_hosts_step(crawl);
	pv_host_events_step(crawl);
	beat(crawl);
	pv_stopping_step(crawl);
	tend_writer(crawl);
	pv_writer_hand_on(&crawl->store->writer);
	pv_pool_hand_on(crawl->readers.pool);
	crawl->around.fetch->hand_on(crawl->fetch);
	arm(crawl);
	pv_progress_turn(crawl);
}

void pv_turn_on_wake(void *ctx)
{
	pv_crawl_look_at_clock(ctx);
}

void pv_turn_on_wakeup(void *ctx)
{
	struct pv_crawl *crawl = ctx;
	pv_crawl_look_at_clock(crawl);
	pv_pool_receive(crawl->readers.pool);
	pv_writer_receive(&crawl->store->writer);
}
