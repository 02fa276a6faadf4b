#include "serve/http/http_server.h"

#include <poll.h>
#include <pthread.h>

#include "scratch.h"
#include "serve/http/asking.h"
#include "serve/http/problem.h"
#include "tap.h"

#define CLOSE "Host: a\r\nConnection: close\r\n"

/* What the tests know of what is answered. */
struct site {
	struct pv_http_plan plan;
	struct pv_http_server *server;
	int pipe[2]; /* what a stream waits at */
	int file;
	int number; /* that a stream gave */
	_Atomic int closed;
	_Atomic int logged;
};

static ssize_t read_numbers(void *ctx, char *bytes, size_t size)
{
	int *number = &((struct site *)ctx)->number;
	return *number < 3 ? snprintf(bytes, size, "%d\n", ++*number) : 0;
}

static ssize_t read_fault(void *ctx, char *bytes, size_t size)
{
	(void)ctx;
	(void)bytes;
	(void)size;
	return -1;
}

static ssize_t read_endless(void *ctx, char *bytes, size_t size)
{
	(void)ctx;
	memset(bytes, 'x', size);
	return (ssize_t)size;
}

/* One line, and then nothing until it is woken. */
static ssize_t read_waiting(void *ctx, char *bytes, size_t size)
{
	struct site *site = ctx;
	return read(site->pipe[0], bytes, size);
}

static void wake(void *ctx)
{
	struct site *site = ctx;
	close(site->pipe[1]);
	site->pipe[1] = -1;
}

static void note_close(void *ctx)
{
	((struct site *)ctx)->closed++;
}

static void wait_until_over(const struct pv_exchange *exchange)
{
	while (!pv_exchange_is_over(exchange))
		poll(NULL, 0, 1);
}

/* Whether the path is that of a stream. */
static bool answer_stream(
    struct site *site, struct pv_str path, struct pv_reply *reply)
{
	struct pv_reply_stream *stream = &reply->stream;
	stream->ctx = site;
	if (pv_str_equal(path, PV_STR("/stream"))) {
		site->number = 0;
		stream->read = read_numbers;
	} else if (pv_str_equal(path, PV_STR("/fault"))) {
		stream->read = read_fault;
	} else if (pv_str_equal(path, PV_STR("/endless"))) {
		stream->read = read_endless;
		stream->close = note_close;
	} else if (pv_str_equal(path, PV_STR("/waiting"))) {
		stream->read = read_waiting;
		stream->wake = wake;
		stream->close = note_close;
	}
	return stream->read;
}

static void answer(
    void *ctx, struct pv_exchange *exchange, struct pv_reply *reply)
{
	struct site *site = ctx;
	struct pv_str path = exchange->path;
	reply->type = "text/plain";
	if (answer_stream(site, path, reply))
		return;
	if (pv_str_equal(path, PV_STR("/echo"))) {
		pv_buf_append(&reply->body, exchange->body);
	} else if (pv_str_equal(path, PV_STR("/file"))) {
		reply->file = dup(site->file);
		reply->offset = 3;
		reply->length = 4;
	} else if (pv_str_equal(path, PV_STR("/short"))) {
		reply->file = dup(site->file);
		reply->length = 4096;
	} else if (pv_str_equal(path, PV_STR("/cached"))) {
		pv_reply_header(reply, "Cache-Control", "max-age=60");
	} else if (pv_str_equal(path, PV_STR("/long"))) {
		wait_until_over(exchange);
	} else if (pv_str_equal(path, PV_STR("/large"))) {
		memset(pv_buf_reserve(&reply->body, 4 << 20), 'x', 4 << 20);
		reply->body.len = 4 << 20;
	} else if (exchange->method == PV_OTHER_METHOD) {
		pv_reply_header(reply, "Allow", "GET");
		pv_problem_reply(reply, 405, "no");
	} else {
		pv_buf_append_format(&reply->body, "%d %.*s from %s",
		    exchange->method, PV_STR_ARG(exchange->head.target),
		    exchange->peer);
	}
}

static void note_log(void *ctx, struct pv_str line)
{
	(void)line;
	((struct site *)ctx)->logged++;
}

static void plan_site(struct site *site)
{
	*site = (struct site){.file = -1};
	pv_http_plan_init(&site->plan);
	site->plan.listen = "127.0.0.1:0";
	site->plan.connections.now = asking_now;
	site->plan.answer = answer;
	site->plan.ctx = site;
	site->plan.log = note_log;
	site->plan.log_ctx = site;
}

static bool start(struct site *site)
{
	struct pv_why why;
	pv_why_init(&why);
	site->server = pv_http_server_start(&site->plan, &why);
	pv_why_finish(&why);
	return site->server && pipe(site->pipe) == 0;
}

static void stop(struct site *site)
{
	pv_http_server_stop(site->server);
	close(site->pipe[0]);
	if (site->pipe[1] >= 0)
		close(site->pipe[1]);
	if (site->file >= 0)
		close(site->file);
}

/* The reply to a request, until the next call. */
static const char *ask(const struct site *site, const char *request)
{
	static struct pv_buf reply;
	pv_buf_finish(&reply);
	pv_buf_init(&reply, ASKING_MAX);
	asking(pv_http_server_port(site->server), pv_str_of(request), &reply);
	return pv_buf_text(&reply);
}

static bool has(const char *reply, const char *text)
{
	return strstr(reply, text);
}

static bool has_status(const char *reply, const char *status)
{
	return strncmp(reply, "HTTP/1.1 ", 9) == 0 &&
	       strncmp(reply + 9, status, strlen(status)) == 0;
}

static const char *body(const char *reply)
{
	const char *end = strstr(reply, "\r\n\r\n");
	return end ? end + 4 : "(no end of the head)";
}

static void test_replies(const struct site *site)
{
	const char *reply =
	    ask(site, "GET /a%20b?c=d HTTP/1.1\r\n" CLOSE "\r\n");
	ok(has_status(reply, "200"), "a request is answered");
	is_text(pv_str_of(body(reply)), "0 /a%20b?c=d from 127.0.0.1",
	    "with the target as it was sent, and who sent it");
	ok(has(reply, "\r\nDate: "), "a reply has a date");
	ok(has(reply, "\r\nX-Content-Type-Options: nosniff\r\n"),
	    "browsers are not to guess its type");
	ok(has(reply, "\r\nCache-Control: no-store\r\n"),
	    "it is not to be kept");
	ok(has(reply, "\r\nContent-Type: text/plain\r\n"), "it has its type");
	reply = ask(site, "GET /cached HTTP/1.1\r\n" CLOSE "\r\n");
	ok(has(reply, "max-age=60") && !has(reply, "no-store"),
	    "but it may say itself how long it may be kept");
	reply = ask(site, "HEAD /abc HTTP/1.1\r\n" CLOSE "\r\n");
	ok(has(reply, "\r\nContent-Length: 21\r\n"), "HEAD has the length");
	is_text(pv_str_of(body(reply)), "", "and no body");
	reply = ask(site, "PUT /abc HTTP/1.1\r\n" CLOSE "\r\n");
	ok(has_status(reply, "405") && has(reply, "\r\nAllow: GET\r\n"),
	    "other methods come to who answers");
	reply = ask(site, "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
			  "GET /b HTTP/1.1\r\n" CLOSE "\r\n");
	ok(has(reply, "0 /a from") && has(reply, "0 /b from"),
	    "a connection has several requests");
}

static void test_bodies(const struct site *site)
{
	is_text(pv_str_of(body(ask(site, "POST /echo HTTP/1.1\r\n" CLOSE
					 "Content-Length: 5\r\n\r\nhello"))),
	    "hello", "a body is read");
	is_text(pv_str_of(body(ask(site, "POST /echo HTTP/1.1\r\n" CLOSE
					 "Transfer-Encoding: chunked\r\n\r\n"
					 "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"))),
	    "hello", "and one in chunks");
	is_text(pv_str_of(body(ask(site,
		    "POST /echo HTTP/1.1\r\n" CLOSE
		    "Content-Type: application/x-www-form-urlencoded\r\n"
		    "Content-Length: 3\r\n\r\na=b"))),
	    "a=b", "a form is not looked into");
	ok(has_status(ask(site, "POST /echo HTTP/1.1\r\n" CLOSE
				"Content-Length: 1048577\r\n\r\n"),
	       "413"),
	    "a body of more than 1 MiB is refused before it comes");
	ok(has_status(ask(site, "POST /echo HTTP/1.1\r\n" CLOSE
				"Content-Length: 99999999999999999999\r\n\r\n"),
	       "4"),
	    "and so is one of a length beyond all numbers");
}

/* Chunks tell no length. */
static void test_long_chunks(const struct site *site)
{
	struct pv_buf request;
	pv_buf_init(&request, ASKING_MAX);
	pv_buf_append_text(&request,
	    "POST /echo HTTP/1.1\r\n" CLOSE "Transfer-Encoding: chunked\r\n\r\n"
	    "100001\r\n");
	memset(pv_buf_reserve(&request, 0x100001), 'x', 0x100001);
	request.len += 0x100001;
	pv_buf_append_text(&request, "\r\n0\r\n\r\n");
	ok(has_status(ask(site, pv_buf_text(&request)), "413"),
	    "chunks of more than 1 MiB are refused when they have come");
	pv_buf_finish(&request);
}

static void test_sources(struct site *site)
{
	struct scratch scratch;
	scratch_make(&scratch);
	FILE *file = fopen(scratch_file(&scratch, "file"), "w+");
	fputs("0123456789", file);
	fflush(file);
	site->file = dup(fileno(file));
	fclose(file);
	is_text(
	    pv_str_of(body(ask(site, "GET /file HTTP/1.1\r\n" CLOSE "\r\n"))),
	    "3456", "a piece of a file is sent");
	is_text(
	    pv_str_of(body(ask(site, "GET /short HTTP/1.1\r\n" CLOSE "\r\n"))),
	    "0123456789", "one that is shorter than it was ends early");
	const char *reply = ask(site, "GET /stream HTTP/1.1\r\n" CLOSE "\r\n");
	ok(has(reply, "1\n") && has(reply, "2\n") && has(reply, "3\n"),
	    "a stream is read to its end");
	ok(has(reply, "\r\n0\r\n"), "which is told");
	reply = ask(site, "GET /fault HTTP/1.1\r\n" CLOSE "\r\n");
	ok(has_status(reply, "200") && !has(reply, "\r\n0\r\n"),
	    "a stream that fails has no end");
	reply = ask(site, "GET /large HTTP/1.1\r\n" CLOSE "\r\n");
	ok(strlen(body(reply)) == 4 << 20, "a large body is sent whole");
	scratch_remove(&scratch);
}

static void test_heads(const struct site *site)
{
	static const struct {
		const char *request;
		const char *claim;
	} cases[] = {
	    {"GET / HTTP/1.1\r\n\r\n", "no Host"},
	    {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "two Hosts"},
	    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
	     "Content-Length: 1\r\n\r\nx",
		"two Content-Lengths"},
	    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
	     "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"Content-Length beside Transfer-Encoding"},
	    {"POST / HTTP/1.1\r\nHost: a\r\n"
	     "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
		"another Transfer-Encoding"},
	    {"GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\n"
	     "Authorization: Bearer b\r\n\r\n",
		"two Authorizations"},
	    {"GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n",
		"a control in the target"},
	    {"GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "an absolute target"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *reply = ask(site, cases[i].request);
		ok(has_status(reply, "400") &&
			has(reply, "\r\nConnection: close\r\n") &&
			has(reply, "application/problem+json"),
		    "%s is a problem that ends the connection", cases[i].claim);
	}
}

static void test_long_head(const struct site *site)
{
	struct pv_buf request;
	pv_buf_init(&request, ASKING_MAX);
	pv_buf_append_text(&request, "GET / HTTP/1.1\r\n" CLOSE "X: ");
	for (int i = 0; i < 31 << 10; i++)
		pv_buf_append_char(&request, 'x');
	size_t len = request.len;
	pv_buf_append_text(&request, "\r\n\r\n");
	ok(has_status(ask(site, pv_buf_text(&request)), "200"),
	    "a head of 31 KiB is read");
	pv_buf_cut(&request, len);
	for (int i = 0; i < 2 << 10; i++)
		pv_buf_append_char(&request, 'x');
	pv_buf_append_text(&request, "\r\n\r\n");
	ok(has_status(ask(site, pv_buf_text(&request)), "431"),
	    "one of 33 KiB is refused");
	pv_buf_finish(&request);
}

/* Bytes that come now and then do not help. */
static void test_slow_heads(void)
{
	struct site site;
	struct pv_buf reply;
	plan_site(&site);
	site.plan.head_ms = 200;
	site.plan.body_ms = 200;
	start(&site);
	uint16_t port = pv_http_server_port(site.server);
	pv_buf_init(&reply, ASKING_MAX);
	int64_t began = asking_now(NULL);
	int fd = asking_connect(port);
	asking_send(fd, PV_STR("GET / HT"));
	ok(asking_receive(fd, &reply) && reply.len == 0,
	    "a head that does not come whole in its time is ended");
	ok(asking_now(NULL) - began >= 200, "and not before");
	close(fd);
	fd = asking_connect(port);
	while (asking_send(fd, PV_STR("x")) && asking_now(NULL) - began < 20000)
		poll(NULL, 0, 1);
	ok(asking_now(NULL) - began < 20000,
	    "and so is one of which a byte comes now and then");
	close(fd);
	ok(asking(port,
	       PV_STR("POST /echo HTTP/1.1\r\nHost: a\r\n"
		      "Content-Length: 9\r\n\r\nhalf"),
	       &reply) &&
		reply.len == 0,
	    "a body has its time, too");
	ok(asking(port, PV_STR("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), &reply) &&
		has(pv_buf_text(&reply), "0 / from"),
	    "a connection without a further request is ended after a reply");
	pv_buf_finish(&reply);
	stop(&site);
}

/* One who takes nothing of what is sent. */
static void test_slow_reader(void)
{
	struct site site;
	plan_site(&site);
	site.plan.send_ms = 100;
	start(&site);
	int fd = asking_connect(pv_http_server_port(site.server));
	int64_t began = asking_now(NULL);
	asking_send(fd, PV_STR("GET /endless HTTP/1.1\r\n" CLOSE "\r\n"));
	while (!site.closed && asking_now(NULL) - began < 20000)
		poll(NULL, 0, 1);
	ok(site.closed == 1,
	    "a reply that is not taken in its time is broken off");
	close(fd);
	stop(&site);
}

static void test_limits(void)
{
	struct site site;
	struct pv_buf reply;
	struct pv_network trusted;
	bool is_exact;
	plan_site(&site);
	site.plan.connections.per_peer_max = 2;
	start(&site);
	uint16_t port = pv_http_server_port(site.server);
	pv_buf_init(&reply, ASKING_MAX);
	int held[2] = {asking_connect(port), asking_connect(port)};
	for (int i = 0; i < 2; i++) {
		asking_send(
		    held[i], PV_STR("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
		asking_receive_until(held[i], "127.0.0.1", &reply);
		pv_buf_clear(&reply);
	}
	asking(port, PV_STR("GET / HTTP/1.1\r\n" CLOSE "\r\n"), &reply);
	ok(reply.len == 0, "the third connection of a peer that may have two "
			   "is closed");
	stop(&site);
	close(held[0]);
	close(held[1]);
	pv_network_read(PV_STR("127.0.0.0/8"), &trusted, &is_exact);
	plan_site(&site);
	site.plan.connections.per_peer_max = 0;
	site.plan.connections.trusted = &trusted;
	site.plan.connections.trusted_count = 1;
	start(&site);
	ok(has_status(ask(&site, "GET / HTTP/1.1\r\n" CLOSE "\r\n"), "200"),
	    "a proxy that is trusted may have more");
	pv_buf_finish(&reply);
	stop(&site);
}

static void test_stop(void)
{
	struct site site;
	struct pv_buf reply;
	plan_site(&site);
	start(&site);
	uint16_t port = pv_http_server_port(site.server);
	pv_buf_init(&reply, ASKING_MAX);
	int idle = asking_connect(port);
	int asked = asking_connect(port);
	int streaming = asking_connect(port);
	asking_send(asked, PV_STR("GET /long HTTP/1.1\r\nHost: a\r\n\r\n"));
	asking_send(
	    streaming, PV_STR("GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n"));
	ssize_t len = write(site.pipe[1], "first\n", 6);
	ok(len == 6 && asking_receive_until(streaming, "first\n", &reply),
	    "what a stream has is sent while it waits for more");
	stop(&site);
	ok(true, "stopping ends idle connections, answers and streams");
	ok(site.closed == 1, "the stream is closed once");
	ok(asking_receive(idle, &reply), "the other end sees the end");
	ok(asking_connect(port) < 0, "and nobody listens any more");
	close(idle);
	close(asked);
	close(streaming);
	pv_buf_finish(&reply);
	pv_http_server_stop(NULL);
}

static void test_unix(void)
{
	struct site site;
	struct scratch scratch;
	struct pv_buf reply;
	char where[300];
	scratch_make(&scratch);
	snprintf(
	    where, sizeof(where), "unix:%s", scratch_file(&scratch, "socket"));
	plan_site(&site);
	site.plan.listen = where;
	/* Who comes this way has no address to be counted by. */
	site.plan.connections.per_peer_max = 0;
	start(&site);
	pv_buf_init(&reply, ASKING_MAX);
	int fd = asking_connect_unix(where + 5);
	asking_send(fd, PV_STR("GET / HTTP/1.1\r\n" CLOSE "\r\n"));
	ok(asking_receive(fd, &reply) &&
		has(pv_buf_text(&reply), "0 / from unix"),
	    "a socket in the file system is served");
	ok(pv_http_server_port(site.server) == 0, "it has no port");
	close(fd);
	stop(&site);
	scratch_remove(&scratch);
	pv_buf_finish(&reply);
}

static void test_given(void)
{
	struct site site;
	struct site refused;
	struct sockaddr_in end = {
	    .sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	plan_site(&refused);
	refused.plan.listen = NULL;
	ok(!start(&refused), "a server does not start without a socket");
	plan_site(&site);
	site.plan.listen = NULL;
	site.plan.socket = fd;
	ok(bind(fd, (struct sockaddr *)&end, sizeof(end)) == 0 &&
		listen(fd, 8) == 0 && start(&site) &&
		has_status(
		    ask(&site, "GET / HTTP/1.1\r\n" CLOSE "\r\n"), "200"),
	    "a socket that was given is served");
	stop(&site);
}

/* What a client waits for that is in doubt whether its body is wanted. */
static void test_expectation(const struct site *site)
{
	struct pv_buf reply;
	pv_buf_init(&reply, ASKING_MAX);
	int fd = asking_connect(pv_http_server_port(site->server));
	asking_send(
	    fd, PV_STR("POST /echo HTTP/1.1\r\n" CLOSE "Content-Length: 5\r\n"
		       "Expect: 100-continue\r\n\r\n"));
	ok(asking_receive_until(fd, "\r\n\r\n", &reply) &&
		has(pv_buf_text(&reply), " 100 "),
	    "a client that asks before it sends a body is told to");
	asking_send(fd, PV_STR("hello"));
	ok(asking_receive(fd, &reply) && has(pv_buf_text(&reply), "hello"),
	    "and answered");
	close(fd);
	pv_buf_clear(&reply);
	asking(pv_http_server_port(site->server),
	    PV_STR("POST /echo HTTP/1.1\r\n" CLOSE "Content-Length: 9999999\r\n"
		   "Expect: 100-continue\r\n\r\n"),
	    &reply);
	ok(has_status(pv_buf_text(&reply), "413"),
	    "unless the body is too large");
	pv_buf_finish(&reply);
}

static void test_gone(const struct site *site)
{
	struct pv_buf reply;
	pv_buf_init(&reply, ASKING_MAX);
	int fd = asking_connect(pv_http_server_port(site->server));
	asking_send(fd, PV_STR("GET /long HTTP/1.1\r\n" CLOSE "\r\n"));
	shutdown(fd, SHUT_WR);
	ok(asking_receive(fd, &reply),
	    "an answer that waits sees that the other end is gone");
	close(fd);
	pv_buf_finish(&reply);
}

int main(void)
{
	struct site site;
	plan_site(&site);
	if (!ok(start(&site), "a server starts"))
		return tap_done();
	test_replies(&site);
	test_bodies(&site);
	test_long_chunks(&site);
	test_sources(&site);
	test_heads(&site);
	test_long_head(&site);
	test_expectation(&site);
	test_gone(&site);
	stop(&site);
	test_slow_heads();
	test_slow_reader();
	test_limits();
	test_stop();
	test_unix();
	test_given();
	return tap_done();
}
