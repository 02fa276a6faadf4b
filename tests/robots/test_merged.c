#include "robots/merged.h"

#include "tap.h"

#define RUN "User-agent: a\nVisit-time: 0000-0001\n"
#define RUNS_4 RUN RUN RUN RUN
#define RUNS_16 RUNS_4 RUNS_4 RUNS_4 RUNS_4

static struct pv_robots_merged merge(const char *text)
{
	const struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_robots_merged merged;
	struct pv_robots *robots =
	    pv_robots_create(pv_str_of(text), false, &ceilings, NULL);
	pv_robots_merged_init(&merged, robots, PV_STR("a"));
	pv_robots_destroy(robots);
	return merged;
}

static size_t count_hours(const char *text)
{
	struct pv_robots_merged merged = merge(text);
	size_t count = merged.asks.hours_count;
	pv_robots_merged_finish(&merged);
	return count;
}

static void test_hours(void)
{
	ok(count_hours(RUN) == 1 && count_hours(RUN RUN) == 2,
	    "hours of all runs that name the token are kept");
	ok(count_hours("User-agent: a\n" RUN) == 1,
	    "those of a run that names it twice once");
	ok(count_hours(RUNS_16) == PV_ROBOTS_HOURS_MAX,
	    "and no more than there is room for (P5)");
}

int main(void)
{
	test_hours();
	return tap_done();
}
