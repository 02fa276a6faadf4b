#include "base/clock.h"

#include <time.h>

#define MS_NS 1000000

/* Two looks that lie no further apart are as good as one; where they do, the
 * thread was held up between them, which does not go on for ever. */
#define TOGETHER_NS 50000
#define TRIES_MAX 10

static int64_t read_ns(clockid_t id)
{
	struct timespec time;
	clock_gettime(id, &time);
	return (int64_t)time.tv_sec * 1000 * MS_NS + time.tv_nsec;
}

struct pv_time pv_time_now(void)
{
	int64_t before_ns = read_ns(CLOCK_MONOTONIC);
	int64_t wall_ns = read_ns(CLOCK_REALTIME);
	int64_t after_ns = read_ns(CLOCK_MONOTONIC);
	for (int i = 1; i < TRIES_MAX && after_ns - before_ns > TOGETHER_NS;
	     i++) {
		before_ns = after_ns;
		wall_ns = read_ns(CLOCK_REALTIME);
		after_ns = read_ns(CLOCK_MONOTONIC);
	}
	return (struct pv_time){
	    .monotonic_ms = before_ns / MS_NS,
	    .wall_ms = wall_ns / MS_NS,
	};
}
