#ifndef PAVANE_TESTS_BENCH_STOPWATCH_H
#define PAVANE_TESTS_BENCH_STOPWATCH_H

#include <time.h>

/* How long this thread was busy, and how long it took altogether: on a machine
 * that others use as well, the first tells more. */
struct stopwatch {
	double busy_s;
	double took_s;
};

static inline double stopwatch_seconds(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static inline struct stopwatch stopwatch_start(void)
{
	return (struct stopwatch){
	    .busy_s = stopwatch_seconds(CLOCK_THREAD_CPUTIME_ID),
	    .took_s = stopwatch_seconds(CLOCK_MONOTONIC),
	};
}

/* Since then. */
static inline struct stopwatch stopwatch_read(struct stopwatch start)
{
	struct stopwatch now = stopwatch_start();
	return (struct stopwatch){
	    .busy_s = now.busy_s - start.busy_s,
	    .took_s = now.took_s - start.took_s,
	};
}

#endif
