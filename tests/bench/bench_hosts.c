#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "bench/numbers.h"
#include "bench/processors.h"
#include "crawl/scene.h"

/* Many live hosts against few: each with a connection that is kept, all of
 * them asked at once.
 *
 *   bench_hosts [MANY [PAGES [ROUNDS [NEW]]]]
 *
 * With NEW each page brings so many links that nobody has seen before, and the
 * crawl ends at its limit of pages.
 *
 * Both crawls make as many requests, robots.txt counted. What is told is how
 * many a second the server saw once all connections were open, and how long our
 * program was busy for each of all.
 */
#define LINKS 20
#define PAGE_BYTES 2048
#define FEW 1024
#define TIMEOUT_MS 600000

/* What a crawl that a limit has ended says. */
#define STATUS_LIMITED 4

#define ENDLESS 1000000000

/* What is to be asked for, robots.txt counted. */
struct work {
	unsigned pages;
	unsigned new_links; /* of each page; 0: the pages are known soon */
};

struct pace {
	double busy_s; /* a request */
	double took_s;
};

static _Noreturn void fail(const char *what)
{
	printf("hosts: %s\n", what);
	exit(1);
}

/* A policy has room for so many addresses at which names are found. */
#define HOSTS_AN_ADDRESS 16

static void write_policy(
    struct crawl_scene *scene, unsigned hosts, const struct work *work)
{
	struct pv_buf text;
	unsigned addresses = hosts / HOSTS_AN_ADDRESS;
	pv_buf_init(&text, 1 << 20);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "identity: {agent: benchbot/1.0, contact: bot@example.org}\n"
	    "rate: {max_rate: 10000, interval: 100ms, concurrency: %u}\n"
	    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	    "output: {}\n"
	    "seeds:\n",
	    hosts);
	for (unsigned i = 0; i < addresses; i++)
		pv_buf_append_format(&text,
		    "  - \"http://h{1..%u}.a%u.test:PORT/\"\n",
		    HOSTS_AN_ADDRESS, i);
	if (work->new_links)
		pv_buf_append_format(
		    &text, "limits: {pages: %u}\n", work->pages - hosts);
	pv_buf_append_text(&text, "fetch:\n  resolve:\n");
	for (unsigned i = 0; i < addresses; i++)
		pv_buf_append_format(&text,
		    "    \"*.a%u.test\": \"127.8.%u.%u\"\n", i, i / 250,
		    i % 250 + 1);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static int by_begin(const void *left, const void *right)
{
	const struct server_record *a = left, *b = right;
	return (a->begin_us > b->begin_us) - (a->begin_us < b->begin_us);
}

/* From when each host has been asked twice, all connections being open, until
 * there are few requests left: seconds for each between. */
static double steady_s(struct log_view *view, unsigned hosts)
{
	size_t first = (size_t)hosts * 2;
	size_t last = view->count - view->count / 20;
	qsort(view->records, view->count, sizeof(*view->records), by_begin);
	int64_t took_us =
	    view->records[last].begin_us - view->records[first].begin_us;
	return (double)took_us / 1e6 / (double)(last - first);
}

/* So many pages, robots.txt being one of them, of so many hosts. */
static struct pace crawl(const struct processors *processors, unsigned hosts,
    const struct work *work)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct site site = {.pages = work->pages / hosts - 1,
	    .links = LINKS,
	    .size = PAGE_BYTES};
	if (work->new_links) {
		site.pages = ENDLESS;
		site.links = work->new_links;
	}
	struct server_plan plan = {
	    .addresses = everywhere, .answer = site_answer, .ctx = &site};
	struct crawl_scene scene;
	processors_use(processors->first);
	if (!crawl_scene_open(&scene, &plan))
		fail("no server");
	processors_use(processors->last);
	write_policy(&scene, hosts, work);
	if (crawl_scene_run(&scene, TIMEOUT_MS) !=
	    (work->new_links ? STATUS_LIMITED : 0)) {
		crawl_scene_show(&scene);
		fail("the crawl did not end well");
	}
	struct log_view view = log_view_of(scene.server);
	if (!work->new_links && view.count != (size_t)hosts * (site.pages + 1))
		fail("not all pages were asked for");
	struct pace pace = {(double)scene.end.cpu_ms / 1e3 / (double)view.count,
	    steady_s(&view, hosts)};
	log_view_finish(&view);
	crawl_scene_close(&scene);
	return pace;
}

static void tell(unsigned hosts, const struct pace *pace)
{
	printf("hosts: %5u live hosts: %6.1f us busy a request, %8.0f requests "
	       "a second\n",
	    hosts, pace->busy_s * 1e6, 1 / pace->took_s);
}

static void keep_quickest(struct pace *pace, struct pace round)
{
	pace->busy_s = numbers_lesser(pace->busy_s, round.busy_s);
	pace->took_s = numbers_lesser(pace->took_s, round.took_s);
}

/* The server has a descriptor for each connection as well. */
static void open_files(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
	unsigned many = numbers_argument(argc, argv, 1, 8192);
	struct work work = {
	    .pages = numbers_argument(argc, argv, 2, 12) * many,
	    .new_links = numbers_argument(argc, argv, 4, 0),
	};
	unsigned rounds = numbers_argument(argc, argv, 3, 2);
	struct processors processors = processors_find();
	struct pace at_few = {0}, at_many = {0};
	open_files();
	for (unsigned i = 0; i < rounds; i++) {
		keep_quickest(&at_few, crawl(&processors, FEW, &work));
		keep_quickest(&at_many, crawl(&processors, many, &work));
	}
	tell(FEW, &at_few);
	tell(many, &at_many);
	printf("hosts: ratio %.2f of the speed at %u hosts with %u (busy), "
	       "%.2f (in all)\n",
	    at_few.busy_s / at_many.busy_s, FEW, many,
	    at_few.took_s / at_many.took_s);
	return 0;
}
