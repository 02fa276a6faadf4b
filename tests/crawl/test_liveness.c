#include <time.h>

#include "crawl/simulation.h"

/* Nobody is forgotten (P3, P6): in whole crawls of ever more hosts, every
 * address that can be reached is asked for once, each host as soon as its pace
 * allows, and never sooner (P1). */

#define LATENCY_MS 10

struct totals {
	unsigned hosts;    /* that answer */
	unsigned complete; /* hosts of which all was asked for */
	unsigned twice;
	unsigned astray;
	unsigned robots;
	unsigned most_in_flight;
	int64_t least_gap;
	int64_t most_gap;
	int64_t ended_at; /* the last answer */
};

/* Until the end, where not all was asked for. */
static int64_t most_gap(const struct simulated_host *host)
{
	int64_t last_at = host->requests ? host->last_at : simulation.began_at;
	int64_t gap = simulation.ended_at - last_at;
	bool is_left = host->requests < simulation.pages;
	return is_left && gap > host->most_gap ? gap : host->most_gap;
}

static struct totals total(void)
{
	struct totals totals = {.least_gap = INT64_MAX};
	for (unsigned i = 0; i < simulation.plan.hosts; i++) {
		const struct simulated_host *host = &simulation.hosts[i];
		if (host->is_silent)
			continue;
		totals.hosts++;
		totals.complete +=
		    host->requests - host->twice == simulation.pages;
		totals.twice += host->twice;
		totals.astray += host->astray;
		totals.robots += host->robots;
		if (host->most_in_flight > totals.most_in_flight)
			totals.most_in_flight = host->most_in_flight;
		if (host->least_gap < totals.least_gap)
			totals.least_gap = host->least_gap;
		if (host->ended_at > totals.ended_at)
			totals.ended_at = host->ended_at;
		int64_t gap = most_gap(host);
		if (gap > totals.most_gap)
			totals.most_gap = gap;
	}
	return totals;
}

static void test_size(struct simulation_plan plan, enum pavane_end end)
{
	clock_t before = clock();
	plan.latency_ms = LATENCY_MS;
	plan.patience_ms = 10 * SIMULATED_DAY_MS;
	simulation_run(&plan);
	struct totals totals = total();
	int64_t took_ms = totals.ended_at - simulation.began_at;
	int64_t turn_ms = simulation_turn_ms();
	ok(simulation.end == end && totals.complete == totals.hosts,
	    "P3: of %u hosts %u are asked for all that can be reached (end %d) "
	    "%s",
	    totals.hosts, totals.complete, simulation.end, simulation.error);
	ok(!totals.twice && !totals.astray && totals.robots == totals.hosts,
	    "and for nothing twice, nor for what is not there");
	ok(totals.least_gap >= plan.delay_ms + plan.latency_ms &&
		totals.most_in_flight == 1,
	    "P1: none sooner than its pace allows (%lld ms)",
	    (long long)totals.least_gap);
	ok(totals.most_gap <= 2 * turn_ms,
	    "each within twice its turn (%lld ms)", (long long)totals.most_gap);
	ok(took_ms <= simulation_ideal_ms() * 11 / 10 + 500,
	    "in about the time that its pace takes (%lld of %lld ms)",
	    (long long)took_ms, (long long)simulation_ideal_ms());
	printf("# %.1f s of processor time, %.1f µs a request\n",
	    (double)(clock() - before) / CLOCKS_PER_SEC,
	    (double)(clock() - before) / plan.hosts / (simulation.pages + 1));
	simulation_finish();
}

static const struct simulation_plan sizes[] = {
    {.hosts = 10, .chains = 31, .length = 4, .delay_ms = 50},
    {.hosts = 900, .chains = 9, .length = 1, .delay_ms = 50},
    {.hosts = 1100, .chains = 9, .length = 2, .delay_ms = 50},
    {.hosts = 3000, .chains = 3, .length = 2, .delay_ms = 1000},
    {.hosts = 20000, .chains = 1, .length = 1, .delay_ms = 20000},
};

/* Where the rate of all together holds them, they take turns. */
static void test_rate(void)
{
	const struct simulation_plan plan = {
	    .hosts = 2000,
	    .chains = 7,
	    .length = 1,
	    .rate = 500,
	    .delay_ms = 1000,
	};
	test_size(plan, PAVANE_FINISHED);
}

/* Hosts that never answer keep no other from its turn, and are given up when
 * the policy says so, a day later. */
static void test_silence(void)
{
	const struct simulation_plan plan = {
	    .hosts = 2000,
	    .chains = 3,
	    .length = 2,
	    .silent_every = 4,
	    .delay_ms = 1000,
	    .policy = "robots: {give_up_silent: 1d}\nlimits: {wait: none}\n",
	};
	test_size(plan, PAVANE_NOT_BEGUN);
	int64_t took_ms = simulation.ended_at - simulation.began_at;
	ok(took_ms >= SIMULATED_DAY_MS && took_ms < 2 * SIMULATED_DAY_MS,
	    "it takes a day (%lld s)", (long long)took_ms / 1000);
}

/* What stops a crawl costs no address, and no host its rest. */
static void test_stops(void)
{
	const struct simulation_plan plan = {
	    .hosts = 1100,
	    .chains = 14,
	    .length = 2,
	    .delay_ms = 1000,
	    .stop_every_ms = 7000,
	};
	test_size(plan, PAVANE_FINISHED);
	ok(simulation.runs > 4, "P6: in %u runs", simulation.runs);
}

/* With words, of that many hosts, chains and their length, at that delay:
 * "20000 3 1 20000". */
int main(int count, char **words)
{
	struct simulation_plan plan = sizes[0];
	if (count == 5) {
		plan.hosts = (unsigned)strtoul(words[1], NULL, 10);
		plan.chains = (unsigned)strtoul(words[2], NULL, 10);
		plan.length = (unsigned)strtoul(words[3], NULL, 10);
		plan.delay_ms = strtol(words[4], NULL, 10);
		test_size(plan, PAVANE_FINISHED);
		return tap_done();
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		test_size(sizes[i], PAVANE_FINISHED);
	test_rate();
	test_silence();
	test_stops();
	return tap_done();
}
