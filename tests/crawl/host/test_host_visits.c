#include "crawl/host/host_visits.h"

#include "crawl/conductor.h"
#include "tap.h"

static struct pv_live_host *refused(const char *name)
{
	const struct pv_host host = {.id = 1, .name = pv_str_of(name)};
	struct pv_live_host *live = pv_live_host_create(&host);
	live->phase = PV_HOST_REFUSED;
	live->feed.has_more = false;
	return live;
}

static void test_notes(void)
{
	struct pv_crawl crawl = {0};
	struct pv_live_host *a = refused("a.example");
	struct pv_live_host *b = refused("b.example");
	ok(!pv_host_visits_take_refused(&crawl.hosts.visits),
	    "at first no host is refused");
	pv_host_visits_feed(&crawl, a);
	pv_host_visits_feed(&crawl, b);
	pv_host_visits_feed(&crawl, a);
	ok(crawl.hosts.visits.refused && !a->feed.is_asking && !a->open,
	    "a refused host that is fed is only noted");
	ok(pv_host_visits_take_refused(&crawl.hosts.visits) == b &&
		pv_host_visits_take_refused(&crawl.hosts.visits) == a &&
		!pv_host_visits_take_refused(&crawl.hosts.visits),
	    "each is noted once");
	pv_host_visits_feed(&crawl, a);
	ok(pv_host_visits_take_refused(&crawl.hosts.visits) == a,
	    "P3: one that was taken can be noted again");
	pv_live_host_destroy(a);
	pv_live_host_destroy(b);
}

/* A host may be given back, or the crawl end, before the turn comes to it. */
static void test_gone(void)
{
	struct pv_crawl crawl = {0};
	struct pv_live_host *hosts[3];
	for (size_t i = 0; i < 3; i++) {
		hosts[i] = refused("x.example");
		pv_host_visits_feed(&crawl, hosts[i]);
	}
	pv_live_host_destroy(hosts[1]);
	ok(pv_host_visits_take_refused(&crawl.hosts.visits) == hosts[2] &&
		pv_host_visits_take_refused(&crawl.hosts.visits) == hosts[0],
	    "a host that is gone is noted no more");
	pv_host_visits_feed(&crawl, hosts[0]);
	pv_live_host_destroy(hosts[0]);
	ok(!pv_host_visits_take_refused(&crawl.hosts.visits),
	    "nor the last one");
	pv_live_host_destroy(hosts[2]);
}

int main(void)
{
	test_notes();
	test_gone();
	return tap_done();
}
