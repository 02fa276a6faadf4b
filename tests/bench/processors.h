#ifndef PAVANE_TESTS_BENCH_PROCESSORS_H
#define PAVANE_TESTS_BENCH_PROCESSORS_H

#include <sched.h>

/* Where things run: the server on the first processor, what is measured on the
 * last, so that one does not take the other's time. Threads and programs stay
 * where they were started. On a machine of one they share it. */
static inline void processors_use(int number)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET((size_t)number, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* Those that we may use; `last` is not the first where there are more. */
struct processors {
	cpu_set_t all;
	int first;
	int last;
};

static inline struct processors processors_find(void)
{
	struct processors found = {.first = -1};
	sched_getaffinity(0, sizeof(found.all), &found.all);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET((size_t)i, &found.all))
			continue;
		found.first = found.first < 0 ? i : found.first;
		found.last = i;
	}
	return found;
}

#endif
