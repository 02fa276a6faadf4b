#include "base/descriptors.h"

#include <sys/resource.h>

bool pv_descriptors_check(struct pv_why *why)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
	    limit.rlim_cur >= PV_DESCRIPTORS_LEAST)
		return true;
	pv_why_add(why, (struct pv_place){.file = "this machine"}, PV_STR(""),
	    "no more than %u files may be open at once, and a crawl needs %u "
	    "at least: raise the limit (ulimit -n)",
	    (unsigned)limit.rlim_cur, (unsigned)PV_DESCRIPTORS_LEAST);
	return false;
}
