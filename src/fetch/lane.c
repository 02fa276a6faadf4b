#include "fetch/lane.h"

#include <poll.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/system.h"
#include "fetch/shard.h"

/* So many orders are carried out before libcurl gets its turn, and so many
 * notices are heard in one of the conducting loop's. */
#define ORDERS_AT_ONCE 64
#define NOTICES_AT_ONCE 256

/* For so many turns of its loop it keeps notices at most. */
#define TURNS_KEPT_MAX 8

/* What its thread uses */

static uint64_t used_ns(clockid_t clock)
{
	struct timespec used = {0, 0};
	clock_gettime(clock, &used);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

static uint64_t own_cpu_ns(void)
{
	return used_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t pv_lane_cpu_ns(const struct pv_lane *lane)
{
	return lane->has_cpu_clock ? used_ns(lane->cpu_clock) : 0;
}

/* Orders */

static struct pv_shard *shard_of(
    const struct pv_lane *lane, const struct pv_transfer *transfer)
{
	return lane->shards[(transfer->host >> 16) % lane->shard_count];
}

static void cancel(struct pv_lane *lane, struct pv_transfer *transfer)
{
	if (transfer->exchange)
		pv_shard_cancel(transfer->exchange->shard, transfer->exchange);
	pv_post_add(&lane->notices, &transfer->cancelled);
}

static void close_idle(struct pv_lane *lane)
{
	atomic_store(&lane->is_closing_idle, false);
	for (uint32_t i = 0; i < lane->shard_count; i++)
		pv_shard_close_idle(lane->shards[i]);
}

static void destroy_shards(struct pv_lane *lane)
{
	for (uint32_t i = 0; i < lane->shard_count; i++)
		pv_shard_destroy(lane->shards[i]);
	free(lane->shards);
	lane->shards = NULL;
	lane->shard_count = 0;
}

static void close_handles(struct pv_lane *lane)
{
	uv_close((uv_handle_t *)&lane->before_sleep, NULL);
	pv_post_deafen(&lane->orders);
}

static void on_order(void *ctx, const struct pv_note *note)
{
	struct pv_lane *lane = ctx;
	struct pv_transfer *transfer = note->about;
	switch ((enum pv_order)note->kind) {
	case PV_ORDER_START:
		pv_shard_start(shard_of(lane, transfer), transfer);
		break;
	case PV_ORDER_CANCEL:
		cancel(lane, transfer);
		break;
	case PV_ORDER_GRANT:
		pv_shard_grant(transfer);
		break;
	case PV_ORDER_CLOSE_IDLE:
		close_idle(lane);
		break;
	case PV_ORDER_STOP:
		destroy_shards(lane);
		close_handles(lane);
		break;
	case PV_ORDER_LEAVE:
		uv_stop(&lane->loop);
		break;
	}
}

/* Each turn of its loop */

/* Whether something has come that libcurl can go on with at once. */
static bool has_more_to_do(const struct pv_lane *lane)
{
	struct pollfd ready = {
	    .fd = uv_backend_fd(&lane->loop), .events = POLLIN};
	return poll(&ready, 1, 0) > 0;
}

/* Where both threads share a processor, the conducting loop takes its turn as
 * soon as it hears of something; so it hears of several things together. */
static void hand_on(struct pv_lane *lane)
{
	if (!lane->notices.gathered.first)
		return;
	if (lane->turns_kept++ < TURNS_KEPT_MAX && has_more_to_do(lane))
		return;
	lane->turns_kept = 0;
	pv_post_hand_on(&lane->notices);
}

static void on_sleep(uv_prepare_t *before_sleep)
{
	struct pv_lane *lane = before_sleep->data;
	hand_on(lane);
	pv_absence_sleep(&lane->absence, (int64_t)uv_now(&lane->loop),
	    uv_backend_timeout(&lane->loop));
}

static void *run(void *ctx)
{
	struct pv_lane *lane = ctx;
	uv_run(&lane->loop, UV_RUN_DEFAULT);
	pv_post_hand_on(&lane->notices);
	uv_mutex_lock(&lane->end.mutex);
	lane->end.has_come = true;
	uv_cond_signal(&lane->end.cond);
	uv_mutex_unlock(&lane->end.mutex);
	return NULL;
}

/* Life */

static bool create_shards(struct pv_lane *lane, uint32_t count)
{
	lane->shards = pv_alloc_array(count, sizeof(struct pv_shard *));
	for (uint32_t i = 0; i < count; i++) {
		lane->shards[i] = pv_shard_create(lane);
		if (!lane->shards[i])
			return false;
		lane->shard_count++;
	}
	return true;
}

static void prepare(struct pv_lane *lane)
{
	uv_mutex_init(&lane->end.mutex);
	uv_cond_init(&lane->end.cond);
	lane->absence = pv_absence_of((int64_t)uv_now(&lane->loop));
	uv_prepare_init(&lane->loop, &lane->before_sleep);
	lane->before_sleep.data = lane;
	uv_prepare_start(&lane->before_sleep, on_sleep);
	uv_unref((uv_handle_t *)&lane->before_sleep);
	pv_sockets_init(&lane->sockets, &lane->loop, pv_shard_on_ready);
	pv_fair_share_init(&lane->share, &lane->sockets, own_cpu_ns);
	lane->call.share = &lane->share;
	pv_post_set_receiver(&lane->orders, on_order, lane);
	lane->close_idle.kind = PV_ORDER_CLOSE_IDLE;
}

static bool start(struct pv_lane *lane)
{
	if (!pv_thread_start(&lane->thread, "pavane-transfer", run, lane))
		return false;
	lane->has_cpu_clock =
	    pthread_getcpuclockid(lane->thread, &lane->cpu_clock) == 0;
	return true;
}

static void finish(struct pv_lane *lane)
{
	pv_post_close(&lane->orders);
	pv_sockets_finish(&lane->sockets);
	uv_loop_close(&lane->loop);
	uv_cond_destroy(&lane->end.cond);
	uv_mutex_destroy(&lane->end.mutex);
}

/* What there is of a loop that no thread runs. */
static void undo(struct pv_lane *lane)
{
	destroy_shards(lane);
	close_handles(lane);
	uv_run(&lane->loop, UV_RUN_DEFAULT);
	finish(lane);
}

struct pv_lane *pv_lane_create(
    struct pv_fetch_shared *shared, const struct pv_lane_plan *plan)
{
	struct pv_lane *lane = pv_alloc(sizeof(*lane));
	lane->shared = shared;
	lane->is_apart = plan->is_apart;
	bool has_post =
	    pv_post_open(&lane->notices, plan->loop, NOTICES_AT_ONCE);
	pv_post_keep_awake(&lane->notices, false);
	if (uv_loop_init(&lane->loop) != 0)
		return lane;
	bool is_open =
	    has_post & pv_post_open(&lane->orders, &lane->loop, ORDERS_AT_ONCE);
	prepare(lane);
	lane->is_running =
	    is_open && create_shards(lane, plan->shard_count) && start(lane);
	if (!lane->is_running)
		undo(lane);
	return lane;
}

void pv_lane_close_idle(struct pv_lane *lane)
{
	if (lane->is_running && !atomic_exchange(&lane->is_closing_idle, true))
		pv_post_add(&lane->orders, &lane->close_idle);
}

void pv_lane_stop(struct pv_lane *lane, enum pv_order how)
{
	lane->stop.kind = how;
	pv_post_add(&lane->orders, &lane->stop);
	pv_post_hand_on(&lane->orders);
}

/* libuv waits by the clock that nobody sets. */
bool pv_lane_join(struct pv_lane *lane, int64_t wait_ms)
{
	uint64_t wait_ns = (uint64_t)wait_ms * 1000000;
	uv_mutex_lock(&lane->end.mutex);
	while (!lane->end.has_come) {
		if (uv_cond_timedwait(
			&lane->end.cond, &lane->end.mutex, wait_ns) != 0)
			break;
	}
	bool has_ended = lane->end.has_come;
	uv_mutex_unlock(&lane->end.mutex);
	return has_ended && pthread_join(lane->thread, NULL) == 0;
}

void pv_lane_close(struct pv_lane *lane)
{
	pv_post_close(&lane->notices);
	if (lane->is_running)
		finish(lane);
}

void pv_lane_destroy(struct pv_lane *lane)
{
	free(lane);
}
