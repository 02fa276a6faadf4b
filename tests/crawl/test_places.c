#include "crawl/places.h"

#include "crawl/simulation.h"

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
	return host->phase == PV_HOST_PACED && host->has_more &&
	       !host->is_asking && !host->open && !host->ready.count &&
	       !pv_schedule_host_visits(host->scheduled) &&
	       !has_something_aside(host);
}

static void look(struct simulated_event *event)
{
	const struct pv_crawl *crawl = simulation.crawl;
	for (size_t i = 0; i < crawl->host_count; i++)
		watch.forgotten += is_forgotten(crawl->hosts[i]);
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

int main(void)
{
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
	return tap_done();
}
