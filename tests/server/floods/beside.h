#ifndef PAVANE_TESTS_SERVER_FLOODS_BESIDE_H
#define PAVANE_TESTS_SERVER_FLOODS_BESIDE_H

#include <time.h>

#include "crawl/patience.h"
#include "crawl/scene.h"
#include "server/floods/flood_server.h"

/* The program at work on a host that floods it, beside one that does not. A
 * flood of our own has no end but the program's: what would never be over is
 * killed, and said.
 *
 * How long something takes is judged by the processor's time that the program
 * uses meanwhile: a flood keeps a processor busy, so what waits for its end
 * shows there, and a machine that is busy with others makes it no more. */
#define DELAY_MS 50
#define DRAIN_MS 500
#define FLOOD_MAX_MS (10 * HANG_MS)

/* Where the flood itself gets no processor it costs the program too little to be
 * cut off, and the request ends like any other that is slow. */
#define TOTAL_S 5

#define HOLD_MS 200
#define AT_ONCE 4

struct beside_plan {
	const struct flood *flood; /* NULL: nobody floods */
	uint32_t pages;            /* of the other host */
	unsigned retries;
	unsigned streams; /* further pages of the host that floods, of
				      which AT_ONCE are asked for at once */
	const char *more; /* lines of the policy; or NULL */
};

struct beside {
	const struct flood *flood;
	struct crawl_scene scene;
	struct flood_server *server;
	struct site site;
	int64_t began_ms;
	int64_t ended_ms;
	int64_t conductor_us; /* of the processor */

	/* Of all its threads: when the last request to the other host was seen,
	 * and the longest between two, from when its first page was asked
	 * for. */
	int64_t asked_us;
	int64_t longest_us;
	size_t asked;
	int status; /* -1 if it was killed for being late */
};

static inline int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The policy */

static inline void beside_write_url(
    const struct beside *beside, struct pv_buf *text)
{
	pv_buf_append_format(text, "%s://flood.test:%u/",
	    beside->flood->way == FLOOD_TCP ? "http" : "https",
	    flood_server_port(beside->server));
}

/* Some of the further pages are asked for before "/", and some after it. */
static inline void beside_write_seeds(const struct beside *beside,
    const struct beside_plan *plan, struct pv_buf *text)
{
	struct pv_buf url;
	pv_buf_init(&url, 1024);
	beside_write_url(beside, &url);
	const char *root = pv_buf_text(&url);
	if (plan->streams)
		pv_buf_append_format(
		    text, "  - \"%s{1..%d}\"\n", root, AT_ONCE - 1);
	pv_buf_append_format(text, "  - \"%s\"\n", root);
	if (plan->streams)
		pv_buf_append_format(
		    text, "  - \"%s{%d..%u}\"\n", root, AT_ONCE, plan->streams);
	pv_buf_finish(&url);
}

/* Where the handshake is the flood, no robots.txt ever comes. */
static inline void beside_write_manners(
    const struct beside_plan *plan, struct pv_buf *text)
{
	if (plan->flood->way == FLOOD_HANDSHAKE)
		pv_buf_append_text(
		    text, "domains: {flood.test: {robots: ignore}}\n");
	if (plan->streams)
		pv_buf_append_format(text,
		    "domains: {flood.test: {connections: %d, delay: 0}}\n",
		    AT_ONCE);
}

static inline void beside_write_policy(
    struct beside *beside, const struct beside_plan *plan)
{
	const char *authority =
	    beside->server ? flood_server_authority(beside->server) : NULL;
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_text(&text, "version: 1\n"
				  "seeds:\n"
				  "  - \"http://good.test:PORT/\"\n");
	if (beside->server)
		beside_write_seeds(beside, plan, &text);
	pv_buf_append_format(&text,
	    "rate: {max_rate: 1000, interval: 10ms, concurrency: 50}\n"
	    "politeness: {delay: %dms, delay_from: start, delay_factor: 0, "
	    "ip_delay: 0, backoff: {failure: 200ms, overload: 200ms, "
	    "factor: 1}}\n"
	    "output: {}\n"
	    "stop: {drain_timeout: %dms}\n"
	    "%s"
	    "fetch:\n  http2: true\n  retries: %u\n  max_size: 16MiB\n"
	    "  timeout: {total: %ds}\n"
	    "  resolve: {good.test: \"127.66.1.1\", flood.test: "
	    "\"127.0.0.1\"}\n",
	    DELAY_MS, DRAIN_MS, plan->more ? plan->more : "", plan->retries,
	    plan->streams ? HANG_MS / 1000 : TOTAL_S);
	if (authority)
		pv_buf_append_format(&text, "  tls: {ca: \"%s\"}\n", authority);
	if (beside->server)
		beside_write_manners(plan, &text);
	crawl_scene_policy(&beside->scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

/* Crawling */

static inline bool beside_open(
    struct beside *beside, const struct beside_plan *plan)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct flood_plan flooding = {.flood = plan->flood,
	    .hold_ms = plan->streams ? HOLD_MS : 0,
	    .time_max_ms = FLOOD_MAX_MS};
	*beside = (struct beside){.flood = plan->flood,
	    .site = {.pages = plan->pages, .links = plan->pages - 1}};
	struct server_plan server = {.addresses = everywhere,
	    .answer = site_answer,
	    .ctx = &beside->site};
	bool is_open = crawl_scene_open(&beside->scene, &server);
	if (is_open && plan->flood) {
		beside->server = flood_server_start(&flooding);
		is_open = beside->server != NULL;
	}
	if (!is_open)
		return false;
	beside_write_policy(beside, plan);
	crawl_scene_start(&beside->scene);
	beside->began_ms = now_ms();
	return true;
}

static inline void beside_close(struct beside *beside)
{
	crawl_scene_close(&beside->scene);
	flood_server_stop(beside->server);
}

/* What was asked for since it was last looked: more than one request is as if it
 * had been one. */
static inline void beside_look(struct beside *beside)
{
	size_t asked = server_log_count(beside->scene.server);
	int64_t cpu_us = program_cpu_us(beside->scene.program);
	if (beside->asked >= 2 && beside->asked <= beside->site.pages &&
	    cpu_us - beside->asked_us > beside->longest_us)
		beside->longest_us = cpu_us - beside->asked_us;
	if (asked != beside->asked)
		beside->asked_us = cpu_us;
	beside->asked = asked;
}

/* Until it ends; or is killed, since it is late by far. False then. */
static inline bool beside_wait(struct beside *beside, int64_t most_ms)
{
	struct program *program = beside->scene.program;
	int64_t until = now_ms() + most_ms;
	beside->status = -2;
	while (beside->status == -2 && now_ms() < until) {
		int64_t us = program_conductor_us(program);
		if (us > beside->conductor_us)
			beside->conductor_us = us;
		beside_look(beside);
		beside->status = crawl_scene_wait(&beside->scene, 20);
	}
	beside->ended_ms = now_ms();
	if (beside->status != -2)
		return true;
	program_signal(program, SIGKILL);
	crawl_scene_wait(&beside->scene, HANG_MS);
	beside->status = -1;
	return false;
}

/* The flood is at its height, or was; false if the program ended before it
 * began. */
static inline bool beside_wait_flood(struct beside *beside)
{
	int64_t until = now_ms() + HANG_MS;
	struct program_end end;
	while (!flood_server_counts(beside->server).floods &&
	       now_ms() < until &&
	       !program_wait(beside->scene.program, 0, &end))
		flood_server_wait(beside->server, UINT64_MAX, 1);
	flood_server_wait(beside->server, 1 << 20, 200);
	return flood_server_counts(beside->server).floods > 0;
}

/* What became of the good host */

static inline size_t beside_good_requests(struct beside *beside)
{
	return server_log_count(beside->scene.server);
}

#endif
