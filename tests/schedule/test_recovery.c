#include "schedule/schedule_host.h"

#include "base/address.h"
#include "policy/policy.h"
#include "policy/values/value.h"
#include "schedule/scheduler.h"
#include "tap.h"

/* What failures cost sites that are well, and what they spare those that are
 * not, over simulated days (P2). A site's pages are asked for in their order,
 * what failed behind all else, and a probe for the last one at hand that has
 * not failed, or, where that has failed, too, or there is none, for one that was
 * answered well before, as the conductor does (crawl/host/probe.h). */

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define WALL INT64_C(1795219200000)
#define PAGES_MAX 2500
#define RETRIES 3
#define AT_HAND 128
#define AT_ONCE 8
#define FLIGHTS 16
#define KNOWN_LEAST 10

static const struct pv_manners plain = {
    .delay_ms = 1 * SECOND,
    .delay_from = PV_DELAY_FROM_END,
    .delay_factor = 1,
    .max_delay_ms = 30 * SECOND,
    .connections = 1,
    .max_rate = PV_NONE,
    .interval_ms = 1 * SECOND,
    .backoff = {5 * SECOND, 60 * SECOND, 2, DAY, 30 * MINUTE},
    .timezone = "UTC",
};

struct page {
	unsigned tries;
	bool is_done;
	bool is_good;
};

struct site {
	const char *clock;
	const char *address;
	int pages;
	int bad_from; /* these pages never come well ... */
	int bad_to;
	int bad_status;
	int64_t bad_since; /* ... and none between then ... */
	int64_t bad_until; /* ... and then */
	int64_t took_ms;
	struct pv_manners manners;

	struct pv_schedule_host *host;
	struct page all[PAGES_MAX];
	int left;
	int requests;
	int probes; /* for pages that were answered well before */
	int failures;
	int failures_of_robots;
	int64_t last_at;
	int64_t last_gap;
	int64_t longest_gap;
	int open;
	int most_open;
	bool is_in_doubt;
	unsigned beside; /* so many began beside a trial */
};

struct flight {
	struct site *site;
	int64_t end_at; /* 0: there is none */
	int page;
	bool is_trial;
	bool is_known; /* it was answered well before */
};

static struct {
	struct pv_schedule *schedule;
	struct site *sites;
	size_t count;
	struct flight flights[FLIGHTS];
	int64_t now;
} world;

static const struct pv_rate wide = {1000, 1 * SECOND, 1000, FLIGHTS, PV_NONE};

static void add(struct site *site)
{
	struct pv_address bytes;
	uint64_t visit = 1;
	pv_address_read(pv_str_of(site->address), &bytes);
	const struct pv_host_plan plan = {
	    pv_str_of(site->clock), &bytes, &site->manners, site};
	site->host = pv_schedule_host_add(world.schedule, &plan, world.now);
	pv_schedule_push(world.schedule, site->host,
	    &(struct pv_visit_batch){&visit, 1}, world.now);
}

static void begin(struct site *sites, size_t count)
{
	const struct pv_schedule_plan plan = {.rate = &wide, .seed = 7};
	world.schedule = pv_schedule_create(&plan, 0);
	world.sites = sites;
	world.count = count;
	world.now = 0;
	memset(world.flights, 0, sizeof(world.flights));
	for (size_t i = 0; i < count; i++) {
		sites[i].left = sites[i].pages;
		add(&sites[i]);
	}
}

static bool is_waiting(const struct site *site, int page, unsigned tries)
{
	for (size_t i = 0; i < FLIGHTS; i++) {
		if (world.flights[i].end_at && world.flights[i].site == site &&
		    world.flights[i].page == page)
			return false;
	}
	return !site->all[page].is_done && site->all[page].tries == tries;
}

/* Of those that failed as seldom as any; -1 if all are under way. */
static int choose(const struct site *site, bool is_probe)
{
	for (unsigned tries = 0; tries <= RETRIES; tries++) {
		int chosen = -1, at_hand = 0;
		for (int i = 0; i < site->pages && at_hand < AT_HAND; i++) {
			if (!is_waiting(site, i, tries))
				continue;
			at_hand++;
			if (chosen < 0 || is_probe)
				chosen = i;
		}
		if (chosen >= 0)
			return chosen;
	}
	return -1;
}

/* A page that was answered well, where enough of them were; or -1. */
static int choose_known(const struct site *site)
{
	int known = 0, chosen = -1;
	for (int i = 0; i < site->pages; i++) {
		if (!site->all[i].is_good)
			continue;
		known++;
		chosen = i;
	}
	return known >= KNOWN_LEAST ? chosen : -1;
}

/* Where nothing has shown whether the site is well that might have. */
static bool wants_known(
    const struct site *site, const struct pv_release *release, int page)
{
	return release->trial == PV_TRIAL_PROBE && page >= 0 &&
	       (site->all[page].tries ||
		   pv_schedule_host_failures(site->host) > PV_PROBE_AFTER);
}

static void start(const struct pv_release *release)
{
	struct site *site = pv_schedule_host_ctx(release->host);
	int page = choose(site, release->trial == PV_TRIAL_PROBE);
	int known = wants_known(site, release, page) ? choose_known(site) : -1;
	page = known >= 0 ? known : page;
	if (page < 0) {
		pv_schedule_ended(world.schedule, release->flight,
		    &(struct pv_visit_end){.is_given_up = true}, world.now);
		return;
	}
	for (size_t i = 0; i < FLIGHTS; i++)
		site->beside += world.flights[i].end_at &&
				world.flights[i].site == site &&
				world.flights[i].is_trial;
	world.flights[release->flight] =
	    (struct flight){site, world.now + site->took_ms, page,
		release->trial != PV_TRIAL_NOT, known >= 0};
	site->last_gap = world.now - site->last_at;
	if (site->requests && site->last_gap > site->longest_gap)
		site->longest_gap = site->last_gap;
	site->last_at = world.now;
	site->requests++;
	site->probes += known >= 0;
	if (++site->open > site->most_open)
		site->most_open = site->open;
	pv_schedule_sent(world.schedule, release->flight, world.now);
}

static void end(uint32_t number)
{
	struct flight flight = world.flights[number];
	struct site *site = flight.site;
	struct page *page = &site->all[flight.page];
	bool is_bad =
	    (world.now >= site->bad_since && world.now < site->bad_until) ||
	    (flight.page >= site->bad_from && flight.page < site->bad_to);
	struct pv_visit_end end = {.status = is_bad ? site->bad_status : 200,
	    .retry_after_ms = PV_NONE,
	    .is_repeat = !flight.is_known && page->tries > 0};
	world.flights[number].end_at = 0;
	site->open--;
	site->failures += is_bad;
	if (!flight.is_known) {
		page->is_good = !is_bad;
		page->is_done = !is_bad || ++page->tries > RETRIES;
		site->left -= page->is_done;
	}
	pv_schedule_ended(world.schedule, number, &end, world.now);
}

/* There is always something in the schedule's line, as long as anything is
 * left. */
static void feed(struct site *site)
{
	uint64_t visit = 1;
	while (site->left > 0 && pv_schedule_host_visits(site->host) < AT_ONCE)
		pv_schedule_push(world.schedule, site->host,
		    &(struct pv_visit_batch){&visit, 1}, world.now);
	if (site->left <= 0) {
		uint64_t visits[PV_VISIT_HEAD_MAX];
		pv_schedule_host_clear(world.schedule, site->host, visits);
	}
}

static void step(void)
{
	struct pv_release releases[AT_ONCE];
	struct pv_time time = {world.now, WALL + world.now};
	for (uint32_t i = 0; i < FLIGHTS; i++) {
		if (world.flights[i].end_at &&
		    world.flights[i].end_at <= world.now)
			end(i);
	}
	for (size_t i = 0; i < world.count; i++)
		feed(&world.sites[i]);
	size_t count =
	    pv_scheduler_wake(world.schedule, time, releases, AT_ONCE);
	for (size_t i = 0; i < count; i++)
		start(&releases[i]);
}

static int64_t next(void)
{
	int64_t at = pv_scheduler_next_wake(world.schedule, world.now);
	for (size_t i = 0; i < FLIGHTS; i++) {
		int64_t end_at = world.flights[i].end_at;
		if (end_at && end_at < at)
			at = end_at;
	}
	return at > world.now ? at : world.now + 1;
}

static bool is_over(void)
{
	for (size_t i = 0; i < world.count; i++) {
		if (world.sites[i].left > 0)
			return false;
	}
	return true;
}

/* Until all is had, or until then. */
static void run(int64_t until)
{
	for (step(); !is_over() && world.now < until; step()) {
		int64_t at = next();
		world.now = at < until ? at : until;
	}
}

static void finish(void)
{
	pv_schedule_destroy(world.schedule);
}

/* Another run, while nothing is under way; all that it knows of the site's rests
 * is what was saved. */
static void restart(struct site *site)
{
	const struct pv_schedule_plan plan = {.rate = &wide, .seed = 7};
	struct pv_time time = {world.now, WALL + world.now};
	struct pv_saved_clock saved = pv_schedule_host_save(site->host, time);
	finish();
	world.schedule = pv_schedule_create(&plan, world.now);
	add(site);
	pv_schedule_host_restore(world.schedule, site->host, &saved, time);
}

/* Fifty broken pages in a row among a thousand. */
static void test_fifty(void)
{
	static struct site site = {.clock = "a",
	    .address = "192.0.2.1",
	    .pages = 1050,
	    .bad_from = 500,
	    .bad_to = 550,
	    .bad_status = 500,
	    .took_ms = 100};
	site.manners = plain;
	begin(&site, 1);
	run(30 * DAY);
	int64_t ideal = 1050 * 1100 + 10 * 155 * SECOND + 150 * 5 * SECOND;
	ok(!site.left && world.now <= ideal * 11 / 10,
	    "fifty pages of 500 in a row among 1,000 good ones cost ten times "
	    "five rests, and one for each further try (%lld s of %lld)",
	    (long long)world.now / 1000, (long long)ideal / 1000);
	ok(site.requests == 1050 + 150, "and no request but these tries (%d)",
	    site.requests);
	finish();
}

/* The same where they come last, with a restart after each rest that is longer
 * than a minute. */
static void test_last_fifty(void)
{
	static struct site site = {.clock = "a",
	    .address = "192.0.2.1",
	    .pages = 1050,
	    .bad_from = 1000,
	    .bad_to = 1050,
	    .bad_status = 500,
	    .took_ms = 100};
	site.manners = plain;
	begin(&site, 1);
	int restarts = 0, failures = 0;
	while (site.left && world.now < 30 * DAY) {
		run(world.now + MINUTE);
		if (site.open || site.failures == failures)
			continue;
		restart(&site);
		failures = site.failures;
		restarts++;
	}
	int64_t ideal = 1050 * 1100 + 9 * 315 * SECOND + 150 * 5 * SECOND;
	ok(!site.left && restarts > 20 && world.now <= ideal * 11 / 10,
	    "fifty pages of 500 that come after 1,000 good ones cost nine times "
	    "six rests, and one for each further try, over %d restarts (%lld s "
	    "of %lld)",
	    restarts, (long long)world.now / 1000, (long long)ideal / 1000);
	ok(site.requests == 1050 + 150 + site.probes && site.probes <= 9,
	    "and no request but these tries and %d pages that are well (%d)",
	    site.probes, site.requests);
	finish();
}

/* A server that fails at all pages after it was well, at last. */
static void test_late_storm(void)
{
	static struct site site = {.clock = "a",
	    .address = "192.0.2.1",
	    .pages = 1000,
	    .bad_status = 500,
	    .bad_since = 990 * 1100,
	    .bad_until = 5 * DAY,
	    .took_ms = 100};
	site.manners = plain;
	begin(&site, 1);
	run(5 * DAY);
	ok(site.left == 10 && site.longest_gap >= DAY && site.failures < 24,
	    "P2: a host that fails at all pages since an hour rests longer and "
	    "longer, and no page is given up for that (%d left, %d failures)",
	    site.left, site.failures);
	run(7 * DAY);
	ok(!site.left, "and when it is well again it is finished");
	finish();
}

/* Everything fails for a day. */
static void test_storm(int status, int most, const char *what)
{
	static struct site site;
	site = (struct site){.clock = "a",
	    .address = "192.0.2.1",
	    .pages = PAGES_MAX,
	    .bad_status = status,
	    .bad_until = 10 * DAY,
	    .took_ms = 100,
	    .manners = plain};
	begin(&site, 1);
	run(DAY);
	int first_day = site.requests;
	run(10 * DAY);
	ok(first_day <= most && site.requests - first_day <= 10,
	    "P2: who answers %s to all pages is asked %d times in a day, and "
	    "then once a day (%d in ten)",
	    what, first_day, site.requests);
	ok(site.longest_gap >= DAY && site.longest_gap <= DAY * 11 / 10 + 10000,
	    "P2: rests grow to their greatest length (%lld s)",
	    (long long)site.longest_gap / 1000);
	run(13 * DAY);
	ok(!site.left && site.last_gap == 1100,
	    "and a host that is well again gets its pace back (%lld ms)",
	    (long long)site.last_gap);
	finish();
}

/* From run to run, each of which ends after a request. */
static void test_runs(void)
{
	static struct site site = {.clock = "a",
	    .address = "192.0.2.1",
	    .pages = 1000,
	    .bad_status = 503,
	    .bad_until = INT64_MAX,
	    .took_ms = 100};
	bool is_right = true;
	int64_t wanted = 60 * SECOND;
	site.manners = plain;
	begin(&site, 1);
	for (int i = 0; i < 14; i++) {
		int before = site.requests;
		while (site.requests == before || site.open)
			run(world.now + SECOND);
		is_right = is_right && (i == 0 || site.last_gap >= wanted);
		wanted = i == 0 ? wanted : 2 * wanted < DAY ? 2 * wanted : DAY;
		restart(&site);
	}
	ok(is_right && site.last_gap >= DAY,
	    "P2, P3: rests grow on to their greatest length, though the crawl "
	    "ends after each request (%lld s)",
	    (long long)site.last_gap / 1000);
	finish();
}

/* Several connections */
static void test_four(void)
{
	static struct site sites[] = {
	    {.clock = "good", .address = "192.0.2.1"},
	    {.clock = "some",
		.address = "192.0.2.2",
		.bad_from = 10,
		.bad_to = 14},
	};
	for (size_t i = 0; i < 2; i++) {
		sites[i].pages = 400;
		sites[i].took_ms = 100;
		sites[i].bad_status = 500;
		sites[i].manners = plain;
		sites[i].manners.delay_ms = 0;
		sites[i].manners.delay_factor = 0;
		sites[i].manners.connections = 4;
	}
	begin(sites, 2);
	run(10100);
	ok(!sites[0].left && sites[0].most_open == 4,
	    "a host that is well is asked as often as its connections allow "
	    "(%lld ms)",
	    (long long)sites[0].last_at);
	run(DAY);
	ok(!sites[1].left && !sites[1].beside && sites[1].most_open == 4,
	    "P2: where one fails, one request shows whether it is well, and "
	    "nothing begins beside it (%u)",
	    sites[1].beside);
	ok(world.now < 10000 + 16 * 6 * SECOND + 60 * SECOND,
	    "which costs the rests and little more (%lld ms)",
	    (long long)world.now);
	finish();
}

/* Two hosts that share a clock, of which one is broken. */
static void test_shared(void)
{
	static struct site sites[] = {
	    {.clock = "*.x", .address = "192.0.2.1"},
	    {.clock = "*.x", .address = "192.0.2.2", .bad_until = INT64_MAX},
	};
	for (size_t i = 0; i < 2; i++) {
		sites[i].pages = 100;
		sites[i].took_ms = 100;
		sites[i].bad_status = 500;
		sites[i].manners = plain;
	}
	begin(sites, 2);
	run(DAY);
	ok(!sites[0].left,
	    "of hosts that share a clock, one that is broken keeps no other "
	    "from its end (%lld s)",
	    (long long)sites[0].last_at / 1000);
	finish();
}

int main(void)
{
	test_fifty();
	test_last_fifty();
	test_late_storm();
	test_storm(429, 12, "429");
	test_storm(503, 12, "503");
	test_storm(500, 16, "500");
	test_runs();
	test_four();
	test_shared();
	return tap_done();
}
