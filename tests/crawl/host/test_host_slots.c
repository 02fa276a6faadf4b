#include "crawl/host/host_slots.h"

#include <malloc.h>
#include <time.h>

#include "crawl/host/hosts.h"
#include "crawl/simulation.h"
#include "crawl/visit/flight.h"

/* Many hosts and few places for them in memory. */

#define PLACES 100
#define LATENCY_MS 10

static bool is_complete(void)
{
	unsigned incomplete = 0;
	for (unsigned i = 0; i < simulation.plan.hosts; i++) {
		const struct simulated_host *host = &simulation.hosts[i];
		incomplete += host->requests != simulation.pages ||
			      host->twice || host->astray || host->robots != 1;
	}
	if (incomplete || simulation.end != PAVANE_FINISHED)
		printf("# %u incomplete, end %d %s\n", incomplete,
		    simulation.end, simulation.error);
	return !incomplete && simulation.end == PAVANE_FINISHED;
}

static int64_t least_gap(void)
{
	int64_t least = INT64_MAX;
	for (unsigned i = 0; i < simulation.plan.hosts; i++)
		if (simulation.hosts[i].least_gap < least)
			least = simulation.hosts[i].least_gap;
	return least;
}

/* The first request counts, from when the crawl began. */
static int64_t most_gap(void)
{
	int64_t most = 0;
	for (unsigned i = 0; i < simulation.plan.hosts; i++)
		if (simulation.hosts[i].most_gap > most)
			most = simulation.hosts[i].most_gap;
	return most;
}

/* Looks at all hosts that are held, again and again. */
#define LOOK_MS 50

static struct {
	struct simulated_event event; /* the first */
	unsigned looks;
	unsigned forgotten; /* hosts at such a look */
} watch;

static bool has_something_aside(const struct pv_live_host *host)
{
	const struct pv_authority *authority = host->authorities;
	bool has_any = host->later.count > 0;
	for (; authority; authority = authority->host_next)
		has_any = has_any || authority->aside.count;
	return has_any;
}

/* The frontier has more of it, and nothing that is to happen will make anybody
 * ask for that. */
static bool is_forgotten(const struct pv_live_host *host)
{
	return host->phase == PV_HOST_PACED && host->feed.has_more &&
	       !host->feed.is_asking && !host->open && !host->ready.count &&
	       !pv_schedule_host_visits(host->scheduled) &&
	       !has_something_aside(host);
}

static void look(struct simulated_event *event)
{
	const struct pv_crawl *crawl = simulation.crawl;
	for (size_t i = 0; i < crawl->hosts.held.count; i++)
		watch.forgotten += is_forgotten(crawl->hosts.held.items[i]);
	watch.looks++;
	simulated_add(event, LOOK_MS, look);
}

static void test(struct simulation_plan plan, const char *what)
{
	plan.latency_ms = LATENCY_MS;
	plan.places = PLACES;
	plan.patience_ms = SIMULATED_DAY_MS;
	watch.looks = watch.forgotten = 0;
	simulated_add(&watch.event, LOOK_MS, look);
	simulation_run(&plan);
	simulated_remove(&watch.event);
	int64_t turn_ms = plan.delay_ms + LATENCY_MS;
	int64_t all_ms = plan.rate ? (int64_t)plan.hosts * 1000 / plan.rate : 0;
	if (turn_ms < all_ms)
		turn_ms = all_ms;
	ok(is_complete(), "P3: %s: %u hosts in %d places are all crawled", what,
	    plan.hosts, PLACES);
	ok(watch.looks > 10 && !watch.forgotten,
	    "P3: a host that has more asks for it, or has something at hand, "
	    "under way or aside");
	ok(least_gap() >= plan.delay_ms + LATENCY_MS,
	    "P1: a host that comes back has rested (%lld ms)",
	    (long long)least_gap());
	ok(most_gap() < 2 * turn_ms,
	    "P6: and each is asked within twice its turn (%lld of %lld ms)",
	    (long long)most_gap(), (long long)turn_ms);
	ok(simulation.most_held <= (size_t)2 * PLACES,
	    "P5: no more are held than there are places, and than are going "
	    "(%zu)",
	    simulation.most_held);
	simulation_finish();
}

/* One that may be asked often, among many that rest long. */
static void test_quick_host(void)
{
	const struct simulation_plan plan = {.hosts = 300,
	    .chains = 10,
	    .length = 4,
	    .delay_ms = 10000,
	    .latency_ms = LATENCY_MS,
	    .places = PLACES,
	    .patience_ms = SIMULATED_DAY_MS,
	    .policy = "domains: {h1.test: {delay: 50ms}}\n"};
	simulation_run(&plan);
	const struct simulated_host *quick = &simulation.hosts[0];
	int64_t took_ms = quick->last_at - simulation.began_at;
	ok(is_complete(), "P3: a host of 50 ms among those of 10 s");
	ok(took_ms < plan.delay_ms,
	    "P6: it is asked at its own pace (%u requests in %lld ms)",
	    quick->requests, (long long)took_ms);
	simulation_finish();
}

/* Of those that are held at the end and those that are not, each has rested when
 * the crawl goes on. */
static void test_stops(void)
{
	const struct simulation_plan plan = {.hosts = 300,
	    .chains = 3,
	    .length = 1,
	    .delay_ms = 5000,
	    .latency_ms = LATENCY_MS,
	    .stop_every_ms = 3700,
	    .places = PLACES,
	    .patience_ms = SIMULATED_DAY_MS};
	simulation_run(&plan);
	ok(is_complete(),
	    "P3: a crawl that is stopped every few seconds comes to its end");
	ok(least_gap() >= plan.delay_ms + LATENCY_MS,
	    "P1: and no host is asked before it has rested (%lld ms)",
	    (long long)least_gap());
	simulation_finish();
}

/* Whose name nobody can tell gives its place to others while it waits to be
 * looked up once more. */
#define UNNAMED 8u
#define FIRST_WAIT_MS 100000

static void test_unnamed(void)
{
	const struct simulation_plan plan = {.hosts = 40,
	    .unnamed = UNNAMED,
	    .chains = 20,
	    .length = 10,
	    .delay_ms = 10000,
	    .latency_ms = LATENCY_MS,
	    .places = 4,
	    .patience_ms = (int64_t)100 * FIRST_WAIT_MS,
	    .policy =
		"limits: {wait: none}\n"
		"domains: {\"*.test\": {backoff: {failure: 100s, factor: 2}}}\n"};
	unsigned most = 0, asked = 0;
	simulation_run(&plan);
	for (unsigned i = 0; i < plan.hosts; i++) {
		const struct simulated_host *host = &simulation.hosts[i];
		if (i < UNNAMED && host->look_ups > most)
			most = host->look_ups;
		asked += i >= UNNAMED && host->requests == simulation.pages;
	}
	ok(asked == plan.hosts - UNNAMED,
	    "P6: hosts whose name nobody can tell are in nobody's way (%u)",
	    asked);
	ok(most >= 5 && most <= 8,
	    "P2: each look-up that fails makes the wait longer, also where the "
	    "host has given its place (%u in 100 times the first wait)",
	    most);
	simulation_finish();
}

/* Looks for a host that is held as often, among few and among many. */
#define WISHES 20000
#define MANY 6000

static struct {
	struct simulated_event event; /* the first */
	char name[32];
	unsigned found;
	int64_t took_us;
} wishes;

static void on_wish(
    struct pv_crawl *crawl, struct pv_live_host *host, void *ctx)
{
	(void)crawl;
	(void)ctx;
	wishes.found +=
	    host && pv_str_equal(host->name, pv_str_of(wishes.name));
}

static int64_t processor_us(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void wish(struct simulated_event *event)
{
	struct pv_crawl *crawl = simulation.crawl;
	int64_t start = processor_us();
	(void)event;
	for (int i = 0; i < WISHES; i++)
		pv_hosts_wish(
		    crawl, pv_str_of(wishes.name), PV_STR(""), on_wish, NULL);
	wishes.took_us = processor_us() - start;
	pv_crawl_stop(crawl);
}

static int64_t wishes_among(unsigned hosts)
{
	const struct simulation_plan plan = {.hosts = hosts,
	    .chains = 1,
	    .length = 1,
	    .delay_ms = 60000,
	    .latency_ms = LATENCY_MS,
	    .patience_ms = 30000};
	wishes.found = 0;
	snprintf(wishes.name, sizeof(wishes.name), "h%u.test", hosts);
	simulated_add(&wishes.event, 30000, wish);
	simulation_run(&plan);
	simulated_remove(&wishes.event);
	ok(simulation.most_held == hosts && wishes.found == WISHES,
	    "a host is found by its name among %zu", simulation.most_held);
	simulation_finish();
	return wishes.took_us;
}

static void test_names(void)
{
	int64_t among_few_us = wishes_among(10);
	int64_t among_many_us = wishes_among(MANY);
	ok(among_many_us < 20 * among_few_us,
	    "P5: it takes no longer the more there are (%lld us, %lld us)",
	    (long long)among_few_us, (long long)among_many_us);
}

/* A crawl of many hosts takes no more than one of many addresses. */
static void test_cache(void)
{
	size_t mib = (size_t)1 << 20, least = SIZE_MAX;
	size_t all = PV_STORE_CACHE_BYTES;
	ok(pv_host_slots_cache_bytes(all, 0, 0) == all,
	    "P5: without hosts the state file's cache has all the memory");
	ok(pv_host_slots_cache_bytes(all, 16384, 50000) <= 96 * mib,
	    "P5: beside 50,000 hosts it has at most 96 MiB");
	for (size_t hosts = 0; hosts < 100000000; hosts += hosts / 2 + 1)
		if (pv_host_slots_cache_bytes(all, hosts, hosts) < least)
			least = pv_host_slots_cache_bytes(all, hosts, hosts);
	ok(least == 64 * mib, "and never less than 64 (%zu)", least / mib);
	ok(pv_host_slots_cache_bytes(2 * mib, 1000, 1000) == mib / 2,
	    "of a part of it a quarter");
}

/* So many bytes are in use when all hosts rest, those of the simulation and of
 * the state file's cache included. */
#define REST_MS 30000

static size_t bytes_at_rest;

static void count_bytes(struct simulated_event *event)
{
	(void)event;
	pv_flights_drop_spare(&simulation.crawl->flights);
	bytes_at_rest = mallinfo2().uordblks + mallinfo2().hblkhd;
}

static size_t bytes_of(unsigned hosts, size_t places)
{
	struct simulated_event event = {0};
	size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
	simulated_add(&event, REST_MS, count_bytes);
	simulation_run(&(struct simulation_plan){.hosts = hosts,
	    .chains = 5,
	    .length = 1,
	    .delay_ms = 3600000,
	    .latency_ms = LATENCY_MS,
	    .places = places,
	    .patience_ms = 2 * REST_MS,
	    .policy = "limits: {wait: none}\n"});
	simulated_remove(&event);
	simulation_finish();
	return bytes_at_rest > before ? bytes_at_rest - before : 0;
}

static void test_bytes(void)
{
	enum { SMALL = 500, BIG = 2500, HELD_MAX = 4096, WAITING_MAX = 2048 };
	size_t few = bytes_of(SMALL, SMALL);
	size_t held = (bytes_of(BIG, BIG) - few) / (BIG - SMALL);
	size_t waiting = (bytes_of(BIG, SMALL) - few) / (BIG - SMALL);
	ok(held <= HELD_MAX,
	    "P5: a host that rests takes %d bytes at most (%zu)", HELD_MAX,
	    held);
	ok(waiting <= WAITING_MAX,
	    "P5: and %d once it has given its place (%zu)", WAITING_MAX,
	    waiting);
}

int main(void)
{
	test_bytes();
	test_cache();
	test(
	    (struct simulation_plan){
		.hosts = 90, .chains = 31, .length = 4, .delay_ms = 50},
	    "there is room");
	test(
	    (struct simulation_plan){
		.hosts = 400, .chains = 3, .length = 1, .delay_ms = 20000},
	    "long rests");
	test((struct simulation_plan){.hosts = 400,
		 .chains = 2,
		 .length = 2,
		 .delay_ms = 1000,
		 .rate = 100},
	    "the crawl's rate is less than all rests allow");
	test((struct simulation_plan){.hosts = 110,
		 .chains = 2,
		 .length = 2,
		 .delay_ms = 0,
		 .rate = 20},
	    "no rests at all, and few hosts too many");
	test_quick_host();
	test_stops();
	test_unnamed();
	test_names();
	return tap_done();
}
