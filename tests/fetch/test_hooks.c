#include "fetch/hooks.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/lease.h"
#include "base/system.h"
#include "descriptors.h"
#include "fetch/exchange.h"
#include "fetch/flying.h"
#include "fetch/shard.h"
#include "fetch/tunnel.h"

static const struct server_route routes[] = {
    {.path = "/page", .answer = {.body = "a page"}},
    {.path = "*/proxied", .answer = {.body = "by proxy"}},
    {.path = "/stale", .answer = {.fault = {.kind = SERVER_CLOSE}}},
    {.path = "/reset", .answer = {.fault = {.kind = SERVER_RESET}}},
    {.path = "/late-close", .answer = {.body = "x", .closes = true}},
};

/* A server that closes a kept connection without an answer may have seen the
 * request: it is not made again without a rest between (P1). */
static void test_repetition(struct airport *airport, struct server *server)
{
	static const char *const paths[] = {"a.test/stale", "a.test/reset"};
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		struct journey journey;
		journey_make_to(&journey, airport, server, "a.test/page");
		journey_finish(&journey);
		size_t before = server_log_count(server);
		journey_make_to(&journey, airport, server, paths[i]);
		ok(server_log_count(server) == before + 1 &&
			journey.sent_count == 1,
		    "%s on a kept connection is asked for once (P1)", paths[i]);
		ok(journey.response.outcome == PV_OUTCOME_BROKEN_OFF &&
			journey.response.is_kept &&
			!journey.response.is_own_fault &&
			journey.response.stage == PV_STAGE_WAIT,
		    "and was broken off while we waited");
		is_text(pv_str_of(journey.response.why),
		    "the kept connection was closed before an answer came",
		    "which is said");
		journey_finish(&journey);
	}
}

/* With another kept connection to the host, libcurl would take that. */
static void test_second_connection(
    struct airport *airport, struct server *server)
{
	struct journey pair[2];
	struct journey journey;
	for (int i = 0; i < 2; i++) {
		journey_to(&pair[i], airport, server, "two.test/page");
		journey_start(&pair[i]);
	}
	for (int i = 0; i < 2; i++) {
		journey_await(&pair[i]);
		journey_finish(&pair[i]);
	}
	size_t before = server_log_count(server);
	journey_make_to(&journey, airport, server, "two.test/stale");
	ok(server_log_count(server) == before + 1 && journey.sent_count == 1 &&
		journey.response.outcome == PV_OUTCOME_BROKEN_OFF,
	    "nor is it made again on another kept connection (P1)");
	journey_finish(&journey);
}

static void wait_a_moment(struct airport *airport);

static void stop_loop(uv_timer_t *timer)
{
	uv_stop(timer->loop);
}

static void wait_a_moment(struct airport *airport)
{
	uv_timer_t timer;
	uv_timer_init(&airport->loop, &timer);
	uv_timer_start(&timer, stop_loop, 30, 0);
	uv_run(&airport->loop, UV_RUN_DEFAULT);
	uv_close((uv_handle_t *)&timer, NULL);
	uv_run(&airport->loop, UV_RUN_NOWAIT);
}

/* Its lane has not heard of that yet: it may be in the midst of a long call. */
static void test_dropped(struct airport *airport, struct server *server)
{
	struct journey journey;
	size_t before = server_log_count(server);
	journey_to(&journey, airport, server, "dropped.test/page");
	journey_start(&journey);
	atomic_store(&journey.transfer->is_dropped, true);
	for (int i = 0; i < 5000 && !journey_view(&journey).why[0]; i++)
		airport_wait(airport);
	struct view view = journey_view(&journey);
	is_text(pv_str_of(view.why), "it was dropped before it was sent",
	    "a request that is dropped does not go out any more");
	pv_fetch_cancel(airport->fetch, journey.transfer);
	airport_wait(airport);
	ok(server_log_count(server) == before && !journey.sent_count &&
		!journey.end_count,
	    "so that its host never hears of it (P1)");
	journey_finish(&journey);
}

/* One that is closed while it rests is not used, and costs nothing. */
static void test_closed_at_rest(struct airport *airport)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	struct journey journey;
	uint16_t port = server_port(server);
	journey_make_to(&journey, airport, server, "rest.test/page");
	journey_finish(&journey);
	server_stop(server);
	wait_a_moment(airport);
	server = server_start(
	    &(struct server_plan){SERVER_ROUTES(routes), .port = port});
	if (!server) {
		tap_skip("a closed connection is seen", "the port is taken");
		return;
	}
	journey_make_to(&journey, airport, server, "rest.test/page");
	ok(journey.response.outcome == PV_OUTCOME_ANSWERED &&
		!journey.response.is_kept && journey.sent_count == 1,
	    "a connection that was closed at rest is not used again");
	journey_finish(&journey);
	server_stop(server);
}

/* Proxies */

static void test_environment(struct server *server)
{
	struct airport airport;
	struct journey journey;
	setenv("http_proxy", "http://127.0.0.1:1", 1);
	setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
	airport_open(&airport, "version: 1\n");
	journey_make_to(&journey, &airport, server, "a.test/page");
	is_text(body_of(&journey), "a page",
	    "the environment's proxies are not used");
	journey_finish(&journey);
	airport_close(&airport);
	unsetenv("http_proxy");
	unsetenv("ALL_PROXY");
}

static void test_proxy(struct server *server)
{
	struct airport airport;
	struct journey journey;
	char policy[128];
	snprintf(policy, sizeof(policy),
	    "fetch: {proxy: \"http://127.0.0.1:%u\"}",
	    (unsigned)server_port(server));
	setenv("no_proxy", "*", 1);
	airport_open(&airport, policy);
	journey_init(&journey, &airport, "http://a.test/proxied", "127.0.0.1");
	snprintf(policy, sizeof(policy), "http://127.0.0.1:%u",
	    (unsigned)server_port(server));
	journey.request.proxy = policy;
	journey.request.proxy_name = policy;
	journey.request.port = server_port(server);
	journey_make(&journey);
	is_text(body_of(&journey), "by proxy", "the policy's proxy is used");
	is_text(last_record(server).target, "http://a.test/proxied",
	    "for the whole address");
	is_text(last_record(server).host, "a.test", "of the host");
	journey_finish(&journey);
	ok(airport_close(&airport), "and nothing of it stays");
	unsetenv("no_proxy");
}

/* By SOCKS; `reply` is what the proxy says to it. */
static void make_by_socks(struct server *server, char reply,
    void (*judge)(struct journey *journey, const struct tunnel *tunnel))
{
	struct airport airport;
	struct journey journey;
	struct tunnel tunnel = {.is_socks = true, .reply = reply};
	char policy[128], proxy[64];
	if (!tunnel_open(&tunnel, server_port(server))) {
		tap_skip("a proxy of SOCKS", "there is no port");
		return;
	}
	snprintf(proxy, sizeof(proxy), "socks5h://127.0.0.1:%u",
	    (unsigned)tunnel.port);
	snprintf(policy, sizeof(policy), "fetch: {proxy: \"%s\"}", proxy);
	airport_open(&airport, policy);
	journey_init(&journey, &airport, "http://a.test/proxied", "127.0.0.1");
	journey.request.proxy = proxy;
	journey.request.proxy_name = proxy;
	journey.request.port = tunnel.port;
	journey_make(&journey);
	judge(&journey, &tunnel);
	journey_finish(&journey);
	ok(airport_close(&airport), "and nothing of it stays");
	tunnel_close(&tunnel);
}

static void judge_way(struct journey *journey, const struct tunnel *tunnel)
{
	is_text(body_of(journey), "by proxy", "a proxy of SOCKS leads there");
	is_text(pv_str_of(tunnel->heard), "a.test",
	    "P7: it is told the name, which nobody has looked up");
}

static void judge_refusal(struct journey *journey, const struct tunnel *tunnel)
{
	(void)tunnel;
	ok(journey->response.outcome == PV_OUTCOME_NO_CONNECTION &&
		strstr(journey->response.why, "cannot reach the host "
					      "(connection refused)") &&
		journey->response.unreached == PV_UNREACHED_NOBODY &&
		!journey->response.is_own_fault,
	    "that the host refuses is the host's doing: %s",
	    journey->response.why);
}

static void judge_closed(struct journey *journey, const struct tunnel *tunnel)
{
	(void)tunnel;
	ok(journey->response.unreached == PV_UNREACHED_PROXY &&
		journey->response.is_own_fault,
	    "what the proxy cannot say is the proxy's: %s",
	    journey->response.why);
}

static void test_socks(struct server *server)
{
	make_by_socks(server, 0, judge_way);
	make_by_socks(server, 5, judge_refusal);
	make_by_socks(server, 7, judge_closed);
}

/* Descriptors */

static void test_no_descriptors(struct server *server)
{
	struct airport airport;
	struct journey journey;
	struct rlimit limit;
	struct rlimit none;
	airport_open(&airport, "version: 1\n");
	journey_make_to(&journey, &airport, server, "a.test/page");
	journey_finish(&journey);
	getrlimit(RLIMIT_NOFILE, &limit);
	none = limit;
	none.rlim_cur = 3;
	journey_to(&journey, &airport, server, "b.test/page");
	setrlimit(RLIMIT_NOFILE, &none);
	journey_make(&journey);
	setrlimit(RLIMIT_NOFILE, &limit);
	ok(journey.response.is_own_fault && journey.sent_count == 0 &&
		journey.response.outcome == PV_OUTCOME_NO_CONNECTION,
	    "without a descriptor there is no connection, and we know why");
	is_text(pv_str_of(journey.response.why),
	    "this machine has too few resources: too many open files",
	    "and say so");
	journey_finish(&journey);
	journey_make_to(&journey, &airport, server, "b.test/page");
	ok(journey.response.outcome == PV_OUTCOME_ANSWERED &&
		!journey.response.is_own_fault,
	    "and it goes on when there is one again");
	journey_finish(&journey);
	ok(airport_close(&airport), "and nothing of it stays");
}

/* An exchange that only the test knows: nobody else is asked. */
struct grounded {
	struct pv_fetch_shared shared;
	struct pv_lane lane;
	struct pv_shard shard;
	struct pv_transfer transfer;
	struct pv_exchange exchange;
};

static struct grounded *ground(const char *address)
{
	struct grounded *grounded = calloc(1, sizeof(*grounded));
	grounded->lane.shared = &grounded->shared;
	grounded->shard.lane = &grounded->lane;
	grounded->exchange.shard = &grounded->shard;
	grounded->exchange.lane = &grounded->lane;
	grounded->exchange.transfer = &grounded->transfer;
	grounded->exchange.pin.port = 80;
	pv_response_init(&grounded->transfer.response, ".", 0);
	pv_address_read(pv_str_of(address), &grounded->exchange.pin.address);
	return grounded;
}

static void give_up(struct grounded *grounded)
{
	pv_response_finish(&grounded->transfer.response);
	free(grounded);
}

/* The lowest number that is free. */
static int next_descriptor(void)
{
	int fd = dup(0);
	close(fd);
	return fd;
}

static int open_socket(struct grounded *grounded, int socket_max)
{
	struct curl_sockaddr address = {.family = AF_INET,
	    .socktype = SOCK_STREAM,
	    .protocol = IPPROTO_TCP};
	grounded->shared.socket_max = socket_max;
	return pv_hook_open_socket(
	    &grounded->exchange, CURLSOCKTYPE_IPCXN, &address);
}

/* Others need descriptors, too. No server is at work here, which would open and
 * close some. */
static void test_socket_ceiling(void)
{
	struct grounded *grounded = ground("127.0.0.1");
	struct pv_exchange *exchange = &grounded->exchange;
	unsigned before = descriptors_count();
	int next = next_descriptor();
	ok(open_socket(grounded, next - 1) == CURL_SOCKET_BAD,
	    "P5: no socket has a higher number than is left to us");
	ok(exchange->error == EMFILE && exchange->socket < 0,
	    "P4: which is told as too many open files");
	descriptors_claim(before);
	exchange->error = 0;
	int fd = open_socket(grounded, next);
	ok(fd == next && exchange->socket == next && !exchange->error,
	    "one with the highest may be used");
	close(fd);
	descriptors_claim(before);
	give_up(grounded);
}

/* libcurl is told where to go, and goes there; were it to go elsewhere, nothing
 * would be sent (P7). */
static void refuses(const char *address, const char *claim)
{
	struct grounded *grounded = ground("203.0.113.5");
	struct pv_exchange *exchange = &grounded->exchange;
	struct pv_response *response = &grounded->transfer.response;
	char reached[64], own[] = "127.0.0.1", why[128];
	snprintf(reached, sizeof(reached), "%s", address);
	snprintf(why, sizeof(why),
	    "the connection went to %s, which is not the resolved address",
	    address);
	ok(pv_hook_request(exchange, reached, own, 80, 40000) ==
		    CURL_PREREQFUNC_ABORT &&
		response->outcome == PV_OUTCOME_NO_CONNECTION &&
		!response->address.bits && !exchange->is_sent,
	    "P7: %s", claim);
	is_text(pv_str_of(response->why), why, "P4: which is said");
	give_up(grounded);
}

static void test_led_astray(void)
{
	refuses(
	    "203.0.113.6", "nothing is sent to an address of somebody else");
	refuses("127.0.0.1", "nor to this machine");
	refuses("::ffff:203.0.113.6", "nor to one that is written otherwise");
	refuses("", "nor to one that nobody knows");
}

/* Whose lease is over asks nothing, however far it has come. */
static void is_withheld(
    const struct journey *journey, const char *claim)
{
	const struct pv_response *response = &journey->response;
	ok(journey->sent_count == 0 && response->is_withheld &&
		response->is_own_fault && !response->http_status &&
		response->outcome == PV_OUTCOME_BROKEN_OFF,
	    "P1: %s", claim);
	is_text(pv_str_of(response->why),
	    "the fleet's database was out of reach: another machine may ask "
	    "this host by now",
	    "P4: which is said");
}

static void test_lease(struct server *server)
{
	struct airport airport;
	struct journey journey;
	struct pv_lease lease;
	pv_lease_init_endless(&lease);
	airport_open_leased(&airport, "version: 1\n", &lease);
	journey_make_to(&journey, &airport, server, "leased.test/page");
	ok(journey.response.http_status == 200 && journey.sent_count == 1,
	    "while a lease holds a page is asked for");
	journey_finish(&journey);
	size_t requests = server_log_count(server);
	pv_lease_init(&lease);
	journey_make_to(&journey, &airport, server, "leased.test/page");
	is_withheld(
	    &journey, "once it is over nothing goes out on a kept connection");
	journey_finish(&journey);
	journey_make_to(&journey, &airport, server, "unknown.test/page");
	is_withheld(&journey, "nor is a new one made");
	ok(journey.response.times.connect_ms < 0 &&
		journey.response.unreached == PV_UNREACHED_NOBODY,
	    "without a connection, and nobody is said to be out of reach");
	journey_finish(&journey);
	ok(server_log_count(server) == requests, "the server saw none of them");
	pv_lease_renew(&lease, pv_boot_now_ms(), 60000);
	journey_make_to(&journey, &airport, server, "leased.test/page");
	ok(journey.response.http_status == 200,
	    "when it holds again the page is asked for");
	journey_finish(&journey);
	ok(airport_close(&airport), "nothing of it stays on the loop");
}

/* Nor does it knock at the door. */
static void test_no_socket(void)
{
	struct grounded *grounded = ground("127.0.0.1");
	struct pv_lease lease;
	pv_lease_init(&lease);
	grounded->shared.lease = &lease;
	ok(open_socket(grounded, 1000) == CURL_SOCKET_BAD &&
		grounded->transfer.response.is_withheld,
	    "P1: whose lease is over opens no connection");
	give_up(grounded);
}

int main(void)
{
	struct airport airport;
	test_socket_ceiling();
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	airport_open(&airport, "version: 1\n");
	test_repetition(&airport, server);
	test_second_connection(&airport, server);
	test_dropped(&airport, server);
	test_closed_at_rest(&airport);
	ok(airport_close(&airport), "nothing of it stays on the loop");
	test_lease(server);
	test_environment(server);
	test_proxy(server);
	test_socks(server);
	test_no_descriptors(server);
	test_led_astray();
	test_no_socket();
	server_stop(server);
	return tap_done();
}
