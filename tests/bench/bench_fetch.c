#include "fetch/fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>
#include <uv.h>

#include "base/alloc.h"
#include "policy/load.h"
#include "policy/policy.h"
#include "server/server.h"

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

struct stopwatch {
	double busy;
	double took;
};

static double seconds(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct stopwatch stopwatch_start(void)
{
	return (struct stopwatch){
	    seconds(CLOCK_THREAD_CPUTIME_ID), seconds(CLOCK_MONOTONIC)};
}

static struct cost stopwatch_read(struct stopwatch start, unsigned requests)
{
	struct stopwatch now = stopwatch_start();
	return (struct cost){
	    (now.busy - start.busy) * 1e6 / requests,
	    (now.took - start.took) * 1e6 / requests,
	};
}

static void fail(const char *what)
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

struct slot {
	CURL *easy;
	unsigned place;
	unsigned made;
	struct pv_buf url;
	char resolve[128];
	struct curl_slist list;
};

struct bare {
	const struct target *target;
	CURLM *multi;
	int epoll;
	long timer_ms;
	unsigned active;
	unsigned failed;
};

static size_t drop(char *bytes, size_t one, size_t len, void *ctx)
{
	(void)bytes;
	(void)ctx;
	return one * len;
}

static int bare_socket(
    CURL *easy, curl_socket_t fd, int what, void *ctx, void *known)
{
	struct bare *bare = ctx;
	struct epoll_event event = {.data = {.fd = fd}};
	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		epoll_ctl(bare->epoll, EPOLL_CTL_DEL, fd, &event);
		curl_multi_assign(bare->multi, fd, NULL);
		return 0;
	}
	event.events = (what & CURL_POLL_IN ? EPOLLIN : 0) |
		       (what & CURL_POLL_OUT ? EPOLLOUT : 0);
	if (known) {
		epoll_ctl(bare->epoll, EPOLL_CTL_MOD, fd, &event);
		return 0;
	}
	epoll_ctl(bare->epoll, EPOLL_CTL_ADD, fd, &event);
	curl_multi_assign(bare->multi, fd, bare);
	return 0;
}

static int bare_timer(CURLM *multi, long timeout_ms, void *ctx)
{
	struct bare *bare = ctx;
	(void)multi;
	bare->timer_ms = timeout_ms;
	return 0;
}

static void bare_start(struct bare *bare, struct slot *slot)
{
	if (slot->made == bare->target->each)
		return;
	write_url(bare->target, slot->place, slot->made++, &slot->url);
	curl_easy_setopt(slot->easy, CURLOPT_URL, pv_buf_text(&slot->url));
	curl_multi_add_handle(bare->multi, slot->easy);
	bare->active++;
}

static void bare_collect(struct bare *bare)
{
	CURLMsg *message;
	int left;
	while ((message = curl_multi_info_read(bare->multi, &left))) {
		char *slot = NULL;
		CURL *easy = message->easy_handle;
		bare->failed += message->data.result != CURLE_OK;
		curl_easy_getinfo(easy, CURLINFO_PRIVATE, &slot);
		curl_multi_remove_handle(bare->multi, easy);
		bare->active--;
		bare_start(bare, (void *)slot);
	}
}

static void bare_turn(struct bare *bare)
{
	struct epoll_event events[256];
	int running;
	long wait_ms = bare->timer_ms;
	int count = epoll_wait(
	    bare->epoll, events, 256, wait_ms < 0 ? -1 : (int)wait_ms);
	if (count == 0 || wait_ms == 0)
		curl_multi_socket_action(
		    bare->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	for (int i = 0; i < count; i++)
		curl_multi_socket_action(bare->multi, events[i].data.fd,
		    (events[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) |
			(events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0),
		    &running);
	bare_collect(bare);
}

static CURL *bare_easy(struct slot *slot, const struct target *target)
{
	CURL *easy = curl_easy_init();
	snprintf(slot->resolve, sizeof(slot->resolve), "*:%u:127.0.0.1",
	    (unsigned)target->port);
	slot->list = (struct curl_slist){slot->resolve, NULL};
	curl_easy_setopt(easy, CURLOPT_PRIVATE, slot);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_RESOLVE, &slot->list);
	curl_easy_setopt(
	    easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	return easy;
}

static struct cost run_bare(const struct target *target)
{
	struct bare bare = {.target = target,
	    .multi = curl_multi_init(),
	    .epoll = epoll_create1(0),
	    .timer_ms = -1};
	struct slot *slots = pv_alloc_array(target->at_once, sizeof(*slots));
	curl_multi_setopt(bare.multi, CURLMOPT_SOCKETFUNCTION, bare_socket);
	curl_multi_setopt(bare.multi, CURLMOPT_SOCKETDATA, &bare);
	curl_multi_setopt(bare.multi, CURLMOPT_TIMERFUNCTION, bare_timer);
	curl_multi_setopt(bare.multi, CURLMOPT_TIMERDATA, &bare);
	curl_multi_setopt(
	    bare.multi, CURLMOPT_MAXCONNECTS, (long)target->at_once);
	struct stopwatch start = stopwatch_start();
	for (unsigned i = 0; i < target->at_once; i++) {
		slots[i].place = i;
		pv_buf_init(&slots[i].url, 256);
		slots[i].easy = bare_easy(&slots[i], target);
		bare_start(&bare, &slots[i]);
	}
	while (bare.active)
		bare_turn(&bare);
	struct cost cost =
	    stopwatch_read(start, target->at_once * target->each);
	if (bare.failed)
		fail("the bare loop was not answered");
	for (unsigned i = 0; i < target->at_once; i++) {
		curl_easy_cleanup(slots[i].easy);
		pv_buf_finish(&slots[i].url);
	}
	curl_multi_cleanup(bare.multi);
	close(bare.epoll);
	free(slots);
	return cost;
}

/* Ours */

struct place {
	struct ours *ours;
	unsigned number;
	unsigned made;
	struct pv_buf url;
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
	write_url(ours->target, place->number, place->made++, &place->url);
	pv_response_init(&place->response, ".", 1 << 20);
	struct pv_request request = {
	    .url = pv_buf_str(&place->url),
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
		pv_buf_init(&places[i].url, 256);
		ours_start(&places[i]);
	}
	uv_run(&loop, UV_RUN_DEFAULT);
	struct cost cost =
	    stopwatch_read(start, target->at_once * target->each);
	if (ours.failed)
		fail("not every page was answered");
	pv_fetch_destroy(ours.fetch);
	uv_run(&loop, UV_RUN_DEFAULT);
	uv_loop_close(&loop);
	pv_policy_destroy(policy);
	pv_why_finish(&why);
	for (unsigned i = 0; i < target->at_once; i++)
		pv_buf_finish(&places[i].url);
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

static void serve(int tell_hello, int until_closed)
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
