#ifndef PAVANE_TESTS_SERVER_FLOODS_CLAIMS_H
#define PAVANE_TESTS_SERVER_FLOODS_CLAIMS_H

#include "server/floods/beside.h"
#include "together.h"

/* What holds beside each flood: the good host is asked for all its pages and
 * in time, the loop does not run what the flood costs, the flooding address
 * has one end with its reason, the crawl ends by itself, and by a signal, two
 * and its time as promised. What the conductor uses of the processor is compared
 * with a crawl that nobody floods. */
#define PAGES 30
#define GAP_CPU_MS 800
#define STOP_CPU_MS 600
#define MORE_CPU_US 100000
#define ALL_CPU_MS 3000
#define BEATS_US_PER_MS 5 /* while nothing happens */
#define TIME_LIMIT_MS 1000
#define TIMES (IS_SANITIZED ? 10 : 1)

/* What the conductor uses where nobody floods, in microseconds. */
static inline int64_t claims_calm_us(void)
{
	struct beside beside;
	bool is_done =
	    beside_open(&beside, &(struct beside_plan){.pages = PAGES}) &&
	    beside_wait(&beside, HANG_MS);
	if (!ok(is_done && beside.status == 0, "a crawl without a flood ends"))
		crawl_scene_show(&beside.scene);
	ok(beside.conductor_us > 0, "and its conductor took %lld us",
	    (long long)beside.conductor_us);
	beside_close(&beside);
	return beside.conductor_us;
}

static inline void claims_tell(struct beside *beside)
{
	struct flood_counts counts = flood_server_counts(beside->server);
	printf("# %s: status %d, %zu requests, gap %lld ms, %lld ms of wall, "
	       "conductor %lld ms, all %lld ms, %u floods of %.1f MB\n",
	    beside->flood->name, beside->status, beside_good_requests(beside),
	    (long long)beside->longest_us / 1000,
	    (long long)(beside->ended_ms - beside->began_ms),
	    (long long)beside->conductor_us / 1000,
	    (long long)beside->scene.end.cpu_ms, counts.floods,
	    (double)counts.bytes / 1e6);
}

/* The address that floods has one last line, and that a reason. */
static inline void claims_of_address(struct beside *beside)
{
	struct pv_buf url;
	pv_buf_init(&url, 1024);
	pv_buf_append_text(&url, "\"url\":\"");
	beside_write_url(beside, &url);
	pv_buf_append_char(&url, '"');
	const char *address = pv_buf_text(&url);
	size_t ends =
	    crawl_scene_lines(&beside->scene, address, "\"final\":true", NULL);
	size_t reasons = crawl_scene_lines(
	    &beside->scene, address, "\"final\":true", "\"why\":\"", NULL);
	size_t answers = crawl_scene_lines(&beside->scene, address,
	    "\"final\":true", "\"outcome\":\"answered\"", NULL);
	ok(ends == 1 && reasons + answers == 1,
	    "P3: the address that floods has one end, with its reason, or it "
	    "was read to the flood's own end");
	crawl_scene_show_lines(&beside->scene, address);
	pv_buf_finish(&url);
}

static inline void claims_of_conductor(struct beside *beside, int64_t calm_us)
{
	int64_t took_ms = beside->ended_ms - beside->began_ms;
	int64_t most_us =
	    2 * calm_us + (MORE_CPU_US + took_ms * BEATS_US_PER_MS) * TIMES;
	ok(beside->conductor_us <= most_us,
	    "P6: the flood costs the conductor nothing (%lld ms of %lld)",
	    (long long)beside->conductor_us / 1000, (long long)most_us / 1000);
	ok(beside->scene.end.cpu_ms <= ALL_CPU_MS * TIMES,
	    "P6: nor much of anybody's time before it is over (%lld ms of %d)",
	    (long long)beside->scene.end.cpu_ms, ALL_CPU_MS * TIMES);
	crawl_scene_judge_turns(&beside->scene);
}

static inline void claims_of_crawl(const struct flood *flood, int64_t calm_us)
{
	struct beside_plan plan = {
	    .flood = flood, .pages = PAGES, .retries = 1};
	struct beside beside;
	if (!ok(beside_open(&beside, &plan), "%s: begins", flood->name))
		return;
	bool has_ended = beside_wait(&beside, HANG_MS);
	int64_t gap_us = (int64_t)GAP_CPU_MS * 1000 * TIMES;
	claims_tell(&beside);
	ok(has_ended && (beside.status == 5 || beside.status == 0),
	    "%s: the crawl ends by itself (%d)", flood->name, beside.status);
	ok(beside_good_requests(&beside) == PAGES + 1,
	    "P3: the other host is asked for all its pages (%zu)",
	    beside_good_requests(&beside));
	ok(beside.longest_us <= gap_us,
	    "P6: and never waits while the program works for %lld ms (%lld)",
	    (long long)gap_us / 1000, (long long)beside.longest_us / 1000);
	claims_of_conductor(&beside, calm_us);
	claims_of_address(&beside);
	beside_close(&beside);
}

/* Ways to end in the midst of it */

struct stopping {
	const char *claim;
	int signals;
	const char *more; /* lines of the policy */
	int status;
	int64_t most_ms; /* from the signal, or from the start; in which all its
			    threads may work */
};

static const struct stopping stoppings[] = {
    {"a signal", 1, "", 3, DRAIN_MS},
    {"two signals", 2, "", 3, 0},
    {"its time", 0, "limits: {time: 1s}\n", 4, TIME_LIMIT_MS + DRAIN_MS},
};

static inline void claims_of_stop(
    const struct flood *flood, const struct stopping *stopping)
{
	static const int numbers[] = {SIGINT, SIGTERM};
	struct beside_plan plan = {
	    .flood = flood, .pages = 2 * PAGES, .more = stopping->more};
	struct beside beside;
	if (!ok(beside_open(&beside, &plan), "%s, %s: begins", flood->name,
		stopping->claim))
		return;
	ok(beside_wait_flood(&beside) || !stopping->signals,
	    "and is flooded, unless its time was over before");
	int64_t since_us =
	    stopping->signals ? program_cpu_us(beside.scene.program) : 0;
	for (int i = 0; i < stopping->signals; i++)
		program_signal(beside.scene.program, numbers[i]);
	bool has_ended = beside_wait(&beside, HANG_MS);
	int64_t used_us = program_cpu_us(beside.scene.program) - since_us;
	int64_t most_us =
	    (stopping->most_ms * 3 / 2 + STOP_CPU_MS) * 1000 * TIMES;
	ok(has_ended && beside.status == stopping->status,
	    "P6: %s, %s ends it with %d (%d)", flood->name, stopping->claim,
	    stopping->status, beside.status);
	ok(has_ended && used_us < most_us,
	    "P6: soon (it worked for %lld ms of %lld)",
	    (long long)used_us / 1000, (long long)most_us / 1000);
	beside_close(&beside);
}

static inline void claims_of(const struct flood *flood, int64_t calm_us)
{
	claims_of_crawl(flood, calm_us);
	for (size_t i = 0; i < sizeof(stoppings) / sizeof(*stoppings); i++)
		claims_of_stop(flood, &stoppings[i]);
}

/* All floods of that way, or the one that is named. */
static inline int claims_main(int count, char **arguments, enum flood_way way)
{
	int64_t calm_us = claims_calm_us();
	struct together all = {.most = 3};
	for (size_t i = 0; i < flood_count; i++) {
		const struct flood *flood = &floods[i];
		bool is_meant = count > 1
				    ? strcmp(arguments[1], flood->name) == 0
				    : flood->way == way;
		if (is_meant)
			together(&all, claims_of(flood, calm_us));
	}
	together_end(&all);
	return tap_done();
}

#endif
