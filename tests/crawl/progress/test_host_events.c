#include "crawl/world.h"
#include "store/orders.h"

/* What a program hears of hosts that wait, in simulated time. */

#define HEARD_MAX 200

struct heard {
	char host[40];
	char waits_for[40];
	char given_up[80];
	int64_t at_ms;
	int64_t wait_ms;
	bool is_held;
	bool is_paused;
};

static struct {
	struct heard items[HEARD_MAX];
	size_t count;
	unsigned late; /* calls while the crawl was ending */
} heard;

static void on_host(
    void *ctx, const char *host, const struct pavane_host_look *look)
{
	struct pv_crawl *crawl = ctx;
	struct heard *item = &heard.items[heard.count % HEARD_MAX];
	heard.count++;
	heard.late += crawl->halt.is_ending;
	*item = (struct heard){
	    .at_ms = world_now(),
	    .wait_ms = look->wait_ms,
	    .is_held = look->is_held,
	    .is_paused = look->is_paused,
	};
	snprintf(item->host, sizeof(item->host), "%s", host);
	snprintf(
	    item->waits_for, sizeof(item->waits_for), "%s", look->waits_for);
	snprintf(item->given_up, sizeof(item->given_up), "%s", look->given_up);
}

static void hear(struct pv_crawl *crawl)
{
	crawl->run.program.events.on_host = on_host;
	crawl->run.program.ctx = crawl;
}

static enum pavane_end run(void)
{
	memset(&heard, 0, sizeof(heard));
	world.before_run = hear;
	enum pavane_end end = world_run();
	for (size_t i = 0; i < heard.count && i < HEARD_MAX; i++)
		printf("# %lld %s %s %lld %s\n",
		    (long long)heard.items[i].at_ms, heard.items[i].host,
		    heard.items[i].waits_for, (long long)heard.items[i].wait_ms,
		    heard.items[i].given_up);
	return end;
}

/* The first that was told of a wait for that reason; NULL if nothing was. */
static const struct heard *find(const char *host, const char *waits_for)
{
	for (size_t i = 0; i < heard.count && i < HEARD_MAX; i++) {
		if (strcmp(heard.items[i].host, host) == 0 &&
		    strcmp(heard.items[i].waits_for, waits_for) == 0)
			return &heard.items[i];
	}
	return NULL;
}

static unsigned count(const char *host, const char *waits_for)
{
	unsigned number = 0;
	for (size_t i = 0; i < heard.count && i < HEARD_MAX; i++)
		number += strcmp(heard.items[i].host, host) == 0 &&
			  strcmp(heard.items[i].waits_for, waits_for) == 0;
	return number;
}

static const struct heard *last_of(const char *host)
{
	for (size_t i = heard.count; i--;) {
		if (strcmp(heard.items[i % HEARD_MAX].host, host) == 0)
			return &heard.items[i % HEARD_MAX];
	}
	return NULL;
}

static bool is_robots(const char *url)
{
	return strstr(url, "/robots.txt");
}

/* An overload, shorter than any beat and longer */

static struct reply answer_overload(const char *url, unsigned nth)
{
	if (is_robots(url))
		return (struct reply){.http_status = 404};
	if (nth)
		return (struct reply){.body = "there"};
	return (struct reply){
	    .http_status = 503,
	    .header =
		strstr(url, "long.test") ? "Retry-After: 30" : "Retry-After: 1",
	};
}

static void test_overload(void)
{
	world_open(answer_overload,
	    "seeds: [\"http://short.test/\", \"http://long.test/\"]\n");
	world.progress_ms = 7000;
	ok(run() == PAVANE_FINISHED, "two hosts ask for patience");
	const struct heard *one = find("long.test", "retry-after");
	ok(one && one->wait_ms > 29000 && one->wait_ms <= 30001 && one->is_held,
	    "the program hears why one waits, and for how long");
	ok(count("long.test", "retry-after") == 1,
	    "once, though there are beats meanwhile (%u)",
	    count("long.test", "retry-after"));
	one = find("short.test", "retry-after");
	ok(one && one->wait_ms <= 1001,
	    "and of a wait that is over before the next beat");
	one = last_of("long.test");
	ok(one && !one->waits_for[0], "in the end that it waits no more");
	ok(!heard.late, "nothing is told while the crawl ends (%u)",
	    heard.late);
	world_close();
}

/* Delays */

static struct reply answer_pages(const char *url, unsigned nth)
{
	(void)nth;
	if (is_robots(url))
		return (struct reply){.http_status = 404};
	return (struct reply){
	    .body = "<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>"};
}

static void test_delay(void)
{
	world_open(answer_pages, "seeds: [\"http://a.test/\"]\n"
				 "domains: {a.test: {delay: 9s}}\n");
	ok(run() == PAVANE_FINISHED, "a host rests after each request");
	ok(count("a.test", "delay") == 4,
	    "it is told after each that others follow (%u)",
	    count("a.test", "delay"));
	const struct heard *one = find("a.test", "delay");
	ok(one && one->wait_ms > 8900 && one->wait_ms <= 9001,
	    "with the time that is left (%lld ms)",
	    one ? (long long)one->wait_ms : -1);
	world_close();
}

/* Names */

static struct world_name look_up(const char *host, unsigned nth)
{
	if (strcmp(host, "none.test") == 0)
		return (struct world_name){PV_NAME_UNKNOWN, NULL, 0};
	if (strcmp(host, "later.test") == 0 && nth < 2)
		return (struct world_name){PV_NAME_NO_ANSWER, NULL, 0};
	return (struct world_name){PV_NAME_FOUND, "10.0.0.1", 0};
}

static void test_names(void)
{
	world_open(answer_pages,
	    "seeds: [\"http://none.test/\", \"http://later.test/\"]\n");
	world.look_up = look_up;
	world.progress_ms = 7000;
	run();
	ok(find("later.test", "name"),
	    "a host whose name cannot be looked up now waits for that");
	const struct heard *one = last_of("none.test");
	ok(one && one->given_up[0],
	    "of one that does not exist it is told that it is given up: %s",
	    one ? one->given_up : "");
	world_close();
}

/* A robots.txt that cannot be fetched */

static struct reply answer_closed(const char *url, unsigned nth)
{
	if (is_robots(url) && nth < 1)
		return (struct reply){.http_status = 500};
	return answer_pages(url, nth);
}

static void test_robots(void)
{
	world_open(answer_closed, "seeds: [\"http://a.test/\"]\n");
	ok(run() == PAVANE_FINISHED, "a robots.txt is there at the second try");
	const struct heard *one = find("a.test", "robots");
	ok(one && one->wait_ms > 0,
	    "the program hears that its host waits for that");
	world_close();
}

/* A pause */

static bool pause_one(void *ctx, struct pv_orders *orders)
{
	int64_t now = *(const int64_t *)ctx;
	return pv_orders_pause(orders, PV_STR("a.test"), now, now + 20000);
}

static void pause_and_hear(struct pv_crawl *crawl)
{
	struct pv_why why;
	int64_t now = SIMULATED_BEGAN_WALL_MS + world_now();
	pv_why_init(&why);
	if (!pv_orders_change(crawl->directory, pause_one, &now, &why))
		ok(false, "a pause is asked for");
	pv_why_finish(&why);
	hear(crawl);
}

static void test_pause(void)
{
	world_open(answer_pages, "seeds: [\"http://a.test/\"]\n");
	memset(&heard, 0, sizeof(heard));
	world.before_run = pause_and_hear;
	ok(world_run() == PAVANE_FINISHED, "a host is paused for 20 s");
	const struct heard *one = find("a.test", "paused");
	ok(one && one->is_paused, "the program hears that it is paused");
	one = last_of("a.test");
	ok(one && !one->is_paused && !one->waits_for[0],
	    "and that it is not any more");
	world_close();
}

/* Nobody */

static void test_nobody(void)
{
	world_open(answer_overload, "seeds: [\"http://long.test/\"]\n");
	ok(world_run() == PAVANE_FINISHED && !world.crawl,
	    "a crawl that nobody listens to ends as well");
	world_close();
}

int main(void)
{
	test_overload();
	test_delay();
	test_names();
	test_robots();
	test_pause();
	test_nobody();
	return tap_done();
}
