#ifndef PAVANE_FETCH_LANE_H
#define PAVANE_FETCH_LANE_H

#include <stdatomic.h>
#include <time.h>

#include <uv.h>

#include "fetch/call.h"
#include "fetch/connection/absence.h"
#include "fetch/connection/fair_share.h"
#include "fetch/connection/sockets.h"
#include "fetch/post.h"
#include "fetch/shared.h"
#include "fetch/transfer.h"

struct pv_shard;

/* A thread that makes transfers, with a loop of its own on which libcurl's
 * multis are (shard.h).
 *
 * The loop that conducts never runs libcurl: a server can keep that at work for
 * as long as it likes. It hands transfers to a lane (`orders`) and hears from
 * it what came of them (`notices`).
 */

/* Of its thread, for which somebody may wait. */
struct pv_lane_end {
	uv_mutex_t mutex;
	uv_cond_t cond;
	bool has_come;
};

struct pv_lane {
	struct pv_fetch_shared *shared;
	uv_loop_t loop;
	pthread_t thread;
	clockid_t cpu_clock; /* of its thread, if that has one; without, nobody
				is cut off from outside */
	bool has_cpu_clock;
	struct pv_post orders;
	struct pv_post notices;
	struct pv_call call;
	struct pv_lane_end end;

	bool is_apart;
	bool is_running;

	/* the lane's own */
	struct pv_sockets sockets;
	struct pv_shard **shards;
	uint32_t shard_count;
	struct pv_fair_share share;
	struct pv_absence absence;
	uv_prepare_t before_sleep;
	unsigned turns_kept; /* of the loop, since notices were handed on */

	/* the conducting loop's */
	struct pv_note close_idle, stop;
	atomic_bool is_closing_idle; /* told so, and not done yet */
};

struct pv_lane_plan {
	uv_loop_t *loop; /* the conducting one, to which notices come */
	uint32_t shard_count;
	bool is_apart; /* for hosts in quarantine: no requests share a
			  connection */
};

/* Starts a lane. If its thread, loop or descriptors cannot be created, the lane
 * is returned all the same, but is not running. */
struct pv_lane *pv_lane_create(
    struct pv_fetch_shared *shared, const struct pv_lane_plan *plan);

/* Tells the thread, if there is one, to close the connections that rest. */
void pv_lane_close_idle(struct pv_lane *lane);

/* Tells the thread to end: tidily, when nothing is under way any more, or at
 * once, with everything left to the system. */
void pv_lane_stop(struct pv_lane *lane, enum pv_order how);

/* Waits so long for its end; true if it has ended. */
bool pv_lane_join(struct pv_lane *lane, int64_t wait_ms);

/* After the end of the thread. */
void pv_lane_close(struct pv_lane *lane);

/* After that, when the conducting loop has run its closing callbacks. */
void pv_lane_destroy(struct pv_lane *lane);

/* What processor time its thread has used, if that can be known. Any
 * thread's. */
uint64_t pv_lane_cpu_ns(const struct pv_lane *lane);

#endif
