#include "cli/run/descriptors.h"

#include <sys/resource.h>

#define USUAL 1024

void pv_descriptors_raise(unsigned wanted)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < USUAL ||
	    limit.rlim_cur >= wanted)
		return;
	limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
	setrlimit(RLIMIT_NOFILE, &limit);
}
