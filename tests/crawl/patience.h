#ifndef PAVANE_TESTS_CRAWL_PATIENCE_H
#define PAVANE_TESTS_CRAWL_PATIENCE_H

#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

/* How much more is allowed of what a busy machine stretches, such as the time
 * that a turn of the loop takes: three times as much on one that seems idle,
 * since others may share its processors unseen; twice as many times as there
 * are programs for each processor on one that is not, and ten times of that
 * under sanitizers. What must hold on any machine, such as a delay, is not
 * multiplied by it. */
#define PATIENCE_LEAST 3

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

/* So long at most is waited for what must come: by then a test hangs. */
#define HANG_MS (IS_SANITIZED ? 360000 : 120000)

static inline double patience(void)
{
	double load = 0;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	if (getloadavg(&load, 1) != 1 || cores < 1)
		load = (double)(cores = 1);
	double times = 2 * load / (double)cores;
	if (times < PATIENCE_LEAST)
		times = PATIENCE_LEAST;
	return IS_SANITIZED ? times * 10 : times;
}

/* Ends this process by a signal once all its threads together have worked for so
 * many seconds from now on; 0: it may go on. Whoever hangs without work is ended
 * by the test's own limit. */
static inline void end_after(unsigned cpu_s)
{
	struct itimerval timer = {.it_value = {.tv_sec = cpu_s}};
	setitimer(ITIMER_PROF, &timer, NULL);
}

/* Sanitizers keep what is freed for a while, and a shadow of all. */
static inline size_t memory_allowed(size_t bytes)
{
	return IS_SANITIZED ? bytes * 8 : bytes;
}

#endif
