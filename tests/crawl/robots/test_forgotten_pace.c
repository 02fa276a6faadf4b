#include "crawl/robots/forgotten_pace.h"

#include "tap.h"

static void forget(struct pv_forgotten_pace *pace, const char *text)
{
	struct pv_robots_rules *rules = pv_robots_rules_create(
	    pv_str_of(text), false, PV_STR("pavane"), NULL);
	pv_forgotten_pace_add(pace, rules->matcher);
	pv_robots_rules_release(rules);
}

static bool is_shut(const struct pv_forgotten_pace *pace, size_t hour)
{
	return pace->day && pace->day->is_shut[hour * 60];
}

int main(void)
{
	struct pv_forgotten_pace pace = {0};
	forget(&pace, "User-agent: *\nDisallow: /x\n");
	ok(!pace.delay_ms && !pace.day, "rules alone ask for no pace");
	forget(&pace, "User-agent: *\nCrawl-delay: 7\n");
	forget(&pace, "User-agent: *\nCrawl-delay: 3\n");
	ok(pace.delay_ms == 7000, "P1: the longest Crawl-delay holds");
	ok(!pace.day, "and shuts no hours");
	forget(&pace, "User-agent: *\nVisit-time: 0600-1200\n");
	ok(is_shut(&pace, 5) && !is_shut(&pace, 7) && is_shut(&pace, 13),
	    "P1: a Visit-time shuts the other hours");
	forget(&pace, "User-agent: *\nVisit-time: 0800-2000\n");
	ok(is_shut(&pace, 7) && !is_shut(&pace, 9) && is_shut(&pace, 13),
	    "P1: of two, only the hours that both allow are open");
	ok(pace.delay_ms == 7000, "and the delay stays");
	pv_forgotten_pace_finish(&pace);
	return tap_done();
}
