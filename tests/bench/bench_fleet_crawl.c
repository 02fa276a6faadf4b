#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/reader.h"
#include "bench/numbers.h"
#include "bench/stopwatch.h"
#include "fleet/cluster.h"
#include "server/run_program.h"
#include "server/server.h"

/* How many pages a second the workers of a fleet fetch together, and what a page
 * costs them and their database, where no delay holds them: against one crawl that
 * has no fleet. Each page has 20 links to new addresses, which lead to its own host
 * or to all hosts. Server, database and workers share the machine.
 *
 *   bench_fleet_crawl [WORKERS [SECONDS [HOSTS]]]
 */
#define LINKS 20
#define PAGE_BYTES 8192
#define WORKERS_MAX 16
#define HOSTS_MAX 5000
#define POLICY_MAX ((size_t)1 << 20)
#define START_MS 60000
#define END_MS 120000

enum spread { WITHIN, ACROSS };

static const char *const spread_words[] = {
    [WITHIN] = "links within each host",
    [ACROSS] = "links to all hosts",
};

struct bench {
	unsigned workers;
	unsigned seconds;
	unsigned hosts;
	enum spread spread;
	struct cluster cluster;
	struct server *server;
	char filler[PAGE_BYTES];
};

/* What was counted over some seconds. */
struct course {
	double pages; /* a second */
	double workers_ms;
	double database_ms;
	double wal_kib; /* these for each page */
};

static _Noreturn void fail(struct bench *bench, const char *what)
{
	printf("fleet crawl: %s\n", what);
	if (bench->server)
		server_stop(bench->server);
	if (bench->cluster.postmaster)
		cluster_remove(&bench->cluster);
	exit(1);
}

/* The web: a tree for each host, whose pages are numbered through all of them */

static bool find_page(const struct server_request *request, uint64_t *page)
{
	struct pv_reader reader = pv_reader_of(request->path);
	return pv_reader_accept(&reader, '/') &&
	       pv_reader_take_number(&reader, INT64_MAX / LINKS - 1, page) &&
	       !pv_reader_rest(&reader).len;
}

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct bench *bench = ctx;
	struct pv_buf *body = answer->own_body;
	char host[64];
	uint64_t page;
	if (!find_page(request, &page))
		return false;
	snprintf(host, sizeof(host), "%.*s", (int)request->host.len,
	    request->host.ptr);
	for (uint64_t i = 0; i < LINKS; i++) {
		uint64_t next = bench->hosts + page * LINKS + i;
		if (bench->spread == ACROSS)
			snprintf(host, sizeof(host), "h%u.test",
			    (unsigned)(next % bench->hosts));
		pv_buf_append_format(body, "<a href=\"http://%s:%u/%llu\">",
		    host, (unsigned)server_port(bench->server),
		    (unsigned long long)next);
	}
	pv_buf_append(
	    body, (struct pv_str){bench->filler, PAGE_BYTES - body->len});
	return true;
}

/* Workers */

static void write_policy(const struct bench *bench, struct pv_buf *text)
{
	pv_buf_append_text(
	    text, "version: 1\nname: bench\noutput: {}\nseeds:\n");
	for (unsigned i = 0; i < bench->hosts; i++)
		pv_buf_append_format(text, "  - \"http://h%u.test:%u/%u\"\n", i,
		    (unsigned)server_port(bench->server), i);
	pv_buf_append_format(text,
	    "rate: {max_rate: 100000, interval: 100ms, concurrency: %u}\n"
	    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	    "fetch:\n  resolve:\n",
	    16 * bench->workers);
	for (unsigned i = 0; i < bench->hosts; i++)
		pv_buf_append_format(text, "    h%u.test: \"127.0.%u.%u\"\n", i,
		    1 + i / 250, 1 + i % 250);
}

static struct program *start(
    struct bench *bench, struct home *home, bool is_fleet)
{
	const char *url = cluster_port_url(&bench->cluster);
	const char *const arguments[] = {"crawl", "policy.yaml", "-o", "o",
	    is_fleet ? "--fleet" : NULL, url, NULL};
	struct pv_buf text;
	pv_buf_init(&text, POLICY_MAX);
	write_policy(bench, &text);
	if (!home_make(home))
		fail(bench, "no directory");
	home_write(home, "policy.yaml", pv_buf_str(&text));
	pv_buf_finish(&text);
	struct program *program = program_start(home, arguments);
	if (!program)
		fail(bench, "a worker does not start");
	return program;
}

static void show(struct program *program)
{
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_errors(program, &said);
	printf("%s", pv_buf_text(&said));
	pv_buf_finish(&said);
}

/* The processor's time that it has taken, in milliseconds. */
static double end(
    struct bench *bench, struct home *home, struct program *program)
{
	struct program_end end;
	if (!program_wait(program, END_MS, &end) || end.status != 3) {
		show(program);
		fail(bench, "a worker does not stop");
	}
	program_destroy(program);
	home_remove(home);
	return (double)end.cpu_ms;
}

/* The database */

static double wal_kib(const struct bench *bench)
{
	const char *bytes = cluster_ask(
	    &bench->cluster, "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn");
	return bytes ? strtod(bytes, NULL) / 1024 : 0;
}

/* As much as PostgreSQL has by default; a test's has less. */
static bool set_memory(struct cluster *cluster)
{
	if (!cluster_ask(cluster, "ALTER SYSTEM SET shared_buffers = '128MB'"))
		return false;
	cluster_stop(cluster);
	return cluster_start(cluster);
}

/* The course */

struct pace {
	double pages;
	double took_s;
};

/* From the first page on. */
static struct pace watch_pace(struct bench *bench)
{
	size_t before = server_log_count(bench->server);
	for (int i = 0; server_log_count(bench->server) == before; i++) {
		if (i == START_MS / 10)
			fail(bench, "nobody asks for a page");
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
	before = server_log_count(bench->server);
	struct stopwatch watch = stopwatch_start();
	sleep(bench->seconds);
	return (struct pace){
	    .pages = (double)(server_log_count(bench->server) - before),
	    .took_s = stopwatch_read(watch).took_s,
	};
}

static struct course run(struct bench *bench, unsigned workers, bool is_fleet)
{
	struct home homes[WORKERS_MAX] = {0};
	struct program *programs[WORKERS_MAX];
	size_t before = server_log_count(bench->server);
	double database = cluster_cpu_ms(&bench->cluster), wal = wal_kib(bench),
	       used = 0;
	for (unsigned i = 0; i < workers; i++)
		programs[i] = start(bench, &homes[i], is_fleet);
	struct pace pace = watch_pace(bench);
	for (unsigned i = 0; i < workers; i++)
		program_signal(programs[i], SIGINT);
	for (unsigned i = 0; i < workers; i++)
		used += end(bench, &homes[i], programs[i]);
	double pages = (double)(server_log_count(bench->server) - before);
	return (struct course){
	    .pages = pace.pages / pace.took_s,
	    .workers_ms = used / pages,
	    .database_ms = (cluster_cpu_ms(&bench->cluster) - database) / pages,
	    .wal_kib = (wal_kib(bench) - wal) / pages,
	};
}

static void tell(const char *who, const struct course *course)
{
	printf("  %-16s %6.0f pages a second; a page: %.2f ms of the crawl's "
	       "processor, %.2f ms of the database's, %.1f KiB of WAL\n",
	    who, course->pages, course->workers_ms, course->database_ms,
	    course->wal_kib);
}

static void compare(struct bench *bench, enum spread spread)
{
	char who[40];
	bench->spread = spread;
	if (!cluster_make(&bench->cluster) || !set_memory(&bench->cluster))
		fail(bench, "PostgreSQL does not start");
	printf("fleet crawl: %s\n", spread_words[spread]);
	struct course alone = run(bench, 1, false);
	tell("without a fleet", &alone);
	struct course fleet = run(bench, bench->workers, true);
	snprintf(who, sizeof(who), "%u workers", bench->workers);
	tell(who, &fleet);
	printf("fleet crawl: ratio %.2f of the speed without a fleet, %.2f of "
	       "1 ms of the database's processor a page\n",
	    fleet.pages / alone.pages, fleet.database_ms);
	cluster_remove(&bench->cluster);
}

int main(int argc, char **argv)
{
	static struct bench bench;
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	const struct server_plan plan = {
	    .addresses = everywhere, .answer = answer, .ctx = &bench};
	const char *absence = cluster_absence();
	bench.workers = numbers_argument(argc, argv, 1, 4);
	bench.seconds = numbers_argument(argc, argv, 2, 20);
	bench.hosts = numbers_argument(argc, argv, 3, 200);
	if (bench.workers < 1 || bench.workers > WORKERS_MAX ||
	    bench.hosts < 1 || bench.hosts > HOSTS_MAX)
		fail(&bench, "1 to 16 workers and 1 to 5000 hosts, please");
	if (absence) {
		printf("fleet crawl: %s\n", absence);
		return 0;
	}
	memset(bench.filler, '.', sizeof(bench.filler));
	bench.server = server_start(&plan);
	if (!bench.server)
		fail(&bench, "no server");
	compare(&bench, WITHIN);
	compare(&bench, ACROSS);
	server_stop(bench.server);
	return 0;
}
