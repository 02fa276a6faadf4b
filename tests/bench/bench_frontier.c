#include "frontier/sqlite/engine.h"

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "base/system.h"
#include "store/statement.h"

/* What it costs to know many addresses: new ones a second, memory, and the time
 * to open the file again after a sudden end.
 *
 *   bench_frontier [ADDRESSES [HOSTS [ELSEWHERE]]]
 *
 * Each page brings LINKS new addresses, of which one in ELSEWHERE is on another
 * host than the page (1: all of them). The whole budget is 10000000 100000. To
 * compare with, the least that anybody must do, on the same disk: to write as
 * many fingerprints, in sorted groups, and nothing else.
 */
#define LINKS 50
#define HOSTS_HELD 8000
#define VISITS_HELD 16
#define SECOND_MS 1000.0

struct run {
	struct pv_store *store;
	struct pv_frontier *frontier;
	uint64_t addresses;
	uint64_t hosts;
	uint64_t elsewhere;
	uint64_t random;
	sem_t is_back;
	uint64_t visits;
	struct pv_host_list held;
};

static _Noreturn void fail(const char *what)
{
	printf("frontier: %s\n", what);
	exit(1);
}

static uint64_t draw(struct run *run, uint64_t count)
{
	run->random = run->random * 6364136223846793005U + 1442695040888963407U;
	return (run->random >> 33) % count;
}

static int64_t now_ms(void)
{
	return pv_time_now().monotonic_ms;
}

static void wake(void *ctx)
{
	struct run *run = ctx;
	sem_post(&run->is_back);
}

static void receive(struct run *run)
{
	sem_wait(&run->is_back);
	pv_writer_receive(&run->store->writer);
}

static void settle(struct run *run)
{
	pv_writer_flush(&run->store->writer);
	while (run->store->writer.count)
		receive(run);
}

static void open_all(struct run *run, const char *directory)
{
	struct pv_why why;
	struct pv_store_options options = {
	    .directory = directory,
	    .cache_bytes = PV_STORE_CACHE_BYTES,
	    .count_ceiling = PV_STORE_COUNT_CEILING,
	    .bytes_ceiling = PV_STORE_BYTES_CEILING,
	    .random = {{1, 2}},
	    .wake = wake,
	    .wake_ctx = run,
	};
	pv_why_init(&why);
	run->store = pv_store_open(&options, &why);
	run->frontier = run->store ? pv_sqlite_frontier_open(
					 run->store, PV_FRONTIER_RECENT, &why)
				   : NULL;
	if (!run->frontier || !pv_writer_start(&run->store->writer))
		fail(why.problems.count ? why.problems.kept[0].text
					: "no thread");
	pv_why_finish(&why);
}

static void close_all(struct run *run)
{
	pv_writer_stop(&run->store->writer);
	pv_frontier_close(run->frontier);
	pv_store_close(run->store);
}

/* Adding */

static void end_report(struct pv_report *report, enum pv_store_status status)
{
	if (status != PV_STORE_OK)
		fail("cannot be written");
	pv_link_list_finish(&report->links);
	free(report);
}

static void add_link(
    struct run *run, struct pv_report *report, uint64_t host, uint64_t number)
{
	char name[64], url[160];
	int name_len = snprintf(name, sizeof(name),
	    "www.host-%06llu.example.org", (unsigned long long)host);
	int url_len = snprintf(url, sizeof(url),
	    "https://%s/section/%llu/page-%llu.html", name,
	    (unsigned long long)(number % 97), (unsigned long long)number);
	struct pv_link link = {
	    .standing = {.use = PV_PAGE, .depth = (uint32_t)(number % 7)},
	    .url = {url, (size_t)url_len},
	    .host = {name, (size_t)name_len},
	};
	link.fingerprint = pv_frontier_fingerprint(run->frontier, link.url);
	if (!pv_link_list_add(&report->links, &link))
		fail("a page is too large");
}

static void add_page(struct run *run, uint64_t first)
{
	struct pv_report *report = pv_alloc(sizeof(*report));
	uint64_t host = draw(run, run->hosts);
	report->kind = PV_REPORT_LINKS;
	report->done = end_report;
	pv_link_list_init(&report->links, 1 << 20);
	for (uint64_t i = 0; i < LINKS && first + i < run->addresses; i++) {
		bool is_elsewhere = draw(run, run->elsewhere) == 0;
		add_link(run, report,
		    is_elsewhere ? draw(run, run->hosts) : host, first + i);
	}
	while (!pv_frontier_report(run->frontier, report, now_ms()))
		receive(run);
}

static double memory_mb(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

/* The least */

static int by_number(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;
	return *a < *b ? -1 : *a > *b;
}

static void add_group(struct run *run, struct pv_database *database,
    struct pv_statement *insert, size_t count)
{
	int64_t *group = pv_alloc_array(count, sizeof(*group));
	for (size_t i = 0; i < count; i++)
		group[i] = (int64_t)(draw(run, (uint64_t)1 << 31) << 33 |
				     draw(run, (uint64_t)1 << 31));
	qsort(group, count, sizeof(*group), by_number);
	pv_database_begin(database);
	for (size_t i = 0; i < count; i++) {
		pv_statement_bind(insert, 1, group[i]);
		pv_statement_run(insert);
	}
	pv_database_commit(database);
	free(group);
}

/* How many fingerprints a second. */
static double measure_least(struct run *run, const char *directory)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/least.db", directory);
	struct pv_database *database = pv_database_open(path);
	pv_database_tune(database, PV_STORE_CACHE_BYTES);
	pv_database_run(database, "CREATE TABLE seen(a INTEGER PRIMARY KEY)");
	struct pv_statement *insert = pv_statement_create(
	    database, "INSERT OR IGNORE INTO seen VALUES(?1)");
	int64_t start = now_ms();
	for (uint64_t left = run->addresses; left;) {
		size_t count = left < PV_GROUP_ROWS ? left : PV_GROUP_ROWS;
		add_group(run, database, insert, count);
		left -= count;
	}
	double ms = (double)(now_ms() - start);
	if (pv_database_status(database) != PV_STORE_OK)
		fail(pv_database_fault(database));
	pv_statement_destroy(insert);
	pv_database_close(database);
	return (double)run->addresses * SECOND_MS / ms;
}

static double measure_adding(struct run *run)
{
	int64_t start = now_ms(), last = start;
	uint64_t step = run->addresses / 10;
	double slowest = 0;
	for (uint64_t i = 0; i < run->addresses; i += LINKS) {
		add_page(run, i);
		if (i + LINKS >= run->addresses)
			settle(run);
		if (i / step == (i + LINKS) / step)
			continue;
		double ms = (double)(now_ms() - last);
		slowest = ms > slowest ? ms : slowest;
		last = now_ms();
	}
	double ms = (double)(now_ms() - start);
	printf("frontier: %llu new addresses on %llu hosts: %.0f a second, "
	       "%.0f in the slowest tenth; %.0f MB resident at most\n",
	    (unsigned long long)run->addresses, (unsigned long long)run->hosts,
	    (double)run->addresses * SECOND_MS / ms,
	    (double)step * SECOND_MS / slowest, memory_mb());
	return (double)run->addresses * SECOND_MS / ms;
}

/* Taking */

static void end_hosts(
    struct pv_host_request *request, enum pv_store_status status)
{
	struct run *run = request->ctx;
	if (status != PV_STORE_OK)
		fail("hosts cannot be had");
	run->held = request->hosts;
}

static void end_visits(
    struct pv_visit_request *request, enum pv_store_status status)
{
	struct run *run = request->ctx;
	if (status != PV_STORE_OK)
		fail("visits cannot be had");
	run->visits += request->visits.count;
	pv_visit_list_finish(&request->visits);
	free(request);
}

static void take_hosts(struct run *run, size_t count)
{
	struct pv_host_request request = {
	    .max = count, .done = end_hosts, .ctx = run};
	pv_host_list_init(&request.hosts, 1 << 20);
	while (!pv_frontier_take_hosts(run->frontier, &request, now_ms()))
		receive(run);
	settle(run);
}

static void take_visits(struct run *run)
{
	run->visits = 0;
	for (size_t i = 0; i < run->held.count; i++) {
		struct pv_visit_request *request = pv_alloc(sizeof(*request));
		request->host_id = pv_host_list_get(&run->held, i).id;
		request->max = VISITS_HELD;
		request->done = end_visits;
		request->ctx = run;
		pv_visit_list_init(&request->visits, 8192);
		while (
		    !pv_frontier_take_visits(run->frontier, request, now_ms()))
			receive(run);
	}
	settle(run);
	pv_host_list_finish(&run->held);
}

static void measure_taking(struct run *run, const char *what, size_t count)
{
	int64_t start = now_ms();
	take_hosts(run, count);
	size_t hosts = run->held.count;
	take_visits(run);
	printf("frontier: %s: %zu hosts and %llu visits in %lld ms\n", what,
	    hosts, (unsigned long long)run->visits,
	    (long long)(now_ms() - start));
}

static uint64_t argument(int count, char **arguments, int number, uint64_t none)
{
	uint64_t value = none;
	if (number < count) {
		struct pv_reader reader =
		    pv_reader_of(pv_str_of(arguments[number]));
		if (!pv_reader_take_number(&reader, UINT32_MAX, &value) ||
		    !value)
			fail("numbers from 1 are expected");
	}
	return value;
}

static void remove_all(const char *directory)
{
	static const char *const names[] = {"state.db", "state.db-wal",
	    "state.db-shm", "state.lock", "least.db", "least.db-wal",
	    "least.db-shm"};
	char path[4096];
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		unlink(path);
	}
	rmdir(directory);
}

int main(int count, char **arguments)
{
	char directory[] = "bench_frontier.XXXXXX";
	struct run run = {
	    .addresses = argument(count, arguments, 1, 1000000),
	    .hosts = argument(count, arguments, 2, 10000),
	    .elsewhere = argument(count, arguments, 3, 10),
	    .random = 1,
	};
	if (!mkdtemp(directory) || sem_init(&run.is_back, 0, 0) != 0)
		fail("no directory");
	open_all(&run, directory);
	double adding = measure_adding(&run);
	measure_taking(&run, "taken", HOSTS_HELD);
	close_all(&run);
	int64_t start = now_ms();
	open_all(&run, directory);
	printf("frontier: opened again in %lld ms, with %llu hosts and %llu "
	       "visits to recover\n",
	    (long long)(now_ms() - start),
	    (unsigned long long)run.frontier->recovered.hosts,
	    (unsigned long long)run.frontier->recovered.visits);
	measure_taking(&run, "the first of them again", 100);
	close_all(&run);
	double least = measure_least(&run, directory);
	printf("frontier: fingerprints alone: %.0f a second, %.1f times as "
	       "many\n",
	    least, least / adding);
	remove_all(directory);
	sem_destroy(&run.is_back);
	return 0;
}
