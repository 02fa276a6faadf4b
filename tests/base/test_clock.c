#include "base/clock.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

/* The clocks of a machine on which the thread is held up between two looks. */
static struct {
	bool is_on;
	int64_t ns;
	int looks;
	int held_up_at; /* this look, and as many in all: */
	int times;
} machine;

#define AHEAD_NS INT64_C(1700000000000000000)

int clock_gettime(clockid_t id, struct timespec *time)
{
	if (!machine.is_on)
		return (int)syscall(SYS_clock_gettime, id, time);
	if (++machine.looks >= machine.held_up_at && machine.times-- > 0)
		machine.ns += 7000000;
	machine.ns += 100;
	int64_t ns = machine.ns + (id == CLOCK_REALTIME ? AHEAD_NS : 0);
	time->tv_sec = ns / 1000000000;
	time->tv_nsec = ns % 1000000000;
	return 0;
}

static bool are_together(int held_up_at, int times)
{
	machine.is_on = true;
	machine.ns = 500000;
	machine.looks = 0;
	machine.held_up_at = held_up_at;
	machine.times = times;
	struct pv_time now = pv_time_now();
	machine.is_on = false;
	return now.wall_ms - now.monotonic_ms == AHEAD_NS / 1000000;
}

static void test_together(void)
{
	ok(are_together(1, 0), "both times are of the same moment");
	ok(are_together(1, 1), "also where the thread was held up before");
	ok(are_together(2, 1), "between the looks at the clocks");
	ok(are_together(3, 1), "after them");
	ok(are_together(2, 5), "or several times");
	are_together(1, 1000);
	ok(machine.looks < 50, "but not for ever");
}

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
	test_together();
	return tap_done();
}
