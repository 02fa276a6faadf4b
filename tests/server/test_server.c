#include "server/server.h"

#include <sys/resource.h>

#include "server/scene.h"
#include "tap.h"

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

/* Time and number */

static const char *const everywhere[] = {"127.0.0.0/8", NULL};

static const struct server_route hello[] = {{.answer = {.body = "hello"}}};

static void test_delays(void)
{
	static const struct server_route routes[] = {
	    {.path = "/hour",
		.answer = {.body = "y", .head_pace = {.delay_ms = 3600000}}},
	    {.path = "/late",
		.answer = {.body = "x", .head_pace = {.delay_ms = 50}}},
	    {.path = "/slow",
		.answer = {.body = "123456",
		    .body_pace = {.delay_ms = 10, .piece = 1, .pause_ms = 10}}},
	    {.answer = {.body = "at once"}},
	};
	struct scene scene;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(routes)});
	int waiting = call(&scene, "127.0.0.1");
	int other = call(&scene, "127.0.0.1");
	int late = call(&scene, "127.0.0.1");
	ask_for(waiting, "/hour");
	server_wait(scene.server, 1, CALLER_TIMEOUT_MS);
	ask_for(other, "/");
	ok(hear_until(&scene, other, "at once") && !record_of(&scene, 0).end_us,
	    "one that waits keeps nobody waiting");
	close(waiting);
	ask_for(late, "/late");
	hear_until(&scene, late, "x");
	ask_for(late, "/slow");
	hear_until(&scene, late, "123456");
	server_wait_idle(scene.server, 4, CALLER_TIMEOUT_MS);
	struct server_record record = record_of(&scene, 2);
	ok(record.end_us - record.begin_us >= 50 * MS, "an answer comes late");
	record = record_of(&scene, 3);
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
			  SERVER_ROUTES(hello), .addresses = everywhere});
	getrlimit(RLIMIT_NOFILE, &limit);
	size_t count = limit.rlim_cur > 8200 ? 4000 : limit.rlim_cur / 2 - 100;
	int *fds = calloc(count, sizeof(*fds));
	size_t answered = 0;
	for (size_t i = 0; i < count; i++)
		fds[i] = call(&scene, i % 2 ? "127.0.0.1" : "127.9.9.9");
	for (size_t i = 0; i < count; i++)
		ask_for(fds[i], "/");
	for (size_t i = 0; i < count; i++)
		answered += hear_until(&scene, fds[i], "hello");
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
	begin(&scene, &(struct server_plan){SERVER_ROUTES(hello)});
	uint16_t port = server_port(scene.server);
	int fd = call(&scene, "127.0.0.1");
	ask_for(fd, "/");
	hear_until(&scene, fd, "hello");
	end(&scene);
	pv_buf_init(&scene.heard, CALLER_MAX);
	ok(caller_hear(fd, &scene.heard, 1, CALLER_TIMEOUT_MS) !=
		    CALLER_TIMED_OUT &&
		caller_open("127.0.0.1", port) < 0,
	    "a server that is stopped is gone");
	close(fd);
	begin(
	    &scene, &(struct server_plan){SERVER_ROUTES(hello), .port = port});
	ok(server_port(scene.server) == port, "and may come back where it was");
	end(&scene);
	server_stop(NULL);
}

int main(void)
{
	test_choices();
	test_function();
	test_delays();
	test_many();
	test_stop();
	return tap_done();
}
