#include "crawl/simulation.h"

/* A robots.txt over days of simulated time: when it is asked for again, and
 * for how long the last one counts where it cannot be had (RFC 9309, 2.4). */

#define HOUR INT64_C(3600000)
#define DELAY (30 * INT64_C(60000))
#define PAGES 60
#define TIMES_MAX 1000

/* What the server saw. */
static struct {
	int64_t pages[TIMES_MAX];
	int64_t robots[TIMES_MAX];
	size_t page_count;
	size_t robots_count;
} seen;

/* From when until when it fails. */
static int64_t fails_at, well_at;

static void on_request(bool is_robots, int64_t at)
{
	if (is_robots && seen.robots_count < TIMES_MAX)
		seen.robots[seen.robots_count++] = at;
	else if (!is_robots && seen.page_count < TIMES_MAX)
		seen.pages[seen.page_count++] = at;
}

static void answer(struct pv_response *response, int64_t at)
{
	response->http_status = at >= fails_at && at < well_at ? 503 : 200;
	if (response->http_status == 200)
		pv_body_append(&response->body,
		    PV_STR("User-agent: *\nDisallow: /nothing\n"));
}

static void crawl(int64_t fails_from, int64_t well_from)
{
	const struct simulation_plan plan = {
	    .hosts = 1,
	    .chains = 1,
	    .length = PAGES,
	    .delay_ms = DELAY,
	    .latency_ms = 100,
	    .patience_ms = 20 * SIMULATED_DAY_MS,
	    .policy = "limits: {wait: none}\n",
	    .robots = answer,
	    .on_request = on_request,
	};
	memset(&seen, 0, sizeof(seen));
	fails_at = fails_from;
	well_at = well_from;
	simulation_run(&plan);
	ok(simulation.end == PAVANE_FINISHED && seen.page_count == PAGES + 1,
	    "P3: all pages are asked for (%zu, and robots.txt %zu times)",
	    seen.page_count, seen.robots_count);
	ok(simulation.hosts[0].least_gap >= DELAY,
	    "P1: none sooner than its delay");
}

static size_t count_within(
    const int64_t *times, size_t count, int64_t from, int64_t to)
{
	size_t within = 0;
	for (size_t i = 0; i < count; i++)
		within += times[i] >= from && times[i] < to;
	return within;
}

static size_t pages_within(int64_t from, int64_t to)
{
	return count_within(seen.pages, seen.page_count, from, to);
}

static size_t robots_within(int64_t from, int64_t to)
{
	return count_within(seen.robots, seen.robots_count, from, to);
}

static void test_failing(void)
{
	crawl(17 * HOUR, 40 * HOUR);
	ok(robots_within(1000, 18 * HOUR) == 0 &&
		robots_within(18 * HOUR, 18 * HOUR + 2 * DELAY) >= 1,
	    "it is asked for again after 18 hours");
	ok(robots_within(18 * HOUR, 24 * HOUR) <= 9,
	    "P2: while it fails, not for each page (%zu times)",
	    robots_within(18 * HOUR, 24 * HOUR));
	ok(pages_within(18 * HOUR, 24 * HOUR) >= 4,
	    "for a day the last one counts (%zu pages in its last 6 hours)",
	    pages_within(18 * HOUR, 24 * HOUR));
	ok(!pages_within(24 * HOUR + 1000, 40 * HOUR),
	    "P1: then nothing is asked for until it can be had (%zu pages)",
	    pages_within(24 * HOUR + 1000, 40 * HOUR));
	ok(robots_within(24 * HOUR, 40 * HOUR) <= 12,
	    "P2: and itself ever more rarely (%zu times)",
	    robots_within(24 * HOUR, 40 * HOUR));
	simulation_finish();
}

int main(void)
{
	test_failing();
	return tap_done();
}
