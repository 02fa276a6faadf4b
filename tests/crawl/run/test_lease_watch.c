#include "crawl/run/lease_watch.h"

#include "base/lease.h"
#include "crawl/simulation.h"

/* A crawl whose lease ends, and begins again: while it may not be sure that its
 * hosts are its own it asks nothing (P1), it loses nothing (P3), and it says why
 * (P4). */

#define HOSTS 20
#define CHAINS 4
#define LENGTH 10
#define LEASE_MS 30000
#define AWAY_MS 120000

/* The lease is renewed at the begin, and then after so long. */
static struct {
	struct pv_lease lease;
	struct simulated_event renewal;
	struct simulated_event drop;
	int64_t begun_at;    /* of the crawl */
	int64_t last_before; /* request */
	int64_t first_after;
	unsigned early; /* requests at which the lease was over */
	unsigned lines;
	unsigned in_flight_when_over;
	char note[256];
	char word[64];
} scene;

static int64_t boot_ms(void)
{
	return SIMULATED_DAY_MS + simulated.now_ms;
}

static void renew(struct simulated_event *event)
{
	(void)event;
	pv_lease_renew(&scene.lease, boot_ms(), SIMULATED_DAY_MS);
}

static void on_request(bool is_robots, int64_t at)
{
	(void)is_robots;
	bool is_after = at >= LEASE_MS + AWAY_MS;
	if (pv_lease_is_over(&scene.lease, boot_ms()))
		scene.early++;
	if (!is_after && at > scene.last_before)
		scene.last_before = at;
	if (is_after && (!scene.first_after || at < scene.first_after))
		scene.first_after = at;
}

static void on_progress(void *ctx, const struct pavane_progress *progress)
{
	(void)ctx;
	int64_t at = simulated.now_ms - simulation.began_at;
	if (at < LEASE_MS + 1000 || at > LEASE_MS + AWAY_MS - 1000)
		return;
	snprintf(scene.note, sizeof(scene.note), "%s", progress->waits_for);
	snprintf(scene.word, sizeof(scene.word), "%s",
	    progress->waiting.count ? progress->waiting.items[0].word : "");
	scene.in_flight_when_over += progress->in_flight;
}

static void on_line(const char *line)
{
	scene.lines += strstr(line, "fleet's database") != NULL;
}

static void prepare(void)
{
	memset(&scene, 0, sizeof(scene));
	pv_lease_init(&scene.lease);
	pv_lease_renew(&scene.lease, boot_ms(), LEASE_MS);
	simulated_add(&scene.renewal, LEASE_MS + AWAY_MS, renew);
}

static unsigned count_requests(void)
{
	unsigned requests = 0;
	for (unsigned i = 0; i < HOSTS; i++)
		requests += simulation.hosts[i].requests;
	return requests;
}

static unsigned count_twice(void)
{
	unsigned twice = 0;
	for (unsigned i = 0; i < HOSTS; i++)
		twice += simulation.hosts[i].twice;
	return twice;
}

static int64_t least_gap(void)
{
	int64_t least = INT64_MAX;
	for (unsigned i = 0; i < HOSTS; i++)
		if (simulation.hosts[i].least_gap < least)
			least = simulation.hosts[i].least_gap;
	return least;
}

static void claim_rest(const struct simulation_plan *plan)
{
	unsigned all = HOSTS * simulation.pages;
	unsigned requests = count_requests();
	ok(simulation.end == PAVANE_FINISHED && !simulation.is_out_of_patience,
	    "P3: the crawl goes on when the lease holds again, and finishes");
	ok(requests - count_twice() == all,
	    "and has asked for each page (%u of %u)", requests - count_twice(),
	    all);
	ok(least_gap() >= plan->delay_ms,
	    "P1: no host is asked before its delay, by what was cancelled "
	    "either (%lld ms)",
	    (long long)least_gap());
	ok(scene.early == 0, "P1: nothing was sent while the lease was over");
}

/* Answers take a second: all that was begun has ended before the lease has. */
static void test_gap(void)
{
	const struct simulation_plan plan = {
	    .hosts = HOSTS,
	    .chains = CHAINS,
	    .length = LENGTH,
	    .delay_ms = 2000,
	    .latency_ms = 1000,
	    .patience_ms = SIMULATED_DAY_MS,
	    .lease = &scene.lease,
	    .on_request = on_request,
	    .on_progress = on_progress,
	    .progress_ms = 1000,
	    .on_line = on_line,
	};
	prepare();
	simulation_run(&plan);
	claim_rest(&plan);
	ok(scene.last_before > 0 &&
		scene.last_before <= LEASE_MS - PV_LEASE_MARGIN(LEASE_MS),
	    "the last request began 5 s before its end (%lld ms)",
	    (long long)scene.last_before);
	ok(scene.first_after < LEASE_MS + AWAY_MS + 1000,
	    "and the first as soon as it was renewed (%lld ms)",
	    (long long)scene.first_after);
	ok(count_twice() == 0, "no page was asked for twice");
	ok(scene.lines == 2, "that it waits and goes on is logged once each");
	ok(strcmp(scene.note, "the crawl waits for the fleet's database") == 0,
	    "P4: the display says for what (%s)", scene.note);
	ok(strcmp(scene.word, "fleet") == 0, "P4: and so does each host (%s)",
	    scene.word);
	simulation_finish();
}

/* Answers take ten seconds: some are under way at the end. */
static void test_cancelling(void)
{
	const struct simulation_plan plan = {
	    .hosts = HOSTS,
	    .chains = CHAINS,
	    .length = LENGTH,
	    .delay_ms = 2000,
	    .latency_ms = 10000,
	    .patience_ms = SIMULATED_DAY_MS,
	    .lease = &scene.lease,
	    .on_request = on_request,
	    .on_progress = on_progress,
	    .progress_ms = 1000,
	    .on_line = on_line,
	};
	prepare();
	simulation_run(&plan);
	claim_rest(&plan);
	ok(count_twice() > 0 && count_twice() <= HOSTS,
	    "P3: what was under way is asked for again, and only that (%u)",
	    count_twice());
	ok(scene.in_flight_when_over == 0,
	    "nothing is under way while the lease is over");
	simulation_finish();
}

/* Connections take ten seconds to be made: what is cancelled has gone out to
 * nobody. */
static void test_unsent(void)
{
	const struct simulation_plan plan = {
	    .hosts = HOSTS,
	    .chains = CHAINS,
	    .length = LENGTH,
	    .delay_ms = 2000,
	    .latency_ms = 1000,
	    .connect_ms = 10000,
	    .patience_ms = SIMULATED_DAY_MS,
	    .lease = &scene.lease,
	    .on_request = on_request,
	};
	prepare();
	simulation_run(&plan);
	claim_rest(&plan);
	ok(count_twice() == 0, "what was not sent is not asked for twice");
	simulation_finish();
}

static void lose(struct simulated_event *event)
{
	(void)event;
	pv_lease_drop(&scene.lease);
}

/* Another machine has taken the hosts over: at once, in the midst of a lease. */
static void test_drop(void)
{
	const struct simulation_plan plan = {
	    .hosts = HOSTS,
	    .chains = CHAINS,
	    .length = LENGTH,
	    .delay_ms = 2000,
	    .latency_ms = 1000,
	    .patience_ms = SIMULATED_DAY_MS,
	    .lease = &scene.lease,
	    .on_request = on_request,
	};
	prepare();
	simulated_add(&scene.drop, LEASE_MS / 3, lose);
	simulation_run(&plan);
	claim_rest(&plan);
	ok(scene.last_before <= LEASE_MS / 3,
	    "P1: a lease that is dropped ends the requests at once (%lld ms)",
	    (long long)scene.last_before);
	simulation_finish();
}

/* The only host, whose request is about to go out when the lease is lost for a
 * moment: whether it did is not known then. */
static struct {
	struct simulated_event again;
	unsigned pages;
	int64_t lost_at;
	int64_t next_at;
} moment;

static void lose_for_moment(struct simulated_event *event)
{
	lose(event);
	moment.lost_at = simulated.now_ms;
	simulated_add(&moment.again, 300, renew);
}

static void on_moment_request(bool is_robots, int64_t at)
{
	(void)at;
	if (is_robots)
		return;
	if (++moment.pages == 1)
		simulated_add(&scene.drop, 100 + 2000 + 500, lose_for_moment);
	else if (!moment.next_at)
		moment.next_at = simulated.now_ms;
}

static void test_moment(void)
{
	const struct simulation_plan plan = {
	    .hosts = 1,
	    .chains = 1,
	    .length = 3,
	    .delay_ms = 2000,
	    .latency_ms = 100,
	    .connect_ms = 1000,
	    .patience_ms = SIMULATED_DAY_MS,
	    .lease = &scene.lease,
	    .on_request = on_moment_request,
	};
	prepare();
	simulation_run(&plan);
	ok(simulation.end == PAVANE_FINISHED && moment.lost_at > 0,
	    "a lease that is lost for a moment delays a crawl");
	ok(moment.next_at - moment.lost_at >= plan.delay_ms,
	    "P1: what may have gone out by then has cost its host a rest "
	    "(%lld ms)",
	    (long long)(moment.next_at - moment.lost_at));
	simulated_remove(&scene.renewal);
	simulation_finish();
}

/* A worker that has only begun has no lease yet. */
static void test_beginning(void)
{
	const struct simulation_plan plan = {
	    .hosts = HOSTS,
	    .chains = CHAINS,
	    .length = LENGTH,
	    .delay_ms = 2000,
	    .latency_ms = 1000,
	    .patience_ms = SIMULATED_DAY_MS,
	    .lease = &scene.lease,
	    .on_request = on_request,
	    .on_line = on_line,
	};
	prepare();
	pv_lease_init(&scene.lease);
	simulation_run(&plan);
	claim_rest(&plan);
	ok(!scene.last_before && scene.lines == 0,
	    "P1: a crawl begins with its first lease, and says nothing of "
	    "waiting for that");
	simulation_finish();
}

static void test_stop(void)
{
	const struct simulation_plan plan = {
	    .hosts = HOSTS,
	    .chains = CHAINS,
	    .length = LENGTH,
	    .delay_ms = 2000,
	    .latency_ms = 1000,
	    .patience_ms = LEASE_MS + AWAY_MS / 2,
	    .lease = &scene.lease,
	};
	prepare();
	simulation_run(&plan);
	ok(simulation.is_out_of_patience && simulation.end == PAVANE_STOPPED &&
		simulation.ended_at - simulation.began_at <=
		    plan.patience_ms + 1000,
	    "P6: a crawl whose lease is over stops at once when asked to");
	simulated_remove(&scene.renewal);
	simulation_finish();
}

int main(void)
{
	test_gap();
	test_cancelling();
	test_unsent();
	test_drop();
	test_moment();
	test_beginning();
	test_stop();
	return tap_done();
}
