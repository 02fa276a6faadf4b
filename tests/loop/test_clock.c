#include "loop/clock.h"

#include <uv.h>

#include "tap.h"

static void on_wake(void *ctx)
{
	unsigned *count = ctx;
	(*count)++;
}

/* On a busy machine a deadline may have come before anybody waits for it. */
#define TRIES 100

static void test_waking(void)
{
	const struct pv_clock_kind *kind = &pv_real_clock;
	unsigned wakes = 0;
	uv_loop_t loop;
	uv_loop_init(&loop);
	struct pv_clock *clock = kind->create(&loop, on_wake, &wakes);
	int64_t before = kind->now(clock).monotonic_ms;
	uv_update_time(&loop);
	kind->wake_in(clock, 3600000, false);
	kind->wake_in(clock, 2, true);
	uv_run(&loop, UV_RUN_DEFAULT);
	ok(wakes == 1 && kind->now(clock).monotonic_ms - before >= 2,
	    "the loop is woken once, by the deadline that was said last");
	kind->wake_in(clock, 0, false);
	kind->wake_in(clock, -1, false);
	uv_run(&loop, UV_RUN_DEFAULT);
	ok(wakes == 1, "and not at all where there is none any more");
	kind->wake_in(clock, 0, false);
	uv_run(&loop, UV_RUN_DEFAULT);
	ok(wakes == 2, "what is due now wakes it at once");
	uint64_t ticks = 0, idle = 0;
	for (int i = 0; i < TRIES && !idle; i++) {
		ticks = kind->ticks_ns(clock);
		idle = kind->idle_ns(clock);
		kind->wake_in(clock, 5, false);
		uv_run(&loop, UV_RUN_DEFAULT);
		idle = kind->idle_ns(clock) - idle;
		ticks = kind->ticks_ns(clock) - ticks;
	}
	ok(idle > 0 && idle < ticks,
	    "time without work is told, and is a part of all");
	kind->destroy(clock);
	kind->destroy(NULL);
	uv_run(&loop, UV_RUN_DEFAULT);
	ok(uv_loop_close(&loop) == 0, "it leaves nothing open in its loop");
}

int main(void)
{
	test_waking();
	return tap_done();
}
