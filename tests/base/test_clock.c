#include "base/clock.h"

#include <time.h>

#include "tap.h"

static int64_t milliseconds(clockid_t id)
{
	struct timespec time;
	clock_gettime(id, &time);
	return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

static void test_between(void)
{
	bool is_monotonic = true;
	bool is_wall = true;
	for (int i = 0; i < 1000; i++) {
		int64_t monotonic = milliseconds(CLOCK_MONOTONIC);
		int64_t wall = milliseconds(CLOCK_REALTIME);
		struct pv_time now = pv_time_now();
		is_monotonic =
		    is_monotonic && monotonic <= now.monotonic_ms &&
		    now.monotonic_ms <= milliseconds(CLOCK_MONOTONIC);
		is_wall = is_wall && wall <= now.wall_ms &&
			  now.wall_ms <= milliseconds(CLOCK_REALTIME);
	}
	ok(is_monotonic, "one time is that of a clock that never jumps");
	ok(is_wall, "the other counts milliseconds since 1970");
}

static void test_order(void)
{
	struct pv_time last = pv_time_now();
	bool is_forward = true;
	for (int i = 0; i < 10000; i++) {
		struct pv_time now = pv_time_now();
		is_forward =
		    is_forward && now.monotonic_ms >= last.monotonic_ms;
		last = now;
	}
	ok(is_forward, "time never runs backwards");
}

int main(void)
{
	test_between();
	test_order();
	return tap_done();
}
