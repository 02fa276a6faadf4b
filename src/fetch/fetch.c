#include "fetch/fetch.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "fetch/connection/quarantine.h"
#include "fetch/lane.h"
#include "fetch/transfer.h"
#include "fetch/watch.h"
#include "policy/policy.h"
#include "url/url.h"

/* So many transfers are kept for the next requests. */
#define SPARE_MAX 1024

/* Fewer are no work for a thread of their own. */
#define SHARDS_A_LANE 4

/* So many are handed on before the loop is about to wait: a lane can begin with
 * them while others are still being released. */
#define KEPT_MAX 16

/* How long a lane may take to end before it is helped on again. One that has worked
 * for JOIN_CPU_NS since, or not at all for so many tries, is in a call that nothing
 * ends, and is left to the system; on a busy machine a lane waits for a processor much
 * longer. */
#define JOIN_MS 20
#define JOIN_TRIES 3000
#define JOIN_IDLE_TRIES 250
#define JOIN_CPU_NS 5000000000

/* Each lane with what was seen of it. */
struct watched {
	struct pv_lane *lane;
	struct pv_watch watch;
};

struct pv_fetch {
	uv_loop_t *loop;
	struct pv_fetch_shared shared;
	struct watched *lanes;
	uint32_t lane_count;
	struct watched apart; /* for the quarantine; its lane is made when it is
				 needed */
	struct pv_quarantine quarantine;
	struct pv_bandwidth *bandwidth;
	struct pv_transfer *spare;
	size_t spare_count;
	size_t count;      /* of those under way */
	size_t kept_count; /* of those that are not handed on yet */
	uv_prepare_t before_wait;
	uv_timer_t timer; /* of the watch */
	bool is_stuck;    /* a lane does not end: what it has is left to it */
};

static const struct pv_hash_key hash_key = {{0x70617661, 0x6e65}};

/* All lanes */

typedef void (*lane_fn)(struct watched *watched, void *ctx);

static void each_lane(struct pv_fetch *fetch, lane_fn visit, void *ctx)
{
	for (uint32_t i = 0; i < fetch->lane_count; i++)
		visit(&fetch->lanes[i], ctx);
	if (fetch->apart.lane)
		visit(&fetch->apart, ctx);
}

static void hand_on(struct watched *watched, void *ctx)
{
	(void)ctx;
	pv_post_hand_on(&watched->lane->orders);
}

void pv_fetch_hand_on(struct pv_fetch *fetch)
{
	fetch->kept_count = 0;
	each_lane(fetch, hand_on, NULL);
}

static void before_wait(uv_prepare_t *prepare)
{
	pv_fetch_hand_on(prepare->data);
}

/* The watch */

static void look(struct watched *watched, void *ctx)
{
	bool *is_any_busy = ctx;
	if (pv_watch_look(&watched->watch, watched->lane))
		*is_any_busy = true;
}

static void on_timer(uv_timer_t *timer)
{
	bool is_any_busy = false;
	each_lane(timer->data, look, &is_any_busy);
	uv_timer_start(timer, on_timer,
	    is_any_busy ? PV_WATCH_BUSY_MS : PV_WATCH_IDLE_MS, 0);
}

/* The loop runs on while something is under way. */
static void ref(struct watched *watched, void *ctx)
{
	(void)ctx;
	pv_post_keep_awake(&watched->lane->notices, true);
}

static void unref(struct watched *watched, void *ctx)
{
	(void)ctx;
	pv_post_keep_awake(&watched->lane->notices, false);
}

static void count_one_more(struct pv_fetch *fetch)
{
	if (fetch->count++)
		return;
	each_lane(fetch, ref, NULL);
	uv_timer_start(&fetch->timer, on_timer, PV_WATCH_IDLE_MS, 0);
}

static void count_one_less(struct pv_fetch *fetch)
{
	if (--fetch->count)
		return;
	each_lane(fetch, unref, NULL);
	uv_timer_stop(&fetch->timer);
}

/* Transfers */

static struct pv_transfer *take_transfer(struct pv_fetch *fetch)
{
	struct pv_transfer *transfer = fetch->spare;
	if (!transfer)
		return pv_transfer_create();
	fetch->spare = transfer->next;
	fetch->spare_count--;
	return transfer;
}

static void give_transfer(struct pv_fetch *fetch, struct pv_transfer *transfer)
{
	if (fetch->spare_count == SPARE_MAX) {
		pv_transfer_destroy(transfer);
		return;
	}
	transfer->next = fetch->spare;
	fetch->spare = transfer;
	fetch->spare_count++;
}

/* What the lane tells */

static void on_sent(struct pv_fetch *fetch, struct pv_transfer *transfer)
{
	if (atomic_load(&transfer->is_dropped))
		return;
	transfer->wanted->times.told_late_ms =
	    (int64_t)((uv_hrtime() - transfer->sent_ns) / 1000000);
	uv_update_time(fetch->loop);
	transfer->on_sent(transfer->ctx);
}

static void grant(struct pv_transfer *transfer)
{
	if (!pv_bandwidth_pass(&transfer->course, transfer->asked))
		return;
	transfer->granted++;
	pv_post_add(&transfer->lane->orders, &transfer->grant);
}

static void on_course(struct pv_course *course)
{
	grant(pv_transfer_of(course));
}

static void charge(struct pv_transfer *transfer)
{
	if (transfer->is_limited && transfer->came)
		pv_bandwidth_charge(&transfer->course, transfer->came);
}

static void on_asks(struct pv_transfer *transfer)
{
	if (atomic_load(&transfer->is_dropped))
		return;
	charge(transfer);
	grant(transfer);
}

static void on_ended(struct pv_fetch *fetch, struct pv_transfer *transfer);

/* The lane has given it back. */
static void on_cancelled(struct pv_fetch *fetch, struct pv_transfer *transfer)
{
	if (!transfer->is_over)
		pv_transfer_unload(transfer);
	give_transfer(fetch, transfer);
}

static void on_notice(void *ctx, const struct pv_note *note)
{
	struct pv_fetch *fetch = ctx;
	struct pv_transfer *transfer = note->about;
	switch ((enum pv_notice)note->kind) {
	case PV_NOTICE_SENT:
		on_sent(fetch, transfer);
		break;
	case PV_NOTICE_ASKS:
		on_asks(transfer);
		break;
	case PV_NOTICE_ENDED:
		on_ended(fetch, transfer);
		break;
	case PV_NOTICE_CANCELLED:
		on_cancelled(fetch, transfer);
		break;
	}
}

/* Lanes */

static bool create_lane(
    struct pv_fetch *fetch, struct watched *watched, struct pv_lane_plan plan)
{
	plan.loop = fetch->loop;
	watched->lane = pv_lane_create(&fetch->shared, &plan);
	pv_post_set_receiver(&watched->lane->notices, on_notice, fetch);
	return watched->lane->is_running;
}

/* Hosts that kept a lane from others are asked on one apart; if there is no
 * memory for that, they stay where they are. */
static void set_apart(struct pv_fetch *fetch, uint64_t host)
{
	struct watched *apart = &fetch->apart;
	const struct pv_lane_plan plan = {.shard_count = 1, .is_apart = true};
	if (!apart->lane && create_lane(fetch, apart, plan) && fetch->count)
		ref(apart, NULL);
	if (apart->lane->is_running)
		pv_quarantine_add(&fetch->quarantine, host);
}

/* It carries no other request while an order about this one is on its way. */
static void retire(struct pv_fetch *fetch, struct pv_transfer *transfer)
{
	transfer->is_over = true;
	if (transfer->granted == transfer->grants_heard)
		give_transfer(fetch, transfer);
	else
		pv_post_add(&transfer->lane->orders, &transfer->cancel);
}

/* The callback may start another request with the same transfer. */
static void on_ended(struct pv_fetch *fetch, struct pv_transfer *transfer)
{
	void (*on_end)(void *) = transfer->on_end;
	void *ctx = transfer->ctx;
	if (atomic_load(&transfer->is_dropped))
		return;
	if (transfer->is_cut)
		set_apart(fetch, transfer->host);
	charge(transfer);
	pv_bandwidth_leave(&transfer->course);
	pv_transfer_unload(transfer);
	retire(fetch, transfer);
	count_one_less(fetch);
	uv_update_time(fetch->loop);
	on_end(ctx);
}

static struct pv_lane *lane_of(const struct pv_fetch *fetch, uint64_t host)
{
	if (fetch->apart.lane && pv_quarantine_has(&fetch->quarantine, host))
		return fetch->apart.lane;
	return fetch->lanes[host % fetch->lane_count].lane;
}

/* What the caller wants */

static void join_course(struct pv_fetch *fetch, struct pv_transfer *transfer,
    const struct pv_request *request)
{
	pv_bandwidth_join(fetch->bandwidth, &transfer->course, request->clock,
	    request->bandwidth);
	transfer->is_limited = pv_course_is_limited(&transfer->course);
}

/* An address that is none ends at libcurl, like any that it cannot read. */
struct pv_transfer *pv_fetch_start(
    struct pv_fetch *fetch, const struct pv_request *request)
{
	struct pv_transfer *transfer = take_transfer(fetch);
	pv_transfer_load(transfer, request);
	transfer->host = pv_hash(&hash_key, pv_url_host_and_port(request->url));
	transfer->lane = lane_of(fetch, transfer->host);
	join_course(fetch, transfer, request);
	count_one_more(fetch);
	pv_post_add(&transfer->lane->orders, &transfer->start);
	if (++fetch->kept_count >= KEPT_MAX)
		pv_fetch_hand_on(fetch);
	return transfer;
}

void pv_fetch_cancel(struct pv_fetch *fetch, struct pv_transfer *transfer)
{
	atomic_store(&transfer->is_dropped, true);
	pv_bandwidth_leave(&transfer->course);
	count_one_less(fetch);
	pv_post_add(&transfer->lane->orders, &transfer->cancel);
}

static void close_idle(struct watched *watched, void *ctx)
{
	struct pv_lane *lane = watched->lane;
	(void)ctx;
	pv_lane_close_idle(lane);
}

void pv_fetch_close_idle(struct pv_fetch *fetch)
{
	each_lane(fetch, close_idle, NULL);
}

/* Life */

/* One thread has work for a processor at some thousand requests a second; more
 * of them serve who has many connections and the processors for it. */
static uint32_t count_lanes(
    const struct pv_fetch_shared *shared, uint32_t lanes)
{
	unsigned cores = uv_available_parallelism();
	uint32_t most = cores > 3 ? cores / 2 : 1;
	uint32_t worth =
	    (shared->shard_count + SHARDS_A_LANE - 1) / SHARDS_A_LANE;
	if (lanes)
		return shared->shard_count < lanes ? shared->shard_count
						   : lanes;
	return worth < most ? worth : most;
}

static bool create_lanes(struct pv_fetch *fetch, uint32_t lanes)
{
	uint32_t count = count_lanes(&fetch->shared, lanes);
	const struct pv_lane_plan plan = {
	    .shard_count = (fetch->shared.shard_count + count - 1) / count};
	fetch->lanes = pv_alloc_array(count, sizeof(*fetch->lanes));
	while (fetch->lane_count < count)
		if (!create_lane(
			fetch, &fetch->lanes[fetch->lane_count++], plan))
			return false;
	return true;
}

static void prepare_loop(struct pv_fetch *fetch)
{
	uv_timer_init(fetch->loop, &fetch->timer);
	uv_unref((uv_handle_t *)&fetch->timer);
	fetch->timer.data = fetch;
	uv_prepare_init(fetch->loop, &fetch->before_wait);
	fetch->before_wait.data = fetch;
	uv_prepare_start(&fetch->before_wait, before_wait);
	uv_unref((uv_handle_t *)&fetch->before_wait);
}

static bool fill_jar(struct pv_fetch *fetch, struct pv_why *why)
{
	struct pv_fetch_shared *shared = &fetch->shared;
	const char *path = shared->policy->fetch.cookie_file;
	return !path || pv_jar_fill(&shared->jar, path, why);
}

struct pv_fetch *pv_fetch_create(
    const struct pv_fetch_plan *plan, struct pv_why *why)
{
	struct pv_fetch *fetch = NULL;
	if (curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) {
		fetch = pv_alloc(sizeof(*fetch));
		fetch->loop = plan->loop;
		pv_fetch_shared_init(&fetch->shared, plan);
		fetch->bandwidth = pv_bandwidth_create(
		    plan->loop, plan->policy->rate.bandwidth, on_course);
		prepare_loop(fetch);
	}
	if (fetch && !fill_jar(fetch, why)) {
		pv_fetch_destroy(fetch);
		return NULL;
	}
	if (fetch && create_lanes(fetch, plan->lanes))
		return fetch;
	pv_why_add(why, (struct pv_place){NULL, 0, 0}, PV_STR(""),
	    "cannot start libcurl: too few file descriptors or threads");
	pv_fetch_destroy(fetch);
	return NULL;
}

/* A lane that is in the midst of a call is helped out of it. */
static void join(struct watched *watched, void *ctx)
{
	struct pv_fetch *fetch = ctx;
	struct pv_lane *lane = watched->lane;
	uint64_t until_ns = pv_lane_cpu_ns(lane) + JOIN_CPU_NS;
	uint64_t seen_ns = 0;
	int idle_tries = 0;
	if (!lane->is_running)
		return;
	for (int i = 0; i < JOIN_TRIES && idle_tries < JOIN_IDLE_TRIES; i++) {
		if (pv_lane_join(lane, JOIN_MS))
			return;
		uint64_t now_ns = pv_lane_cpu_ns(lane);
		if (now_ns >= until_ns)
			break;
		idle_tries = now_ns == seen_ns ? idle_tries + 1 : 0;
		seen_ns = now_ns;
		pv_watch_cut(&watched->watch, lane);
	}
	fetch->is_stuck = true;
}

static void stop(struct watched *watched, void *ctx)
{
	const enum pv_order *how = ctx;
	if (watched->lane->is_running)
		pv_lane_stop(watched->lane, *how);
}

static void end_lanes(struct pv_fetch *fetch, enum pv_order how)
{
	pv_fetch_hand_on(fetch);
	each_lane(fetch, stop, &how);
	each_lane(fetch, join, fetch);
}

/* What was dropped comes back. */
static void close_lane(struct watched *watched, void *ctx)
{
	const struct pv_fetch *fetch = ctx;
	if (fetch->is_stuck) {
		pv_post_deafen(&watched->lane->notices);
		return;
	}
	pv_post_receive(&watched->lane->notices);
	pv_lane_close(watched->lane);
}

static void destroy_lane(struct watched *watched, void *ctx)
{
	(void)ctx;
	pv_lane_destroy(watched->lane);
}

static void free_fetch(uv_handle_t *handle)
{
	struct pv_fetch *fetch = handle->data;
	if (fetch->is_stuck)
		return;
	each_lane(fetch, destroy_lane, NULL);
	free(fetch->lanes);
	free(fetch);
}

/* All that was closed before this one has been closed then. */
static void close_last(uv_handle_t *handle)
{
	struct pv_fetch *fetch = handle->data;
	uv_close((uv_handle_t *)&fetch->before_wait, free_fetch);
}

void pv_fetch_destroy(struct pv_fetch *fetch)
{
	if (!fetch)
		return;
	end_lanes(fetch, PV_ORDER_STOP);
	each_lane(fetch, close_lane, fetch);
	while (fetch->spare)
		pv_transfer_destroy(take_transfer(fetch));
	pv_quarantine_finish(&fetch->quarantine);
	pv_bandwidth_destroy(fetch->bandwidth);
	uv_close((uv_handle_t *)&fetch->timer, close_last);
	if (fetch->is_stuck)
		return;
	pv_fetch_shared_finish(&fetch->shared);
	curl_global_cleanup();
}

void pv_fetch_set_bandwidth(struct pv_fetch *fetch, int64_t bandwidth)
{
	pv_bandwidth_set_limit(fetch->bandwidth, bandwidth);
}

void pv_fetch_leave(struct pv_fetch *fetch)
{
	if (fetch)
		end_lanes(fetch, PV_ORDER_LEAVE);
}

const struct pv_fetch_kind pv_real_fetch = {
    .create = pv_fetch_create,
    .destroy = pv_fetch_destroy,
    .leave = pv_fetch_leave,
    .start = pv_fetch_start,
    .hand_on = pv_fetch_hand_on,
    .cancel = pv_fetch_cancel,
    .close_idle = pv_fetch_close_idle,
    .set_bandwidth = pv_fetch_set_bandwidth,
};
