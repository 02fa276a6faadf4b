#include "loop/clock.h"

#include <stdlib.h>
#include <time.h>
#include <uv.h>

#include "base/alloc.h"

struct pv_clock {
	uv_timer_t timer;
	pv_clock_fn on_wake;
	void *ctx;
};

static struct pv_clock *create(uv_loop_t *loop, pv_clock_fn on_wake, void *ctx)
{
	struct pv_clock *clock = pv_alloc(sizeof(*clock));
	uv_loop_configure(loop, UV_METRICS_IDLE_TIME);
	uv_timer_init(loop, &clock->timer);
	clock->timer.data = clock;
	clock->on_wake = on_wake;
	clock->ctx = ctx;
	return clock;
}

static void on_closed(uv_handle_t *timer)
{
	free(timer->data);
}

static void destroy(struct pv_clock *clock)
{
	if (clock)
		uv_close((uv_handle_t *)&clock->timer, on_closed);
}

static struct pv_time now(const struct pv_clock *clock)
{
	(void)clock;
	return pv_time_now();
}

static int64_t boot_ms(const struct pv_clock *clock)
{
	(void)clock;
	return pv_boot_now_ms();
}

static void on_timer(uv_timer_t *timer)
{
	struct pv_clock *clock = timer->data;
	clock->on_wake(clock->ctx);
}

static void wake_in(struct pv_clock *clock, int64_t wait_ms, bool is_busy)
{
	(void)is_busy;
	if (wait_ms < 0)
		uv_timer_stop(&clock->timer);
	else
		uv_timer_start(&clock->timer, on_timer, (uint64_t)wait_ms, 0);
}

static uint64_t ticks_ns(const struct pv_clock *clock)
{
	(void)clock;
	return uv_hrtime();
}

static uint64_t idle_ns(const struct pv_clock *clock)
{
	return uv_metrics_idle_time(clock->timer.loop);
}

static uint64_t cpu_ns(const struct pv_clock *clock)
{
	struct timespec used = {0, 0};
	(void)clock;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

const struct pv_clock_kind pv_real_clock = {
    .create = create,
    .destroy = destroy,
    .now = now,
    .boot_ms = boot_ms,
    .wake_in = wake_in,
    .ticks_ns = ticks_ns,
    .idle_ns = idle_ns,
    .cpu_ns = cpu_ns,
};
