#include "base/system.h"

#include <pthread.h>
#include <sys/resource.h>
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

static bool is_enough(rlim_t most, struct pv_why *why)
{
	struct rlimit ours;
	getrlimit(RLIMIT_NOFILE, &ours);
	struct rlimit few = {most, ours.rlim_max};
	setrlimit(RLIMIT_NOFILE, &few);
	bool is_it = pv_descriptors_check(why);
	setrlimit(RLIMIT_NOFILE, &ours);
	return is_it;
}

static void test_descriptors(void)
{
	struct pv_why why;
	pv_why_init(&why);
	ok(is_enough(512, &why) && !pv_why_has_problems(&why),
	    "with as many files as are needed a crawl may begin");
	ok(is_enough(512, &why), "and trying takes none of them");
	ok(!is_enough(PV_DESCRIPTORS_LEAST, &why),
	    "what is open already counts against the limit");
	const char *text = why.problems.kept[0].text;
	ok(strstr(text, "Too many open files") && strstr(text, "ulimit -n"),
	    "P4: it says why, and what helps");
	pv_why_finish(&why);
}

static const char status[] = "MemTotal:       24000000 kB\n"
			     "SwapFree:              0 kB\n"
			     "Dirty:              1200 kB\n"
			     "Writeback:           300 kB\n"
			     "AnonPages:        500000 kB\n"
			     "WritebackTmp:      70000 kB\n";

static void test_unwritten(void)
{
	ok(pv_unwritten_told(status) == 1500 * 1024,
	    "what waits for the disk counts, and what is being written");
	ok(pv_unwritten_told("MemTotal: 1 kB\nDirty: 2 kB\n") == UINT64_MAX,
	    "where one of them is not told nothing is known");
	ok(pv_unwritten_told("") == UINT64_MAX, "or nothing at all");
	ok((pv_unwritten_bytes() == UINT64_MAX) ==
		(access("/proc/meminfo", R_OK) != 0),
	    "this machine is asked");
}

#ifdef __linux__
static int priority_of_this(void)
{
	return getpriority(PRIO_PROCESS, 0);
}

static void *note_priority(void *ctx)
{
	*(int *)ctx = priority_of_this();
	return NULL;
}

static void *give_way(void *ctx)
{
	int *priorities = ctx;
	pthread_t next;
	pv_thread_give_way();
	priorities[0] = priority_of_this();
	if (pv_thread_start(&next, "next", note_priority, &priorities[1]))
		pthread_join(next, NULL);
	return NULL;
}

static void test_giving_way(void)
{
	int own = priority_of_this(), priorities[2] = {0};
	pthread_t thread;
	if (!pv_thread_start(&thread, "way", give_way, priorities))
		abort();
	pthread_join(thread, NULL);
	ok(priorities[0] > own || own >= 19, "a thread gives way to others");
	ok(priorities[1] == priorities[0], "and so do those that it starts");
	ok(priority_of_this() == own, "all others stay as they are");
}
#else
static void test_giving_way(void)
{
	pv_thread_give_way();
	ok(true, "where a process has one priority, nothing changes");
}
#endif

int main(void)
{
	test_between();
	test_order();
	test_together();
	test_descriptors();
	test_unwritten();
	test_giving_way();
	return tap_done();
}
