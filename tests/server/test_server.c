#include "server/server.h"

#include "server/caller.h"
#include "tap.h"

/* A request, and all that comes until the connection ends. */
static enum caller_end ask(
    struct server *server, const char *path, struct pv_buf *heard)
{
	char request[256];
	int fd = caller_open("127.0.0.1", server_port(server));
	snprintf(request, sizeof(request),
	    "GET %s HTTP/1.1\r\nHost: a.test:80\r\nConnection: close\r\n\r\n",
	    path);
	pv_buf_clear(heard);
	caller_say(fd, request);
	enum caller_end end =
	    caller_hear(fd, heard, CALLER_MAX, CALLER_TIMEOUT_MS);
	close(fd);
	return end;
}

static const struct server_route sequence[] = {
    {.path = "/busy", .nth = 1, .answer = {.status = 503}},
    {.path = "/busy", .nth = 2, .answer = {.status = 429}},
    {.path = "/busy", .answer = {.body = "at last"}},
};

static void test_sequence(void)
{
	static const char *const wanted[] = {"503", "429", "200", "200"};
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(sequence)});
	struct pv_buf heard;
	pv_buf_init(&heard, CALLER_MAX);
	for (size_t i = 0; i < 4; i++) {
		ask(server, "/busy", &heard);
		is_text(pv_str_head(pv_str_from(pv_buf_str(&heard), 9), 3),
		    wanted[i], "answer %zu of a sequence is its own", i + 1);
	}
	ask(server, "/else", &heard);
	ok(pv_str_starts(pv_buf_str(&heard), PV_STR("HTTP/1.1 404 ")),
	    "what no route fits is not found");
	pv_buf_finish(&heard);
	server_stop(server);
}

int main(void)
{
	test_sequence();
	return tap_done();
}
