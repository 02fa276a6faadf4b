#include "server/exchange.h"

#include "server/scene.h"
#include "tap.h"

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
	.len = sizeof(HEAD "Content-Length: 5\r\n\r\nhello") - 1,
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
	.len = sizeof(HEAD "Content-Length: 10\r\n\r\nhello") - 1,
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
	.len =
	    sizeof(HEAD "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n") - 1,
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
	enum caller_end how = ask(&scene, "/",
	    ending->end == CALLER_TIMED_OUT ? ending->len : CALLER_MAX);
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
	begin(&scene, &(struct server_plan){.answer = NULL});
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

int main(void)
{
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		test_ending(&endings[i]);
	test_pipeline();
	test_malformed();
	test_gone();
	return tap_done();
}
