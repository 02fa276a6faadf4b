#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/numbers.h"
#include "bench/processors.h"
#include "bench/stopwatch.h"
#include "pavane/pavane.h"
#include "scratch.h"
#include "server/server.h"
#include "server/site.h"

/* What a program that hears of its crawl adds to it: pages through on_page, and
 * all events, against a crawl of the same site that nobody listens to.
 *
 *   bench_events [PAGES [ROUNDS]]
 *
 * Each crawl is a process of its own, on the last processor. Of all rounds the
 * quickest counts.
 */
#define LINKS 20
#define PAGE_BYTES 8192
#define BUDGET 1.03

enum hearing { NOTHING, PAGES, ALL, HEARING_COUNT };

static const char *const names[] = {"no event", "on_page", "all events"};

/* In the crawl's process */

struct heard {
	atomic_ullong pages;
	atomic_ullong bytes;
	atomic_ullong links;
	unsigned long long others; /* of the loop and the writer */
};

static void on_page(void *ctx, const struct pavane_page *page)
{
	struct heard *heard = ctx;
	size_t len;
	heard->links += pavane_page_header(page, "Content-Type", &len) != NULL;
	heard->pages++;
	heard->bytes += page->body_len;
}

static enum pavane_choice on_link(
    void *ctx, const struct pavane_link *link, struct pavane_refusal *refusal)
{
	struct heard *heard = ctx;
	(void)refusal;
	heard->links += link->may_be_admitted;
	return PAVANE_AS_IT_IS;
}

static void on_committed(void *ctx, const struct pavane_committed *committed)
{
	((struct heard *)ctx)->others += committed->is_final;
}

static void on_host(
    void *ctx, const char *host, const struct pavane_host_look *look)
{
	(void)host;
	((struct heard *)ctx)->others += look != NULL;
}

static const struct pavane_events hearings[] = {
    [NOTHING] = {.size = sizeof(struct pavane_events)},
    [PAGES] = {.size = sizeof(struct pavane_events), .on_page = on_page},
    [ALL] = {.size = sizeof(struct pavane_events),
	.on_link = on_link,
	.on_page = on_page,
	.on_committed = on_committed,
	.on_host = on_host},
};

static struct pavane_policy *load(const char *seed)
{
	static const struct pavane_setting settings[] = {
	    {NULL, "rate.max_rate=100000"},
	    {NULL, "rate.concurrency=32"},
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "politeness.delay_factor=0"},
	    {NULL, "politeness.connections=32"},
	    {NULL, "output={}"},
	};
	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
	sources.settings = settings;
	sources.setting_count = sizeof(settings) / sizeof(*settings);
	sources.addresses = &seed;
	sources.address_count = 1;
	return pavane_policy_load(&sources);
}

static int be_crawl(const char *seed, const char *directory, unsigned hearing)
{
	struct heard heard = {.others = 0};
	struct pavane_policy *policy = load(seed);
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	options.directory = options.state_dir = directory;
	options.is_fresh = true;
	options.events = &hearings[hearing];
	options.ctx = &heard;
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	bool is_good = crawl && pavane_crawl_run(crawl) == PAVANE_FINISHED &&
		       (hearing == NOTHING || heard.pages);
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
	return !is_good;
}

/* In the server's */

struct bench {
	struct site site;
	struct server *server;
	struct scratch scratch;
};

static _Noreturn void fail(const char *what)
{
	printf("events: %s\n", what);
	exit(1);
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static struct stopwatch run_crawl(
    const struct bench *bench, enum hearing hearing)
{
	char seed[64], number[16];
	struct rusage usage;
	int status;
	snprintf(seed, sizeof(seed), "http://127.0.0.1:%u/",
	    (unsigned)server_port(bench->server));
	snprintf(number, sizeof(number), "%u", (unsigned)hearing);
	struct stopwatch start = stopwatch_start();
	pid_t pid = fork();
	if (pid == 0) {
		execl("/proc/self/exe", "bench_events", "--crawl", seed,
		    bench->scratch.path, number, (char *)NULL);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status))
		fail("a crawl did not end well");
	return (struct stopwatch){
	    .busy_s = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
	    .took_s = stopwatch_read(start).took_s,
	};
}

static int run(struct bench *bench, unsigned rounds)
{
	struct stopwatch best[HEARING_COUNT] = {0};
	for (unsigned i = 0; i < rounds * HEARING_COUNT; i++) {
		struct stopwatch *kept = &best[i % HEARING_COUNT];
		struct stopwatch round = run_crawl(bench, i % HEARING_COUNT);
		kept->busy_s = numbers_lesser(kept->busy_s, round.busy_s);
		kept->took_s = numbers_lesser(kept->took_s, round.took_s);
	}
	for (unsigned i = 0; i < HEARING_COUNT; i++)
		printf("events: %-10s %6.1f us busy a page, %6.1f in all; "
		       "ratio %.3f, %.3f\n",
		    names[i], best[i].busy_s * 1e6 / bench->site.pages,
		    best[i].took_s * 1e6 / bench->site.pages,
		    best[i].busy_s / best[NOTHING].busy_s,
		    best[i].took_s / best[NOTHING].took_s);
	bool is_kept = best[PAGES].busy_s <= BUDGET * best[NOTHING].busy_s;
	printf("events: pages cost at most 3 %%: %s\n", is_kept ? "yes" : "NO");
	return !is_kept;
}

int main(int count, char **words)
{
	if (count == 5 && strcmp(words[1], "--crawl") == 0)
		return be_crawl(
		    words[2], words[3], (unsigned)strtoul(words[4], NULL, 10));
	struct processors processors = processors_find();
	struct bench bench = {
	    .site = {.pages = numbers_argument(count, words, 1, 10000),
		.links = LINKS,
		.size = PAGE_BYTES}};
	processors_use(processors.first);
	bench.server = server_start(
	    &(struct server_plan){.answer = site_answer, .ctx = &bench.site});
	scratch_make(&bench.scratch);
	processors_use(processors.last);
	int status = run(&bench, numbers_argument(count, words, 2, 7));
	scratch_remove(&bench.scratch);
	server_stop(bench.server);
	return status;
}
