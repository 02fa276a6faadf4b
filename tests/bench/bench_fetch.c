#include "fetch/fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <uv.h>

#include "base/alloc.h"
#include "bench/bare_loop.h"
#include "bench/stopwatch.h"
#include "policy/policy.h"
#include "policy/sources/load.h"
#include "server/server.h"
#include "url/url.h"

/* What it costs to fetch: against a bare loop of libcurl over epoll that asks
 * for the same, and with many hosts against few.
 *
 *   bench_fetch [PAGES [HOSTS]]
 *
 * The server runs beside it, so what is told is the time that this thread was
 * busy, besides the time that it took.
 */
#define PAGE_BYTES 8192
#define AT_ONCE 32

struct cost {
	double busy_us; /* a request */
	double took_us;
};

static struct cost cost_of(struct stopwatch start, unsigned requests)
{
	struct stopwatch took = stopwatch_read(start);
	return (struct cost){
	    took.busy_s * 1e6 / requests, took.took_s * 1e6 / requests};
}

static _Noreturn void fail(const char *what)
{
	printf("fetch: %s\n", what);
	exit(1);
}

/* Where requests go: so many hosts, each at an address of its own. Each of
 * those under way always goes to the same host, one after the other. */
struct target {
	uint16_t port;
	unsigned hosts;
	unsigned at_once;
	unsigned each;         /* requests of each that is under way */
	const char *authority; /* NULL: without TLS */
};

/* With TLS each goes to a host of its own, so that none knows the other. */
static unsigned host_of(
    const struct target *target, unsigned place, unsigned number)
{
	if (target->authority)
		return place * target->each + number;
	return place % target->hosts;
}

static void write_url(const struct target *target, unsigned place,
    unsigned number, struct pv_buf *url)
{
	pv_buf_clear(url);
	pv_buf_append_format(url, "http%s://h%u.test:%u/page/%u",
	    target->authority ? "s" : "", host_of(target, place, number),
	    (unsigned)target->port, number);
}

static struct pv_address address_of(const struct target *target, unsigned place)
{
	unsigned host = place % target->hosts;
	struct pv_address address = {.bits = 32};
	address.bytes[0] = 127;
	address.bytes[1] = (uint8_t)(1 + (host >> 16));
	address.bytes[2] = (uint8_t)(host >> 8);
	address.bytes[3] = (uint8_t)host;
	return address;
}

/* A bare loop */

struct asking {
	const struct target *target;
	unsigned *made; /* by each that is under way */
};

static bool next(void *ctx, unsigned place, struct pv_buf *url)
{
	struct asking *asking = ctx;
	if (asking->made[place] == asking->target->each)
		return false;
	write_url(asking->target, place, asking->made[place]++, url);
	return true;
}

static struct cost run_bare(const struct target *target)
{
	char resolve[64];
	struct asking asking = {
	    target, pv_alloc_array(target->at_once, sizeof(*asking.made))};
	snprintf(
	    resolve, sizeof(resolve), "*:%u:127.0.0.1", (unsigned)target->port);
	struct bare_end end = bare_run(&(struct bare_plan){
	    .at_once = target->at_once,
	    .next = next,
	    .ctx = &asking,
	    .resolve = resolve,
	});
	free(asking.made);
	if (end.failures || end.answers != target->at_once * target->each)
		fail("the bare loop was not answered");
	return (struct cost){
	    end.busy_s * 1e6 / end.answers, end.took_s * 1e6 / end.answers};
}

/* Ours */

struct place {
	struct ours *ours;
	unsigned number;
	unsigned made;
	struct pv_buf text;
	struct pv_url url;
	struct pv_response response;
};

struct ours {
	const struct target *target;
	struct pv_fetch *fetch;
	unsigned failed;
};

static void on_sent(void *ctx)
{
	(void)ctx;
}

static void ours_start(struct place *place);

static void on_end(void *ctx)
{
	struct place *place = ctx;
	struct pv_response *response = &place->response;
	if (response->outcome != PV_OUTCOME_ANSWERED ||
	    response->body.size != PAGE_BYTES) {
		if (!place->ours->failed++)
			printf("fetch: %s\n", response->why);
	}
	pv_response_finish(response);
	ours_start(place);
}

static void ours_start(struct place *place)
{
	struct ours *ours = place->ours;
	if (place->made == ours->target->each)
		return;
	write_url(ours->target, place->number, place->made++, &place->text);
	pv_url_parse(&place->url, pv_buf_str(&place->text));
	pv_response_init(&place->response, ".", 1 << 20);
	struct pv_request request = {
	    .url = &place->url,
	    .address = address_of(ours->target, place->number),
	    .port = ours->target->port,
	    .is_tls_verified = true,
	    .tls_ca = ours->target->authority,
	    .response = &place->response,
	    .on_sent = on_sent,
	    .on_end = on_end,
	    .ctx = place,
	};
	pv_fetch_start(ours->fetch, &request);
}

static struct pv_policy *load(unsigned at_once)
{
	struct pv_why why;
	char text[256];
	snprintf(text, sizeof(text),
	    "version: 1\nrate: {max_rate: %u, concurrency: %u}\n", at_once,
	    at_once);
	pv_why_init(&why);
	struct pv_policy *policy =
	    pv_policy_load_text("bench.yaml", pv_str_of(text), &why);
	pv_why_finish(&why);
	if (!policy)
		fail("no policy");
	return policy;
}

static struct cost run_ours(const struct target *target)
{
	uv_loop_t loop;
	struct pv_why why;
	uv_loop_init(&loop);
	pv_why_init(&why);
	struct pv_policy *policy = load(target->at_once);
	struct ours ours = {.target = target,
	    .fetch = pv_fetch_create(
		&(struct pv_fetch_plan){.loop = &loop, .policy = policy},
		&why)};
	struct place *places = pv_alloc_array(target->at_once, sizeof(*places));
	struct stopwatch start = stopwatch_start();
	for (unsigned i = 0; i < target->at_once; i++) {
		places[i].ours = &ours;
		places[i].number = i;
		pv_buf_init(&places[i].text, 256);
		pv_url_init(&places[i].url, 256);
		ours_start(&places[i]);
	}
	uv_run(&loop, UV_RUN_DEFAULT);
	struct cost cost = cost_of(start, target->at_once * target->each);
	if (ours.failed)
		fail("not every page was answered");
	pv_fetch_destroy(ours.fetch);
	uv_run(&loop, UV_RUN_DEFAULT);
	uv_loop_close(&loop);
	pv_policy_destroy(policy);
	pv_why_finish(&why);
	for (unsigned i = 0; i < target->at_once; i++) {
		pv_buf_finish(&places[i].text);
		pv_url_finish(&places[i].url);
	}
	free(places);
	return cost;
}

static void tell(const char *what, const struct cost *cost)
{
	printf("fetch: %-28s %6.1f us busy a request (%.0f a second), %6.1f us "
	       "in all\n",
	    what, cost->busy_us, 1e6 / cost->busy_us, cost->took_us);
}

/* The least of several rounds, taken in turn: others use the machine too. */
#define ROUNDS 3

static struct cost least(struct cost a, struct cost b)
{
	return (struct cost){
	    a.busy_us && a.busy_us < b.busy_us ? a.busy_us : b.busy_us,
	    a.took_us && a.took_us < b.took_us ? a.took_us : b.took_us,
	};
}

static void compare_bare(const struct target *target)
{
	struct cost bare = {0, 0};
	struct cost ours = {0, 0};
	for (int i = 0; i < ROUNDS; i++) {
		bare = least(bare, run_bare(target));
		ours = least(ours, run_ours(target));
	}
	tell("a bare loop", &bare);
	tell("ours", &ours);
	printf("fetch: ratio %.2f of a bare loop (busy), %.2f (in all)\n",
	    bare.busy_us / ours.busy_us, bare.took_us / ours.took_us);
}

static struct cost run_hosts(struct target target, unsigned hosts)
{
	target.hosts = target.at_once = hosts;
	target.each = 40;
	return run_ours(&target);
}

static void compare_hosts(struct target target, unsigned few, unsigned many)
{
	struct cost cost_few = {0, 0};
	struct cost cost_many = {0, 0};
	for (int i = 0; i < ROUNDS; i++) {
		cost_few = least(cost_few, run_hosts(target, few));
		cost_many = least(cost_many, run_hosts(target, many));
	}
	tell("few hosts", &cost_few);
	tell("many hosts", &cost_many);
	printf("fetch: ratio %.2f of the speed at %u hosts with %u (busy), "
	       "%.2f (in all)\n",
	    cost_few.busy_us / cost_many.busy_us, few, many,
	    cost_few.took_us / cost_many.took_us);
}

/* Handshakes: each request makes one, and the server closes. */
static void count_handshakes(struct target target)
{
	target.hosts = 1;
	target.at_once = AT_ONCE;
	target.each = 2000 / AT_ONCE;
	struct cost cost = run_ours(&target);
	tell("a verified TLS connection", &cost);
	printf("fetch: %.0f verified TLS connections a second and core\n",
	    1e6 / cost.busy_us);
}

/* The server has a process of its own, because its connections would take half
 * of the descriptors that one may have. */

struct hello {
	uint16_t port;
	uint16_t tls_port;
	char authority[256];
};

static bool answer(
    void *ctx, const struct server_request *request, struct server_answer *made)
{
	(void)ctx;
	made->kind = SERVER_PATTERN;
	made->size = PAGE_BYTES;
	made->closes = request->is_tls;
	return true;
}

static _Noreturn void serve(int tell_hello, int until_closed)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct hello hello = {.port = 0};
	char nothing;
	struct server *server =
	    server_start(&(struct server_plan){.addresses = everywhere,
		.answer = answer,
		.is_unlogged = true,
		.has_tls = true});
	if (server) {
		hello.port = server_port(server);
		hello.tls_port = server_tls_port(server);
		snprintf(hello.authority, sizeof(hello.authority), "%s",
		    server_authority_path(server));
	}
	if (write(tell_hello, &hello, sizeof(hello)) == sizeof(hello) && server)
		(void)!read(until_closed, &nothing, 1);
	server_stop(server);
	_exit(0);
}

static struct hello start_server(int *end)
{
	int hello_pipe[2];
	int end_pipe[2];
	struct hello hello = {.port = 0};
	if (pipe(hello_pipe) != 0 || pipe(end_pipe) != 0)
		fail("no pipe");
	if (fork() == 0) {
		close(end_pipe[1]);
		serve(hello_pipe[1], end_pipe[0]);
	}
	close(hello_pipe[1]);
	close(end_pipe[0]);
	*end = end_pipe[1];
	if (read(hello_pipe[0], &hello, sizeof(hello)) != sizeof(hello) ||
	    !hello.port)
		fail("no server");
	close(hello_pipe[0]);
	return hello;
}

static unsigned argument(int argc, char **argv, int number, unsigned otherwise)
{
	if (number >= argc)
		return otherwise;
	return (unsigned)strtoul(argv[number], NULL, 10);
}

int main(int argc, char **argv)
{
	int end;
	unsigned pages = argument(argc, argv, 1, 20000);
	unsigned many = argument(argc, argv, 2, 8192);
	struct hello hello = start_server(&end);
	struct target target = {.port = hello.port,
	    .hosts = 1,
	    .at_once = AT_ONCE,
	    .each = pages / AT_ONCE};
	compare_bare(&target);
	compare_hosts(target, many / 8, many);
	target.port = hello.tls_port;
	target.authority = hello.authority;
	count_handshakes(target);
	close(end);
	wait(NULL);
	return 0;
}
