#include "serve/http/reply.h"

#include <fcntl.h>
#include <unistd.h>

#include "tap.h"

static ssize_t read_nothing(void *ctx, char *bytes, size_t size)
{
	(void)ctx;
	(void)bytes;
	(void)size;
	return 0;
}

static void count(void *ctx)
{
	(*(int *)ctx)++;
}

static const char *header(const struct pv_reply *reply, const char *name)
{
	const char *value = pv_reply_header_get(reply, name);
	return value ? value : "(none)";
}

static void test_headers(void)
{
	struct pv_reply reply;
	pv_reply_init(&reply);
	ok(reply.status == 200 && reply.file == -1, "a new reply is 200");
	ok(!pv_reply_header_get(&reply, "Allow"), "and has no header");
	pv_reply_header(&reply, "Allow", "GET");
	pv_reply_header(&reply, "allow", "GET, POST");
	is_text(pv_str_of(header(&reply, "ALLOW")), "GET, POST",
	    "a header comes in the place of its namesake");
	ok(reply.header_count == 1, "so that there is one of it");
	pv_reply_header(&reply, "Set-Cookie", "a=1");
	pv_reply_header(&reply, "Set-Cookie", "b=2");
	ok(reply.header_count == 3, "there may be several cookies");
	pv_reply_header(&reply, "Location", "/a\r\nX: y");
	is_text(pv_str_of(header(&reply, "Location")), "/aX: y",
	    "a value cannot end its line");
	pv_reply_finish(&reply);
}

static void test_what_it_owns(void)
{
	struct pv_reply reply;
	int closed = 0;
	pv_reply_init(&reply);
	reply.stream = (struct pv_reply_stream){
	    .read = read_nothing, .close = count, .ctx = &closed};
	reply.file = open("/dev/null", O_RDONLY);
	int file = reply.file;
	reply.status = 404;
	pv_buf_append_text(&reply.body, "body");
	pv_reply_reset(&reply);
	ok(closed == 1, "a stream is closed once when the reply is reset");
	ok(fcntl(file, F_GETFD) < 0, "and so is a file");
	ok(reply.status == 200 && reply.body.len == 0, "it is as at first");
	pv_reply_finish(&reply);
	pv_reply_finish(&reply);
	ok(closed == 1, "and nothing is closed twice");
}

int main(void)
{
	test_headers();
	test_what_it_owns();
	return tap_done();
}
