#include "crawl/control/order.h"

#include <stdlib.h>
#include <time.h>

#include "frontier/scene.h"
#include "store/orders.h"

/* Orders to a crawl, checked against its state and written into its file. */

/* Thursday, 2026-11-26, 12:00 UTC. */
#define NOW INT64_C(1795694400000)
#define MINUTE INT64_C(60000)
#define HOUR (60 * MINUTE)

static char words[1000]; /* what was said last */

static enum pavane_answer pause_it(const struct pavane_order *order)
{
	struct pv_why why;
	pv_why_init(&why);
	enum pavane_answer answer = pv_order_pause(order, NOW, &why);
	snprintf(words, sizeof(words), "%s",
	    why.problems.count ? why.problems.kept[0].text : "");
	pv_why_finish(&why);
	return answer;
}

static enum pavane_answer resume(const struct pavane_order *order)
{
	struct pv_why why;
	pv_why_init(&why);
	enum pavane_answer answer = pv_order_resume(order, NOW, &why);
	pv_why_finish(&why);
	return answer;
}

/* Until when a host is paused, or all ("", NULL); 0: it is not. */
static int64_t until(const struct scene *scene, const char *host)
{
	struct pv_orders orders;
	struct pv_buf text;
	struct pv_why why;
	pv_why_init(&why);
	pv_orders_load(scene->scratch.path, &text, &orders, &why);
	const struct pv_pause *pause =
	    pv_orders_pause_of(&orders, pv_str_of(host ? host : ""), NOW);
	int64_t until_ms = pause ? pause->until_wall_ms : 0;
	pv_orders_finish(&orders);
	pv_buf_finish(&text);
	pv_why_finish(&why);
	return until_ms;
}

static void test_times(const struct scene *scene)
{
	static const struct {
		const char *text;
		int64_t until;
	} cases[] = {
	    {NULL, INT64_MAX},
	    {"2h", NOW + 2 * HOUR},
	    {"90s", NOW + 90000},
	    {"14:30", NOW + 2 * HOUR + 30 * MINUTE},
	    {"11:59", NOW + 24 * HOUR - MINUTE},
	    {"12:00", NOW + 24 * HOUR},
	    {"2026-11-27", NOW + 12 * HOUR},
	    {"2027-03-01", NOW + 95 * 24 * HOUR - 12 * HOUR},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct pavane_order order = {
		    .size = sizeof(struct pavane_order),
		    .directory = scene->scratch.path,
		    .until = cases[i].text};
		ok(pause_it(&order) == PAVANE_YES &&
			until(scene, NULL) == cases[i].until,
		    "a pause until %s", cases[i].text ? cases[i].text : "ever");
	}
}

static void test_wrong_times(const struct scene *scene)
{
	static const struct {
		const char *text;
		const char *words;
	} cases[] = {
	    {"", "is no time"},
	    {"2", "is no time"},
	    {"-2h", "is no time"},
	    {"2h3", "is no time"},
	    {"14:3", "is no time"},
	    {"24:00", "is no time"},
	    {"12:60", "is no time"},
	    {"9999999999999999d", "is no time"},
	    {"2026-11-31", "is no time"},
	    {"2026-1-027", "is no time"},
	    {"0s", "is in the past"},
	    {"2026-11-26", "is in the past"},
	    {"1970-01-01", "is in the past"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct pavane_order order = {
		    .size = sizeof(struct pavane_order),
		    .directory = scene->scratch.path,
		    .host = "x.example",
		    .until = cases[i].text,
		};
		ok(pause_it(&order) == PAVANE_WRONG &&
			strstr(words, cases[i].words) &&
			!until(scene, "x.example"),
		    "\"%s\" %s, and nothing is paused", cases[i].text,
		    cases[i].words);
	}
}

static void test_hosts(const struct scene *scene)
{
	static const struct {
		const char *host;
		const char *words;
	} cases[] = {
	    {"y.example", "is not a host of this crawl"},
	    {"x.example:8080", "has a port"},
	    {"x.example/a", "is no host name"},
	    {"http://x.example", "is no host name"},
	    {"user@x.example", "is no host name"},
	    {"x y", "is no host name"},
	    {"", "is no host name"},
	};
	struct pavane_order order = {.size = sizeof(struct pavane_order),
	    .directory = scene->scratch.path};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		order.host = cases[i].host;
		ok(pause_it(&order) == PAVANE_WRONG &&
			strstr(words, cases[i].words),
		    "\"%s\" %s", cases[i].host, cases[i].words);
	}
	order.host = "X.Example.";
	ok(pause_it(&order) == PAVANE_YES &&
		until(scene, "x.example") == INT64_MAX,
	    "a host may be written in any case, and with a dot");
	order.host = "x.example";
	ok(resume(&order) == PAVANE_YES && !until(scene, "x.example") &&
		resume(&order) == PAVANE_NO,
	    "a pause is ended once");
	order.host = NULL;
	pause_it(&order);
	order.host = "x.example";
	pause_it(&order);
	order.host = NULL;
	ok(resume(&order) == PAVANE_YES && !until(scene, NULL) &&
		until(scene, "x.example"),
	    "a host that is paused by itself stays so when the crawl is "
	    "resumed");
	order.host = "y.example";
	ok(resume(&order) == PAVANE_WRONG, "what is no host is not resumed");
}

static void test_no_crawl(const struct scene *scene)
{
	struct pavane_order order = {.size = sizeof(struct pavane_order),
	    .directory = "/nowhere/at/all"};
	int64_t process = 0;
	struct pv_why why;
	ok(pause_it(&order) == PAVANE_UNREADABLE &&
		strstr(words, "is not a crawl's directory"),
	    "where there is no crawl, none is paused");
	pv_why_init(&why);
	ok(pv_order_stop(&order, &process, &why) == PAVANE_UNREADABLE &&
		why.problems.count == 1,
	    "nor stopped");
	pv_why_finish(&why);
	order.directory = scene->scratch.path;
	pv_why_init(&why);
	ok(pv_order_stop(&order, &process, &why) == PAVANE_YES &&
		process == getpid(),
	    "a crawl that runs is asked to stop, and its process is named");
	process++;
	ok(pv_order_stop(&order, &process, &why) == PAVANE_NO,
	    "but not one that another process has begun since");
	pv_why_finish(&why);
}

/* By the program that runs the crawl. */
static void test_here(const struct scene *scene)
{
	const struct pavane_order order = {
	    .directory = scene->scratch.path, .host = "X.example"};
	struct pv_order_here here = {
	    .database = scene->store->database,
	    .wall_ms = NOW,
	    .until_wall_ms = NOW + HOUR,
	    .because = "they move",
	};
	struct pv_orders orders;
	struct pv_buf text;
	struct pv_why why;
	pv_why_init(&why);
	ok(pv_order_pause_here(&order, &here, &why) == PAVANE_YES &&
		until(scene, "x.example") == NOW + HOUR,
	    "the program that runs a crawl pauses a host by the state it has");
	pv_orders_load(scene->scratch.path, &text, &orders, &why);
	const struct pv_pause *pause =
	    pv_orders_pause_of(&orders, PV_STR("x.example"), NOW);
	ok(pause && strcmp(pause->why, "they move") == 0,
	    "P4: with its reason");
	pv_orders_finish(&orders);
	pv_buf_finish(&text);
	here.until_wall_ms = NOW;
	ok(pv_order_pause_here(&order, &here, &why) == PAVANE_WRONG &&
		until(scene, "x.example") == NOW + HOUR,
	    "not until a time that is over");
	here.until_wall_ms = INT64_MAX;
	pv_why_finish(&why);
	pv_why_init(&why);
	ok(pv_order_resume_here(&order, &here, &why) == PAVANE_YES &&
		!until(scene, "x.example") &&
		pv_order_resume_here(&order, &here, &why) == PAVANE_NO,
	    "and resumes it, once");
	pv_why_finish(&why);
}

static void test_ended(struct scene *scene)
{
	const struct pavane_order order = {.size = sizeof(struct pavane_order),
	    .directory = scene->scratch.path};
	int64_t process = 0;
	struct pv_why why;
	scene_close(scene);
	pv_why_init(&why);
	ok(pv_order_stop(&order, &process, &why) == PAVANE_NO && !process,
	    "a crawl that nobody runs is not asked to stop");
	ok(pause_it(&order) == PAVANE_YES && until(scene, NULL) == INT64_MAX,
	    "but it can be paused");
	pv_why_finish(&why);
}

int main(void)
{
	struct scene scene;
	setenv("TZ", "UTC", 1);
	tzset();
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/", 1);
	test_times(&scene);
	test_wrong_times(&scene);
	test_hosts(&scene);
	test_no_crawl(&scene);
	test_here(&scene);
	test_ended(&scene);
	scratch_remove(&scene.scratch);
	return tap_done();
}
