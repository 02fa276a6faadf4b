#include "server/server.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "server/caller.h"
#include "server/log_check.h"
#include "server/loop.h"
#include "tap.h"

#define MS 1000

/* How long we wait for what is not to come. */
#define SILENCE_MS 60

/* A server and what was heard of it last. */
struct scene {
	struct server *server;
	struct pv_buf heard;
};

static void begin(struct scene *scene, const struct server_plan *plan)
{
	scene->server = server_start(plan);
	pv_buf_init(&scene->heard, CALLER_MAX);
	if (!scene->server)
		exit(1);
}

static void end(struct scene *scene)
{
	server_stop(scene->server);
	pv_buf_finish(&scene->heard);
}

static int call(const struct scene *scene, const char *address)
{
	return caller_open(address, server_port(scene->server));
}

static void ask_for(int fd, const char *path)
{
	char request[256];
	snprintf(request, sizeof(request),
	    "GET %s HTTP/1.1\r\nHost: a.test:80\r\nX-Mine: 1\r\n\r\n", path);
	caller_say(fd, request);
}

static bool has_heard(const struct scene *scene, const char *text)
{
	const struct pv_buf *heard = &scene->heard;
	return memmem(pv_buf_text(heard), heard->len, text, strlen(text));
}

/* Until that text has come, and no longer. */
static bool hear_until(struct scene *scene, int fd, const char *text)
{
	pv_buf_clear(&scene->heard);
	while (!has_heard(scene, text)) {
		if (caller_hear(fd, &scene->heard, scene->heard.len + 1,
			CALLER_TIMEOUT_MS) != CALLER_FULL)
			return false;
	}
	return true;
}

/* All that comes for a path, until the connection ends or nothing more comes in
 * that time. */
static enum caller_end ask(
    struct scene *scene, const char *path, int timeout_ms)
{
	int fd = call(scene, "127.0.0.1");
	pv_buf_clear(&scene->heard);
	ask_for(fd, path);
	enum caller_end how =
	    caller_hear(fd, &scene->heard, CALLER_MAX, timeout_ms);
	close(fd);
	return how;
}

static struct server_record record_of(const struct scene *scene, size_t i)
{
	struct server_record record = {.nth = 0};
	server_log_get(scene->server, i, &record);
	return record;
}

/* What is answered */

static const struct server_route choices[] = {
    {.path = "/busy", .nth = 1, .answer = {.status = 503}},
    {.path = "/busy", .nth = 2, .answer = {.status = 429}},
    {.path = "/busy", .answer = {.body = "at last"}},
    {.path = "/old",
	.header = "If-None-Match: \"1\"",
	.answer = {.status = 304}},
    {.path = "/hop/*",
	.answer = {.status = 302,
	    .location = "http://{host}:{port}/hop/{n+1}?{n}{what}"}},
    {.path = "/template",
	.answer = {.body = "{path} {port} {", .is_template = true}},
    {.host = "*.b.test", .answer = {.body = "another host"}},
    {.path = "/links", .answer = {.kind = SERVER_LINKS, .size = 3}},
};

static void test_choices(void)
{
	static const char *const wanted[] = {"503", "429", "200", "200"};
	struct scene scene;
	struct pv_buf text;
	pv_buf_init(&text, 1 << 10);
	begin(&scene, &(struct server_plan){SERVER_ROUTES(choices)});
	int fd = call(&scene, "127.0.0.1");
	for (size_t i = 0; i < 4; i++) {
		ask_for(fd, "/busy");
		hear_until(&scene, fd, i < 2 ? "\r\n\r\n" : "at last");
		is_text(
		    pv_str_head(pv_str_from(pv_buf_str(&scene.heard), 9), 3),
		    wanted[i], "answer %zu of a sequence is its own", i + 1);
	}
	caller_say(fd, "GET /busy HTTP/1.1\r\nHost: c.test\r\n\r\n");
	ok(hear_until(&scene, fd, "503"), "each host has its own sequence");
	hear_until(&scene, fd, "\r\n\r\n");
	caller_say(fd, "GET / HTTP/1.1\r\nHost: a.b.test:1\r\n\r\n");
	ok(hear_until(&scene, fd, "another host"), "a route may be a host's");
	caller_say(fd,
	    "GET /old HTTP/1.1\r\nHost: a.test\r\nIf-None-Match: \"1\"\r\n"
	    "\r\n");
	ok(hear_until(&scene, fd, " 304 "), "a route may want a header");
	hear_until(&scene, fd, "\r\n\r\n");
	ask_for(fd, "/old");
	ok(hear_until(&scene, fd, " 404 "),
	    "and what no route fits is not found");
	hear_until(&scene, fd, "here</title>\n");
	pv_buf_append_format(&text,
	    "\r\nLocation: http://a.test:80:%u/hop/42?41{what}\r\n",
	    server_port(scene.server));
	ask_for(fd, "/hop/41");
	ok(hear_until(&scene, fd, pv_buf_text(&text)),
	    "a location counts on from its target");
	hear_until(&scene, fd, "\r\n");
	pv_buf_clear(&text);
	pv_buf_append_format(
	    &text, "/template %u {", server_port(scene.server));
	ask_for(fd, "/template");
	ok(hear_until(&scene, fd, pv_buf_text(&text)),
	    "words in a body stand for what they are");
	ask_for(fd, "/links");
	ok(hear_until(&scene, fd, "<a href=\"2\">2</a>\n") &&
		!has_heard(&scene, "\"3\""),
	    "a page of links has as many");
	close(fd);
	pv_buf_finish(&text);
	end(&scene);
}

static bool answer_all_but_none(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	const char *word = ctx;
	pv_buf_append_format(answer->own_body, "%s %.*s %.*s %u", word,
	    PV_STR_ARG(request->host), PV_STR_ARG(request->path), request->nth);
	pv_buf_append_text(answer->own_headers, "X-Own: yes\r\n");
	return !pv_str_equal(request->path, PV_STR("/none"));
}

static void test_function(void)
{
	char word[] = "made";
	struct scene scene;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(choices),
			  .answer = answer_all_but_none, .ctx = word});
	int fd = call(&scene, "127.0.0.1");
	ask_for(fd, "/x?1");
	ok(hear_until(&scene, fd, "made a.test /x 1") &&
		has_heard(&scene, "X-Own: yes\r\n"),
	    "a function makes an answer");
	ask_for(fd, "/x?1");
	ok(hear_until(&scene, fd, "made a.test /x 2"),
	    "and is told how often that was asked");
	ask_for(fd, "/none");
	ok(hear_until(&scene, fd, "here</title>\n") &&
		has_heard(&scene, " 404 ") && !has_heard(&scene, "made") &&
		!has_heard(&scene, "X-Own"),
	    "it may have none");
	ask_for(fd, "/busy");
	ok(hear_until(&scene, fd, " 503 "), "routes come first");
	close(fd);
	end(&scene);
}

/* How connections end */

struct ending {
	const char *claim;
	struct server_answer answer;
	const char *wanted; /* somewhere in what was heard */
	size_t len;         /* of all of it, where that is known */
	enum caller_end end;
};

#define HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

static const struct ending endings[] = {
    {.claim = "an answer leaves its connection open",
	.answer = {.body = "hello"},
	.wanted = "hello",
	.end = CALLER_TIMED_OUT},
    {.claim = "an answer that closes is all there",
	.answer = {.kind = SERVER_PATTERN, .size = 3000000, .closes = true},
	.len = sizeof(HEAD "Content-Length: 3000000\r\n"
			   "Connection: close\r\n\r\n") -
	       1 + 3000000},
    {.claim = "a body that ends with its connection",
	.answer = {.body = "hello", .framing = SERVER_UNTIL_CLOSE},
	.wanted = "hello",
	.len = sizeof(HEAD "\r\nhello") - 1},
    {.claim = "a length that is too large, and the end",
	.answer = {.body = "hello", .length = "10"},
	.wanted = "hello",
	.len = sizeof(HEAD "Content-Length: 10\r\n\r\nhello") - 1},
    {.claim = "a length that is too large, and silence",
	.answer = {.body = "hello", .length = "10", .stays_open = true},
	.wanted = "hello",
	.end = CALLER_TIMED_OUT},
    {.claim = "raw bytes, and the end",
	.answer = {.raw = {"hello", 5}},
	.wanted = "hello",
	.len = 5},
    {.claim = "raw bytes, and silence",
	.answer = {.raw = {"hello", 5}, .stays_open = true},
	.wanted = "hello",
	.len = 5,
	.end = CALLER_TIMED_OUT},
    {.claim = "no answer, and the end",
	.answer = {.fault = {SERVER_CLOSE, SERVER_BEFORE, 0}}},
    {.claim = "no answer, and a reset",
	.answer = {.fault = {SERVER_RESET, SERVER_BEFORE, 0}},
	.end = CALLER_RESET},
    {.claim = "no answer, and silence",
	.answer = {.fault = {SERVER_STALL, SERVER_BEFORE, 0}},
	.end = CALLER_TIMED_OUT},
    {.claim = "half a head, and the end",
	.answer = {.fault = {SERVER_CLOSE, SERVER_IN_HEAD, 8}},
	.wanted = "HTTP/1.1",
	.len = 8},
    {.claim = "half a head, and silence",
	.answer = {.fault = {SERVER_STALL, SERVER_IN_HEAD, 8}},
	.wanted = "HTTP/1.1",
	.len = 8,
	.end = CALLER_TIMED_OUT},
    {.claim = "half a body, and the end",
	.answer = {.kind = SERVER_PATTERN,
	    .size = 100000,
	    .fault = {SERVER_CLOSE, SERVER_IN_BODY, 70000}},
	.len = sizeof(HEAD "Content-Length: 100000\r\n\r\n") - 1 + 70000},
    {.claim = "half a body, and a reset",
	.answer = {.kind = SERVER_PATTERN,
	    .size = 100000,
	    .fault = {SERVER_RESET, SERVER_IN_BODY, 1000}},
	.end = CALLER_RESET},
    {.claim = "half a body, and silence",
	.answer = {.kind = SERVER_PATTERN,
	    .size = 100000,
	    .fault = {SERVER_STALL, SERVER_IN_BODY, 1000}},
	.len = sizeof(HEAD "Content-Length: 100000\r\n\r\n") - 1 + 1000,
	.end = CALLER_TIMED_OUT},
    {.claim = "chunks without a last one, and the end",
	.answer = {.body = "hello",
	    .framing = SERVER_CHUNKED,
	    .fault = {SERVER_CLOSE, SERVER_BEFORE_END, 0}},
	.len = sizeof(HEAD "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n") -
	       1},
    {.claim = "chunks without a last one, and silence",
	.answer = {.body = "hello",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.has_no_end = true}},
	.wanted = "hello\r\n",
	.end = CALLER_TIMED_OUT},
    {.claim = "headers with a NUL in them",
	.answer = {.odd_headers = {"X: a\0b\r\n", 8}, .closes = true},
	.len = sizeof(HEAD "Content-Length: 0\r\nConnection: close\r\n"
			   "X: a0b\r\n\r\n") -
	       1},
};

static bool answer_as_ending(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)request;
	*answer = ((const struct ending *)ctx)->answer;
	return true;
}

static void test_ending(const struct ending *ending)
{
	struct scene scene;
	begin(&scene, &(struct server_plan){.answer = answer_as_ending,
			  .ctx = (void *)(uintptr_t)ending});
	enum caller_end how = ask(&scene, "/", SILENCE_MS);
	bool is_right = how == ending->end &&
			(!ending->len || scene.heard.len == ending->len) &&
			(!ending->wanted || has_heard(&scene, ending->wanted));
	if (!ok(is_right, "%s", ending->claim))
		printf("# end %d, %zu bytes\n", how, scene.heard.len);
	end(&scene);
}

/* Keeping connections */

static void test_pipeline(void)
{
	static const struct server_route routes[] = {
	    {.path = "/late",
		.answer = {.body = "first.", .head_pace = {.delay_ms = 20}}},
	    {.path = "/last", .answer = {.body = "last."}},
	    {.path = "/more",
		.answer = {.body = "x",
		    .after = {"HTTP/1.1 666 Nobody asked\r\n\r\n", 29}}},
	    {.answer = {.body = "second.",
		 .body_pace = {.piece = 3, .pause_ms = 1}}},
	};
	struct scene scene;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(routes)});
	int fd = call(&scene, "127.0.0.1");
	caller_say(fd, "GET /late HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n"
		       "GET /last HTTP/1.1\r\nConnection: close\r\n\r\n");
	ok(hear_until(&scene, fd, "last.") && has_heard(&scene, "first.") &&
		has_heard(&scene, "second."),
	    "requests that come together are answered one after the other");
	const char *first = strstr(pv_buf_text(&scene.heard), "first.");
	ok(first && strstr(first, "second."), "in their order");
	ok(caller_hear(fd, &scene.heard, CALLER_MAX, CALLER_TIMEOUT_MS) ==
		CALLER_CLOSED,
	    "and the connection ends where the client wants it");
	close(fd);
	ok(record_of(&scene, 1).begin_us >= record_of(&scene, 0).begin_us &&
		record_of(&scene, 1).begin_us < record_of(&scene, 0).end_us,
	    "a request begins when it comes, not when it is its turn");
	fd = call(&scene, "127.0.0.1");
	ask_for(fd, "/more");
	ok(hear_until(&scene, fd, "x") &&
		hear_until(&scene, fd, "666 Nobody asked\r\n\r\n"),
	    "a connection may hold what nobody asked for");
	close(fd);
	end(&scene);
}

static void test_malformed(void)
{
	struct scene scene;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(choices)});
	int fd = call(&scene, "127.0.0.1");
	caller_say(fd, "\x16\x03\x01");
	pv_buf_clear(&scene.heard);
	ok(caller_hear(fd, &scene.heard, CALLER_MAX, CALLER_TIMEOUT_MS) ==
		    CALLER_CLOSED &&
		has_heard(&scene, "HTTP/1.1 400 "),
	    "what is no request is told so, and the connection closed");
	close(fd);
	fd = call(&scene, "127.0.0.1");
	caller_say(fd, "GET / HTTP/1.1\r\n");
	for (size_t i = 0; i < 40000; i++)
		caller_say(fd, "X-Long: header\r\n");
	pv_buf_clear(&scene.heard);
	caller_hear(fd, &scene.heard, CALLER_MAX, CALLER_TIMEOUT_MS);
	ok(has_heard(&scene, "HTTP/1.1 400 "),
	    "nor is what has no end a request");
	close(fd);
	ok(server_log_count(scene.server) == 0, "neither is logged as one");
	end(&scene);
}

/* The log */

static void test_record(void)
{
	struct scene scene;
	struct server_accept accept;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(choices)});
	struct sockaddr_in place;
	socklen_t len = sizeof(place);
	int64_t before_us = loop_now_us();
	int fd = call(&scene, "127.0.0.1");
	getsockname(fd, (struct sockaddr *)&place, &len);
	ask_for(fd, "/busy?x=1");
	hear_until(&scene, fd, "here</title>\n");
	size_t heard = scene.heard.len;
	ask_for(fd, "/other");
	hear_until(&scene, fd, "here</title>\n");
	ok(server_wait_idle(scene.server, 2, CALLER_TIMEOUT_MS),
	    "the log tells when all is answered");
	int64_t after_us = loop_now_us();
	struct server_record first = record_of(&scene, 0);
	struct server_record second = record_of(&scene, 1);
	is_text(first.host, "a.test", "the log has a request's host");
	is_text(first.method, "GET", "its method");
	is_text(first.target, "/busy?x=1", "its target");
	is_text(server_header(first.headers, "x-mine"), "1", "its headers");
	ok(first.peer_port == ntohs(place.sin_port) && first.connection == 1 &&
		second.connection == 1,
	    "its connection");
	ok(first.status == 404 && first.sent == heard && first.is_complete,
	    "and what was answered");
	ok(before_us <= first.begin_us && first.begin_us <= first.ready_us &&
		first.ready_us <= first.end_us &&
		first.end_us <= second.begin_us && second.end_us <= after_us,
	    "its times are in their order");
	ok(server_accept_count(scene.server) == 1 &&
		server_accept_get(scene.server, 0, &accept) &&
		accept.peer_port == first.peer_port && !accept.end_us &&
		accept.at_us >= before_us,
	    "an open connection is logged");
	close(fd);
	ok(!server_wait(scene.server, 3, 10) &&
		server_wait(scene.server, 2, 10),
	    "a request that does not come is waited for in vain");
	end(&scene);
}

/* A request whose first byte comes long before its last. */
static void test_slow_request(void)
{
	struct timespec pause = {.tv_nsec = 30 * 1000000};
	struct scene scene;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(choices)});
	int fd = call(&scene, "127.0.0.1");
	int64_t before_us = loop_now_us();
	caller_say(fd, "G");
	int64_t after_us = loop_now_us();
	nanosleep(&pause, NULL);
	caller_say(fd, "ET / HTTP/1.1\r\n\r\n");
	hear_until(&scene, fd, "here</title>\n");
	struct server_record record = record_of(&scene, 0);
	ok(record.begin_us >= before_us && record.begin_us <= after_us + 5 * MS,
	    "a request begins with its first byte");
	ok(record.ready_us - record.begin_us >= 29 * MS,
	    "and is there when its headers are");
	close(fd);
	end(&scene);
}

#define BUSY_US (100 * MS)

/* A thread that is kept busy, as no function of a test should. */
static bool answer_busily(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	int64_t end_us = loop_now_us() + BUSY_US;
	(void)ctx;
	while (pv_str_equal(request->path, PV_STR("/busy")) &&
	       loop_now_us() < end_us)
		continue;
	answer->body = "done";
	return true;
}

static void test_stamps(void)
{
	struct scene scene;
	begin(&scene, &(struct server_plan){.answer = answer_busily});
	int busy = call(&scene, "127.0.0.1");
	int other = call(&scene, "127.0.0.1");
	ask_for(other, "/");
	hear_until(&scene, other, "done");
	ask_for(busy, "/busy");
	server_wait(scene.server, 2, CALLER_TIMEOUT_MS);
	int64_t before_us = loop_now_us();
	ask_for(other, "/");
	int64_t after_us = loop_now_us();
	hear_until(&scene, other, "done");
	struct server_record record = record_of(&scene, 2);
	ok(record.begin_us >= before_us - MS &&
		record.begin_us <= after_us + BUSY_US / 4,
	    "a request begins when the kernel has it, however busy we are");
	close(busy);
	close(other);
	end(&scene);
}

static void test_log_bound(void)
{
	struct scene scene;
	struct server_record record;
	begin(&scene,
	    &(struct server_plan){SERVER_ROUTES(choices), .log_max = 2});
	for (size_t i = 0; i < 5; i++)
		ask(&scene, "/old", 20);
	struct log_view view = log_view_of(scene.server);
	ok(server_log_count(scene.server) == 5 && view.count == 2 &&
		!view.is_whole && !server_log_get(scene.server, 2, &record),
	    "past its bound the log counts and keeps no more");
	log_view_finish(&view);
	end(&scene);
	begin(&scene,
	    &(struct server_plan){SERVER_ROUTES(choices), .is_unlogged = true});
	ask(&scene, "/old", 20);
	ok(server_log_count(scene.server) == 1 &&
		!server_log_get(scene.server, 0, &record),
	    "a server without a log counts all the same");
	end(&scene);
}

/* A client that goes away in the midst of an answer. */
static void test_gone(void)
{
	static const struct server_route routes[] = {
	    {.path = "/endless",
		.answer = {.kind = SERVER_PATTERN, .size = SERVER_ENDLESS}},
	    {.path = "/stall",
		.answer = {.fault = {SERVER_STALL, SERVER_BEFORE, 0}}},
	    {.path = "/slow",
		.answer = {.body = "x", .head_pace = {.delay_ms = 60000}}},
	};
	struct scene scene;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(routes)});
	for (size_t i = 0; i < 3; i++) {
		int fd = call(&scene, "127.0.0.1");
		ask_for(fd, routes[i].path);
		pv_buf_clear(&scene.heard);
		server_wait(scene.server, i + 1, CALLER_TIMEOUT_MS);
		caller_hear(fd, &scene.heard, 1000000, 10);
		ok(!server_wait_idle(scene.server, i + 1, 1), "%s goes on",
		    routes[i].path);
		close(fd);
		ok(server_wait_idle(scene.server, i + 1, CALLER_TIMEOUT_MS) &&
			record_of(&scene, i).end_us &&
			!record_of(&scene, i).is_complete,
		    "until the client goes");
	}
	ok(record_of(&scene, 0).sent >= 1000000, "and what was sent is known");
	end(&scene);
}

/* Addresses and doors */

static const char *const everywhere[] = {"127.0.0.0/8", "::1", NULL};

static void test_addresses(void)
{
	struct scene scene;
	struct pv_buf address;
	size_t right = 0;
	pv_buf_init(&address, 64);
	begin(&scene, &(struct server_plan){
			  SERVER_ROUTES(choices), .addresses = everywhere});
	for (uint8_t i = 0; i < 200; i++) {
		char text[32];
		snprintf(text, sizeof(text), "127.%u.%u.%u", i, i / 2, i + 1);
		int fd = call(&scene, text);
		ask_for(fd, "/old");
		hear_until(&scene, fd, "here</title>\n");
		close(fd);
		struct server_record record = record_of(&scene, i);
		pv_buf_clear(&address);
		pv_address_write(&record.address, &address);
		right += pv_str_equal(pv_buf_str(&address), pv_str_of(text));
	}
	ok(right == 200, "one server has 200 addresses, and knows which");
	int fd = call(&scene, "::1");
	ask_for(fd, "/old");
	ok(hear_until(&scene, fd, "here</title>\n"), "and ::1");
	close(fd);
	pv_buf_finish(&address);
	end(&scene);
}

/* An address of this machine that others might reach; false if it has none. */
static bool find_outside(char *text, socklen_t size)
{
	struct ifaddrs *list = NULL;
	bool is_found = false;
	if (getifaddrs(&list) != 0)
		return false;
	for (struct ifaddrs *at = list; at && !is_found; at = at->ifa_next) {
		const struct sockaddr_in *place =
		    (const struct sockaddr_in *)at->ifa_addr;
		if (!place || place->sin_family != AF_INET ||
		    ntohl(place->sin_addr.s_addr) >> 24 == 127)
			continue;
		is_found =
		    inet_ntop(AF_INET, &place->sin_addr, text, size) != NULL;
	}
	freeifaddrs(list);
	return is_found;
}

static void test_outside(void)
{
	char text[64];
	struct scene scene;
	const char *claim = "nobody is served at an address of the network";
	if (!find_outside(text, sizeof(text))) {
		tap_skip(claim, "this machine has none");
		return;
	}
	begin(&scene, &(struct server_plan){
			  SERVER_ROUTES(choices), .addresses = everywhere});
	int fd = call(&scene, text);
	if (fd >= 0) {
		ask_for(fd, "/old");
		caller_hear(fd, &scene.heard, CALLER_MAX, CALLER_TIMEOUT_MS);
		close(fd);
	}
	ok(scene.heard.len == 0 && server_log_count(scene.server) == 0 &&
		server_accept_count(scene.server) == 0,
	    "%s", claim);
	end(&scene);
}

static void test_one_address(void)
{
	static const char *const two[] = {"127.0.0.2", "127.0.0.3", NULL};
	struct scene scene;
	begin(&scene,
	    &(struct server_plan){SERVER_ROUTES(choices), .addresses = two});
	int fd = call(&scene, "127.0.0.3");
	int other = call(&scene, "127.0.0.4");
	ok(fd >= 0 && other < 0, "a server has the addresses of its list only");
	close(fd);
	end(&scene);
}

static void test_doors(void)
{
	static const struct server_door doors[] = {
	    {"127.0.0.2", SERVER_DOOR_RESETS, 0},
	    {"127.0.0.3", SERVER_DOOR_CLOSES, 1},
	    {"127.0.0.4", SERVER_DOOR_NEVER_READS, 0},
	};
	struct scene scene;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(choices),
			  SERVER_DOORS(doors), .addresses = everywhere});
	int fd = call(&scene, "127.0.0.2");
	ok(fd < 0 || caller_hear(fd, &scene.heard, 1, CALLER_TIMEOUT_MS) ==
			 CALLER_RESET,
	    "a door may reset");
	close(fd);
	fd = call(&scene, "127.0.0.3");
	ok(caller_hear(fd, &scene.heard, 1, CALLER_TIMEOUT_MS) == CALLER_CLOSED,
	    "or close");
	close(fd);
	fd = call(&scene, "127.0.0.3");
	ask_for(fd, "/old");
	ok(hear_until(&scene, fd, " 404 "), "only so often");
	close(fd);
	fd = call(&scene, "127.0.0.4");
	ask_for(fd, "/old");
	ok(caller_hear(fd, &scene.heard, CALLER_MAX, SILENCE_MS) ==
		    CALLER_TIMED_OUT &&
		server_log_count(scene.server) == 1,
	    "or never read");
	close(fd);
	end(&scene);
}

/* Time and number */

static void test_delays(void)
{
	static const struct server_route routes[] = {
	    {.path = "/late",
		.answer = {.body = "x", .head_pace = {.delay_ms = 50}}},
	    {.path = "/slow",
		.answer = {.body = "123456",
		    .body_pace = {.delay_ms = 10, .piece = 1, .pause_ms = 10}}},
	    {.answer = {.body = "at once"}},
	};
	struct scene scene;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(routes)});
	int late = call(&scene, "127.0.0.1");
	int other = call(&scene, "127.0.0.1");
	ask_for(late, "/late");
	server_wait(scene.server, 1, CALLER_TIMEOUT_MS);
	ask_for(other, "/");
	ok(hear_until(&scene, other, "at once") && !record_of(&scene, 0).end_us,
	    "one that waits keeps nobody waiting");
	hear_until(&scene, late, "x");
	ask_for(late, "/slow");
	hear_until(&scene, late, "123456");
	server_wait_idle(scene.server, 3, CALLER_TIMEOUT_MS);
	struct server_record record = record_of(&scene, 0);
	ok(record.end_us - record.begin_us >= 50 * MS, "an answer comes late");
	record = record_of(&scene, 2);
	ok(record.end_us - record.begin_us >= 60 * MS, "or slowly");
	close(late);
	close(other);
	end(&scene);
}

static void test_many(void)
{
	struct rlimit limit;
	struct scene scene;
	begin(&scene, &(struct server_plan){
			  SERVER_ROUTES(choices), .addresses = everywhere});
	getrlimit(RLIMIT_NOFILE, &limit);
	size_t count = limit.rlim_cur > 8200 ? 4000 : limit.rlim_cur / 2 - 100;
	int *fds = calloc(count, sizeof(*fds));
	size_t answered = 0;
	for (size_t i = 0; i < count; i++)
		fds[i] = call(&scene, i % 2 ? "127.0.0.1" : "127.9.9.9");
	for (size_t i = 0; i < count; i++)
		ask_for(fds[i], "/old");
	for (size_t i = 0; i < count; i++)
		answered += hear_until(&scene, fds[i], "here</title>\n");
	ok(answered == count && server_accept_count(scene.server) == count,
	    "%zu connections at once are all served", count);
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
	free(fds);
	end(&scene);
}

static void test_stop(void)
{
	struct scene scene;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(choices)});
	uint16_t port = server_port(scene.server);
	int fd = call(&scene, "127.0.0.1");
	ask_for(fd, "/old");
	hear_until(&scene, fd, "here</title>\n");
	end(&scene);
	pv_buf_init(&scene.heard, CALLER_MAX);
	ok(caller_hear(fd, &scene.heard, 1, CALLER_TIMEOUT_MS) !=
		    CALLER_TIMED_OUT &&
		caller_open("127.0.0.1", port) < 0,
	    "a server that is stopped is gone");
	close(fd);
	begin(&scene,
	    &(struct server_plan){SERVER_ROUTES(choices), .port = port});
	ok(server_port(scene.server) == port, "and may come back where it was");
	end(&scene);
	server_stop(NULL);
}

int main(void)
{
	test_choices();
	test_function();
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		test_ending(&endings[i]);
	test_pipeline();
	test_malformed();
	test_record();
	test_slow_request();
	test_stamps();
	test_log_bound();
	test_gone();
	test_addresses();
	test_outside();
	test_one_address();
	test_doors();
	test_delays();
	test_many();
	test_stop();
	return tap_done();
}
