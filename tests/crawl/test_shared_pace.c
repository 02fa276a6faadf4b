#include <stdio.h>

#include "crawl/simulation.h"
#include "limiter/file_limiter.h"

/* What a crawl and another one, which is the test's, do to each other at a host
 * that both ask, in simulated time (P1, P2). Its address is public. */

#define SECOND INT64_C(1000)
#define REST (60 * SECOND)
#define DELAY (20 * SECOND)
#define LATENCY (5 * SECOND)

static struct other {
	struct scratch state;
	struct pv_limiter *limiter;
	struct pv_limiter_claim claim;
	struct simulated_event event;
	int64_t granted_at; /* since the crawl began; negative: not yet */
	int64_t rest_ms;
	const char *address; /* what is asked at; NULL: the host */
	int64_t asked_at[8]; /* the crawl's requests */
	size_t asked;
} other;

static struct pv_time time_now(void)
{
	return (struct pv_time){
	    simulated.now_ms, SIMULATED_BEGAN_WALL_MS + simulated.now_ms};
}

static bool claim(void)
{
	struct pv_address bytes = {.bits = 0};
	struct pv_limiter_ask ask = {
	    .clock = PV_LIMITER_HOST,
	    .name = PV_STR("h1.test"),
	    .rest_ms = other.rest_ms,
	    .open_max = PV_LIMITER_ANY,
	    .since = simulated.now_ms,
	};
	int64_t until;
	if (other.address) {
		pv_address_read(pv_str_of(other.address), &bytes);
		ask.clock = PV_LIMITER_ADDRESS;
		ask.name =
		    (struct pv_str){(const char *)bytes.bytes, bytes.bits / 8u};
	}
	return pv_limiter_claim(other.limiter, &ask, time_now(), &other.claim,
		   &until) == PV_LIMITER_GRANTED;
}

static void on_request(bool is_robots, int64_t at)
{
	(void)is_robots;
	if (other.asked < 8)
		other.asked_at[other.asked++] = at;
}

static bool open_other(int64_t rest_ms)
{
	struct pv_why why;
	other = (struct other){.rest_ms = rest_ms, .granted_at = -1};
	pv_why_init(&why);
	scratch_make(&other.state);
	other.limiter = pv_limiter_file.open(other.state.path, NULL, &why);
	pv_why_finish(&why);
	return ok(other.limiter, "clocks can be shared");
}

static void close_other(void)
{
	simulated_remove(&other.event);
	simulation_finish();
	pv_limiter_close(other.limiter);
	scratch_remove(&other.state);
}

static struct simulation_plan plan_of(const char *seeds)
{
	return (struct simulation_plan){
	    .hosts = 1,
	    .delay_ms = DELAY,
	    .latency_ms = LATENCY,
	    .patience_ms = SIMULATED_DAY_MS,
	    .seeds = seeds,
	    .state_dir = other.state.path,
	    .on_request = on_request,
	};
}

/* The other one asks now, and is answered at once. */
static void other_asks(void)
{
	int64_t now = simulated.now_ms;
	ok(claim(), "another crawl asks");
	pv_limiter_sent(other.limiter, &other.claim, now, now + other.rest_ms);
	pv_limiter_end(other.limiter, &other.claim, now, now + other.rest_ms);
}

/* Ports */

static const char *const ports[] = {
    "http://h1.test/", "http://h1.test:8080/", "https://h1.test/"};

static void test_ports(void)
{
	for (size_t i = 0; i < sizeof(ports) / sizeof(*ports); i++) {
		if (!open_other(REST))
			return;
		other_asks();
		struct simulation_plan plan = plan_of(ports[i]);
		simulation_run(&plan);
		ok(simulation.end == PAVANE_FINISHED && other.asked == 2 &&
			other.asked_at[0] >= REST,
		    "P1: %s: at whichever port a public host is asked, its clock "
		    "is that of all crawls (%lld ms)",
		    ports[i], (long long)other.asked_at[0]);
		close_other();
	}
}

static void test_address(void)
{
	for (size_t i = 0; i < sizeof(ports) / sizeof(*ports); i++) {
		if (!open_other(REST))
			return;
		other.address = "11.0.0.0";
		other_asks();
		struct simulation_plan plan = plan_of(ports[i]);
		simulation_run(&plan);
		ok(other.asked_at[0] >= REST,
		    "P1: and so is that of its address (%lld ms)",
		    (long long)other.asked_at[0]);
		close_other();
	}
}

/* Starts */

static void ask_soon(struct simulated_event *event)
{
	if (!claim()) {
		simulated_add(event, 100, ask_soon);
		return;
	}
	other.granted_at = simulated.now_ms - simulation.began_at;
	pv_limiter_drop(other.limiter, &other.claim);
}

/* A second signal drops what is open. */
static void stop_hard(struct simulated_event *event)
{
	(void)event;
	simulation.is_out_of_patience = true;
	pv_crawl_stop(simulation.crawl);
	pv_crawl_stop(simulation.crawl);
}

#define STARTS                                             \
	"delay: 20s, delay_from: start, delay_factor: 0, " \
	"ip_delay: 7s, connections: 4"

/* The first request is that for robots.txt. */
static void judge_start(const char *claim)
{
	int64_t start = other.asked_at[0];
	ok(other.granted_at >= start + DELAY &&
		other.granted_at <= start + DELAY + SECOND,
	    "P1: %s: another crawl asks that host after the delay, counted from "
	    "its start (%lld ms)",
	    claim, (long long)(other.granted_at - start));
}

static void test_start(void)
{
	if (!open_other(1))
		return;
	struct simulation_plan plan = plan_of(ports[0]);
	plan.politeness = STARTS;
	plan.silent_every = 1;
	plan.patience_ms = DELAY + 2 * SECOND;
	simulated_add(&other.event, SECOND, ask_soon);
	simulation_run(&plan);
	judge_start("a request that is still open");
	close_other();
}

static void test_start_at_address(void)
{
	if (!open_other(1))
		return;
	other.address = "11.0.0.0";
	struct simulation_plan plan = plan_of(ports[0]);
	plan.politeness = STARTS;
	plan.silent_every = 1;
	plan.patience_ms = DELAY;
	simulated_add(&other.event, SECOND, ask_soon);
	simulation_run(&plan);
	int64_t wait_ms = other.granted_at - other.asked_at[0];
	ok(wait_ms >= 7 * SECOND && wait_ms <= 8 * SECOND,
	    "P1: and its address after ip_delay (%lld ms)", (long long)wait_ms);
	close_other();
}

static void test_dropped(int64_t connect_ms, const char *claim_of)
{
	static struct simulated_event stop;
	if (!open_other(1))
		return;
	struct simulation_plan plan = plan_of(ports[0]);
	plan.silent_every = 1;
	plan.connect_ms = connect_ms;
	simulated_add(&stop, 2 * SECOND, stop_hard);
	simulation_run(&plan);
	ok(simulation.end == PAVANE_STOPPED, "a crawl is stopped at once");
	ok(!claim(), "P1: %s: another crawl may not ask that host at once",
	    claim_of);
	simulated.now_ms += DELAY - 1;
	ok(!claim(), "P1: nor before its delay, counted from then on");
	simulated.now_ms += SECOND;
	ok(claim(), "P1: after its delay it may");
	pv_limiter_drop(other.limiter, &other.claim);
	close_other();
}

/* Ends */

static void answer_later(struct pv_response *response, int64_t at)
{
	(void)at;
	response->http_status = 429;
	pv_headers_add(
	    &response->headers, PV_STR("Retry-After"), PV_STR("600"));
}

static void test_retry_after(void)
{
	if (!open_other(1))
		return;
	struct simulation_plan plan = plan_of(ports[0]);
	plan.robots = answer_later;
	plan.patience_ms = 700 * SECOND;
	simulated_add(&other.event, SECOND, ask_soon);
	simulation_run(&plan);
	int64_t wait_ms = other.granted_at - other.asked_at[0] - LATENCY;
	ok(wait_ms >= 600 * SECOND && wait_ms <= 602 * SECOND,
	    "P2: a Retry-After that one crawl is told is kept by the other "
	    "(%lld ms)",
	    (long long)wait_ms);
	close_other();
}

/* What is told meanwhile */

#define TOLD_MS 10

static struct {
	unsigned count;
	unsigned waiting; /* of these: for another crawl */
} told;

static void on_progress(void *ctx, const struct pavane_progress *progress)
{
	int64_t since_ms = simulated.now_ms - simulation.began_at;
	(void)ctx;
	if (since_ms < SECOND || since_ms >= REST)
		return;
	told.count++;
	for (size_t i = 0; i < progress->waiting.count; i++)
		told.waiting +=
		    strcmp(progress->waiting.items[i].word, "other-crawl") == 0;
}

/* Each moment at which the crawl tries again is one at which it tells. */
static void test_told(void)
{
	if (!open_other(REST))
		return;
	ok(claim(), "another crawl asks, and gets no answer");
	pv_limiter_sent(other.limiter, &other.claim, simulated.now_ms,
	    simulated.now_ms + SECOND);
	struct simulation_plan plan = plan_of(ports[0]);
	plan.on_progress = on_progress;
	plan.progress_ms = TOLD_MS;
	plan.patience_ms = REST;
	simulation_run(&plan);
	ok(other.asked == 0 && told.count >= (REST - SECOND) / TOLD_MS &&
		told.waiting == told.count,
	    "P4: whoever asks how far the crawl is hears that it waits for "
	    "another one (%u of %u times)",
	    told.waiting, told.count);
	pv_limiter_drop(other.limiter, &other.claim);
	close_other();
}

int main(void)
{
	test_ports();
	test_address();
	test_start();
	test_start_at_address();
	test_retry_after();
	test_told();
	test_dropped(0, "a request that has gone out is dropped");
	test_dropped(5 * SECOND, "one that may go out just now is dropped");
	return tap_done();
}
