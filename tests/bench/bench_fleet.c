#include "fleet/line/line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/alloc.h"
#include "bench/numbers.h"
#include "bench/stopwatch.h"
#include "fleet/cluster.h"
#include "fleet/tables/schema.h"
#include "fleet/tables/statements.h"
#include "loop/clock.h"
#include "names/names.h"
#include "policy/policy.h"

/* What it costs a fleet's worker to take hosts over and to pass on what it has
 * found, where its database knows many addresses: how long an answer takes, with the
 * statements of the worker, and what the tables take.
 *
 *   bench_fleet [ADDRESSES [HOSTS [TAKES [REPORTS]]]]
 *
 * The whole is 10000000 100000. A take claims CLAIMED clocks of one host each, and
 * loads all that is known of them; a report is of ROWS addresses, half of them new
 * and half of them done, of hosts that were taken.
 */
#define CLAIMED 32
#define LOADED 4000 /* addresses of these, by one request */
#define ROWS 200
#define ROW_BYTES 200
#define HOSTS_OF_REPORT 10
#define MS 1000.0

enum { CLAIM, LOAD_HOSTS, LOAD_ADDRESSES, TAKE, REPORT, FIGURES };

static const char *const labels[FIGURES] = {
    [CLAIM] = "claim of 32 clocks",
    [LOAD_HOSTS] = "load of their hosts",
    [LOAD_ADDRESSES] = "load of their addresses",
    [TAKE] = "take, altogether",
    [REPORT] = "report of 200 addresses",
};

struct figures {
	double *items; /* ms */
	size_t count;
	size_t size;
};

static struct {
	struct cluster cluster;
	uv_loop_t loop;
	struct pv_fleet_line *line;
	bool is_up;
	bool has_answer;
	void (*hear)(const struct pv_fleet_results *results);
	struct figures figures[FIGURES];
	int64_t hosts[CLAIMED]; /* of the last take */
	size_t host_count;
	int64_t known[CLAIMED][ROWS]; /* addresses of theirs */
	size_t known_count[CLAIMED];
	uint64_t loaded;
	int64_t next; /* new address */
} bench;

static _Noreturn void fail(const char *what)
{
	printf("fleet: %s\n", what);
	cluster_remove(&bench.cluster);
	exit(1);
}

/* The line */

static void on_schema(
    void *ctx, const struct pv_fleet_answer *answer, const char *first)
{
	(void)ctx;
	(void)first;
	if (answer->status != PV_FLEET_OK)
		fail("the tables cannot be made");
	pv_fleet_line_prepare(bench.line);
}

static void on_checked(void *ctx, const struct pv_fleet_server *server)
{
	(void)ctx;
	(void)server;
	pv_fleet_line_exec(bench.line, pv_fleet_schema, on_schema, NULL);
}

static void on_up(void *ctx, const struct pv_fleet_server *server)
{
	(void)ctx;
	(void)server;
	bench.is_up = true;
}

static void on_down(void *ctx, const char *why)
{
	(void)ctx;
	fail(why);
}

static void on_answer(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	(void)ctx;
	(void)request;
	if (answer->status != PV_FLEET_OK)
		fail(answer->message);
	bench.has_answer = true;
	if (bench.hear)
		bench.hear(answer->results);
}

static void note(int figure, double ms)
{
	struct figures *figures = &bench.figures[figure];
	if (figures->count < figures->size)
		figures->items[figures->count++] = ms;
}

/* Sends a request, and waits for its answer; how long that took. */
static double ask(const struct pv_fleet_step *steps, size_t count,
    void (*hear)(const struct pv_fleet_results *results))
{
	struct stopwatch start = stopwatch_start();
	bench.has_answer = false;
	bench.hear = hear;
	pv_fleet_line_send(
	    bench.line, pv_fleet_request_create(steps, count, on_answer, NULL));
	while (!bench.has_answer)
		uv_run(&bench.loop, UV_RUN_ONCE);
	return stopwatch_read(start).took_s * MS;
}

static struct pv_fleet_value int4(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT4, number);
}

static struct pv_fleet_value int8(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT8, number);
}

/* Its number and its session. */
static const struct pv_fleet_value *fence(void)
{
	static struct pv_fleet_value values[2];
	values[0] = int8(1);
	values[1] = int8(0);
	return values;
}

/* Takes */

/* A host of this benchmark is called by the number that its addresses have. */
static void hear_clocks(const struct pv_fleet_results *results)
{
	bench.host_count = 0;
	for (size_t i = 0; i < pv_fleet_results_rows(results, 3); i++) {
		struct pv_str name = pv_fleet_results_text(results, 3, i, 0);
		bench.hosts[bench.host_count] =
		    strtoll((const char *)pv_str_bytes(name) + 1, NULL, 10);
		bench.known_count[bench.host_count++] = 0;
	}
}

static double claim(void)
{
	const struct pv_fleet_value crawl[] = {int4(1)};
	const struct pv_fleet_value links[] = {int8(1), int8(2000)};
	const struct pv_fleet_value values[] = {
	    int4(1), int8(1), int8(CLAIMED), int8(1)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_FENCE, fence(), 2},
	    {PV_SAY_LOOK, crawl, 1},
	    {PV_SAY_LINKS_TO, links, 2},
	    {PV_SAY_CLAIM, values, 4},
	};
	return ask(steps, 4, hear_clocks);
}

static double load_hosts(void)
{
	char names[CLAIMED][40];
	struct pv_str clocks[CLAIMED];
	for (size_t i = 0; i < bench.host_count; i++) {
		snprintf(names[i], sizeof(names[i]), "h%" PRId64 ".example",
		    bench.hosts[i]);
		clocks[i] = pv_str_of(names[i]);
	}
	const struct pv_fleet_value values[] = {int4(1),
	    pv_fleet_texts(PV_FLEET_TEXTS, clocks, bench.host_count), int8(0),
	    int8(2000)};
	const struct pv_fleet_value hosts[] = {values[0], values[1],
	    pv_fleet_text(PV_STR("")), int8(5000), int8(24 << 20)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_HOSTS_OF, hosts, 4},
	    {PV_SAY_ROBOTS_OF, hosts, 5},
	    {PV_SAY_LINKS_OF, values, 4},
	};
	return ask(steps, 3, NULL);
}

static void hear_addresses(const struct pv_fleet_results *results)
{
	for (size_t i = 0; i < pv_fleet_results_rows(results, 0); i++) {
		size_t host =
		    (size_t)pv_fleet_results_number(results, 0, i, 0) - 1;
		struct pv_fleet_array fingerprints;
		struct pv_fleet_field item;
		if (!pv_fleet_field_array(
			pv_fleet_results_field(results, 0, i, 1),
			&fingerprints))
			continue;
		bench.loaded += fingerprints.count;
		while (bench.known_count[host] < ROWS &&
		       pv_fleet_array_next(&fingerprints, &item))
			pv_fleet_field_number(item,
			    &bench.known[host][bench.known_count[host]++]);
	}
}

static double load_addresses(void)
{
	int64_t behind[CLAIMED];
	for (size_t i = 0; i < CLAIMED; i++)
		behind[i] = INT64_MIN;
	const struct pv_fleet_value values[] = {int4(1),
	    pv_fleet_numbers(PV_FLEET_INT8S, bench.hosts, CLAIMED),
	    pv_fleet_numbers(PV_FLEET_INT8S, behind, CLAIMED),
	    int8(LOADED / CLAIMED)};
	const struct pv_fleet_step steps[] = {{PV_SAY_ADDRESSES_OF, values, 4}};
	return ask(steps, 1, hear_addresses);
}

static void take(void)
{
	double claimed_ms = claim();
	if (bench.host_count != CLAIMED)
		fail("no clock is left: more hosts, or fewer takes");
	double hosts_ms = load_hosts(), addresses_ms = load_addresses();
	note(CLAIM, claimed_ms);
	note(LOAD_HOSTS, hosts_ms);
	note(LOAD_ADDRESSES, addresses_ms);
	note(TAKE, claimed_ms + hosts_ms + addresses_ms);
}

/* Reports */

struct columns {
	int64_t hosts[ROWS];
	int64_t addresses[ROWS];
	int64_t states[ROWS];
	struct pv_str rows[ROWS];
};

static void fill(struct columns *columns, unsigned number)
{
	static char row[ROW_BYTES];
	memset(row, 'r', sizeof(row));
	for (size_t i = 0; i < ROWS; i++) {
		size_t host = (number * HOSTS_OF_REPORT + i % HOSTS_OF_REPORT) %
			      bench.host_count;
		size_t place = (number + i) / HOSTS_OF_REPORT;
		bool is_new = i % 2 || !bench.known_count[host];
		columns->hosts[i] = bench.hosts[host];
		columns->addresses[i] =
		    is_new ? (int64_t)((uint64_t)bench.next++ *
				       UINT64_C(0x9E3779B97F4A7C15))
			   : bench.known[host][place % bench.known_count[host]];
		columns->states[i] = is_new ? 0 : 2;
		columns->rows[i] = (struct pv_str){row, sizeof(row)};
	}
}

/* The rows of one statement have to differ. */
static void make_unique(struct columns *columns)
{
	for (size_t i = 0; i < ROWS; i++) {
		for (size_t j = 0; j < i; j++) {
			if (columns->hosts[i] == columns->hosts[j] &&
			    columns->addresses[i] == columns->addresses[j])
				columns->addresses[i] = bench.next++;
		}
	}
}

static void report(unsigned number)
{
	static struct columns columns;
	char names[HOSTS_OF_REPORT][40];
	struct pv_str clocks[HOSTS_OF_REPORT];
	fill(&columns, number);
	make_unique(&columns);
	for (size_t i = 0; i < HOSTS_OF_REPORT; i++) {
		snprintf(names[i], sizeof(names[i]), "h%" PRId64 ".example",
		    columns.hosts[i]);
		clocks[i] = pv_str_of(names[i]);
	}
	const struct pv_fleet_value locks[] = {int4(1),
	    pv_fleet_texts(PV_FLEET_TEXTS, clocks, HOSTS_OF_REPORT),
	    pv_fleet_texts(PV_FLEET_TEXTS, clocks, 0)};
	const struct pv_fleet_value values[] = {int4(1),
	    pv_fleet_numbers(PV_FLEET_INT8S, columns.hosts, ROWS),
	    pv_fleet_numbers(PV_FLEET_INT8S, columns.addresses, ROWS),
	    pv_fleet_numbers(PV_FLEET_INT2S, columns.states, ROWS),
	    pv_fleet_texts(PV_FLEET_BYTEAS, columns.rows, ROWS)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_FENCE, fence(), 2},
	    {PV_SAY_LOCK_CLOCKS, locks, 3},
	    {PV_SAY_PUT_ADDRESSES, values, 5},
	};
	note(REPORT, ask(steps, 3, NULL));
}

/* What is printed */

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

static void print_figures(void)
{
	for (int i = 0; i < FIGURES; i++) {
		struct figures *figures = &bench.figures[i];
		qsort(figures->items, figures->count, sizeof(*figures->items),
		    compare);
		if (figures->count)
			printf("fleet: %s: p50 %.1f ms, p99 %.1f ms, of %zu\n",
			    labels[i], figures->items[figures->count / 2],
			    figures->items[figures->count * 99 / 100],
			    figures->count);
	}
}

static double gigabytes(const char *function)
{
	char sql[300];
	snprintf(sql, sizeof(sql),
	    "SELECT sum(%s(oid)) FROM pg_class WHERE relnamespace = "
	    "'pavane'::regnamespace AND relkind = 'r'",
	    function);
	const char *answer = cluster_ask(&bench.cluster, sql);
	return answer ? strtod(answer, NULL) / 1e9 : -1;
}

static void print_size(const char *when)
{
	double rows = gigabytes("pg_table_size");
	double indexes = gigabytes("pg_indexes_size");
	printf("fleet: all tables %s: %.2f GB of rows, %.2f GB of indexes\n",
	    when, rows, indexes);
}

/* Life */

static void make_rows(unsigned addresses, unsigned hosts)
{
	char sql[1500];
	struct stopwatch start = stopwatch_start();
	snprintf(sql, sizeof(sql),
	    "INSERT INTO pavane.crawls(name, policy, key, state_version) "
	    "VALUES('bench', '', '', 1); "
	    "INSERT INTO pavane.workers(crawl, place) VALUES(1, 'here:there'); "
	    "INSERT INTO pavane.clocks(crawl, name, has_work) SELECT 1, 'h' || "
	    "hashint8extended(i, 0) || '.example', true FROM "
	    "generate_series(1, %u) AS i; "
	    "INSERT INTO pavane.hosts(crawl, name, clock, row) SELECT 1, name, "
	    "name, convert_to(repeat(md5(name), 3), 'UTF8') FROM "
	    "pavane.clocks; "
	    "INSERT INTO pavane.robots(crawl, host, authority, row) SELECT 1, "
	    "name, 'https://' || name, convert_to(repeat(md5(name), 12), "
	    "'UTF8') FROM pavane.clocks; "
	    "INSERT INTO pavane.addresses(crawl, host, fingerprint, state, row) "
	    "SELECT 1, hashint8extended(1 + (i * %u::bigint / %u), 0), "
	    "hashint8extended(i, 1), 0, convert_to(repeat(md5(i::text), 6) || "
	    "'12345678', 'UTF8') FROM generate_series(0, %u - 1) AS i",
	    hosts, hosts, addresses, addresses);
	if (!cluster_ask(&bench.cluster, sql) ||
	    !cluster_ask(&bench.cluster, "VACUUM ANALYZE"))
		fail("the rows cannot be made");
	printf("fleet: %u addresses of %u hosts were made in %.0f s\n",
	    addresses, hosts, stopwatch_read(start).took_s);
}

static void open_line(struct pv_names *names)
{
	const struct pv_fleet_line_options options = {
	    .loop = &bench.loop,
	    .url = cluster_url(&bench.cluster),
	    .names = names,
	    .random = 1,
	    .statements = pv_fleet_statements,
	    .statement_count = PV_SAY_COUNT,
	    .on_checked = on_checked,
	    .on_up = on_up,
	    .on_down = on_down,
	    .on_refused = on_down,
	};
	bench.line = pv_fleet_line_open(&options);
	while (!bench.is_up)
		uv_run(&bench.loop, UV_RUN_ONCE);
}

static void on_wake(void *ctx)
{
	(void)ctx;
}

static void measure(unsigned takes, unsigned reports)
{
	for (int i = 0; i < FIGURES; i++) {
		bench.figures[i].size = i == REPORT ? reports : takes;
		bench.figures[i].items =
		    pv_alloc_array(bench.figures[i].size + 1, sizeof(double));
	}
	for (unsigned i = 0; i < takes; i++) {
		take();
		for (unsigned j = i * reports / takes;
		     j < (i + 1) * reports / takes; j++)
			report(j);
	}
	print_figures();
	printf("fleet: %.0f addresses in a take\n",
	    takes ? (double)bench.loaded / takes : 0);
	for (int i = 0; i < FIGURES; i++)
		free(bench.figures[i].items);
}

int main(int count, char **arguments)
{
	unsigned addresses = numbers_argument(count, arguments, 1, 200000);
	unsigned hosts = numbers_argument(count, arguments, 2, 4000);
	unsigned takes = numbers_argument(count, arguments, 3, 50);
	unsigned reports = numbers_argument(count, arguments, 4, 500);
	const char *absence = cluster_absence();
	if (absence || !cluster_make(&bench.cluster)) {
		printf("fleet: skipped: PostgreSQL cannot be run here\n");
		return 0;
	}
	uv_loop_init(&bench.loop);
	struct pv_clock *clock =
	    pv_real_clock.create(&bench.loop, on_wake, NULL);
	struct pv_policy *policy = pv_policy_create();
	struct pv_names *names =
	    pv_names_create(&bench.loop, policy, &pv_real_clock, clock);
	open_line(names);
	make_rows(addresses, hosts);
	print_size("before");
	measure(takes, reports);
	print_size("after");
	pv_fleet_line_close(bench.line);
	pv_names_destroy(names);
	pv_real_clock.destroy(clock);
	uv_run(&bench.loop, UV_RUN_DEFAULT);
	uv_loop_close(&bench.loop);
	pv_policy_destroy(policy);
	cluster_remove(&bench.cluster);
	return 0;
}
