#include "base/clock.h"

#include "tap.h"

int main(void)
{
	struct pv_time first = pv_time_now();
	struct pv_time last = first;
	bool is_forward = true;
	for (int i = 0; i < 10000; i++) {
		struct pv_time now = pv_time_now();
		is_forward =
		    is_forward && now.monotonic_ms >= last.monotonic_ms;
		last = now;
	}
	ok(is_forward, "the monotonic clock never runs backwards");
	ok(first.wall_ms > INT64_C(1700000000000) &&
		first.wall_ms < INT64_C(17000000000000),
	    "the wall clock counts milliseconds since 1970");
	return tap_done();
}
