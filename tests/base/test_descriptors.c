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
	ok(is_enough(PV_DESCRIPTORS_LEAST, &why) && !pv_why_has_problems(&why),
	    "with as many files as are needed a crawl may begin");
	ok(!is_enough(PV_DESCRIPTORS_LEAST - 1, &why),
	    "with fewer it does not");
	is_text(pv_str_of(why.problems.kept[0].text),
	    "no more than 31 files may be open at once, and a crawl needs 32 "
	    "at least: raise the limit (ulimit -n)",
	    "P4: and says why, and what helps");
	pv_why_finish(&why);
	return tap_done();
}
