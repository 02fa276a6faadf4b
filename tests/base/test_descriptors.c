#include "base/descriptors.h"

#include <sys/resource.h>

#include "tap.h"

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

int main(void)
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
	return tap_done();
}
