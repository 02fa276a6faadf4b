#include "serve/http/problem.h"

#include "tap.h"

static int closed;

static ssize_t read_nothing(void *ctx, char *bytes, size_t size)
{
	(void)ctx;
	(void)bytes;
	(void)size;
	return 0;
}

static void note_close(void *ctx)
{
	(void)ctx;
	closed++;
}

int main(void)
{
	struct pv_reply reply;
	pv_reply_init(&reply);
	pv_buf_append_text(&reply.body, "half a page");
	reply.stream.read = read_nothing;
	reply.stream.close = note_close;
	pv_reply_header(&reply, "Allow", "GET");
	pv_problem_reply(&reply, 405, "\"%s\" is only read", "/jobs");
	is_text(pv_buf_str(&reply.body),
	    "{\"type\":\"about:blank\",\"title\":\"Method Not Allowed\","
	    "\"status\":405,\"detail\":\"\\\"/jobs\\\" is only read\"}",
	    "a problem has type, title, status and detail");
	is_text(pv_str_of(reply.type), "application/problem+json",
	    "and its own media type");
	ok(reply.status == 405, "the reply has its status");
	ok(closed == 1 && !reply.stream.read, "a stream is dropped");
	ok(pv_reply_header_get(&reply, "Allow"), "headers stay");
	pv_problem_reply(&reply, 400, "%s", "a\x1b[1mb\xff");
	ok(strstr(pv_buf_text(&reply.body), "a\\\\x1b[1mb\\\\xff"),
	    "what it quotes is made visible");
	is_text(pv_str_of(pv_problem_title(299)), "Error",
	    "a status that we do not give is called Error");
	pv_reply_finish(&reply);
	return tap_done();
}
