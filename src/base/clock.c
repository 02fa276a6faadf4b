#include "base/clock.h"

#include <time.h>

static int64_t read_ms(clockid_t id)
{
	struct timespec time;
	clock_gettime(id, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

struct pv_time pv_time_now(void)
{
	return (struct pv_time){
	    .monotonic_ms = read_ms(CLOCK_MONOTONIC),
	    .wall_ms = read_ms(CLOCK_REALTIME),
	};
}
