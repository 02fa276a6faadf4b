#include "server/request.h"

#include "tap.h"

struct row {
	const char *text;
	enum request_read read;
	const char *host;
	const char *path;
	size_t len; /* 0 is all */
	bool is_last;
};

static const struct row rows[] = {
    {.text = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n",
	REQUEST_READ,
	"a.test",
	"/"},
    {.text = "GET /a?b HTTP/1.1\r\nHost: a.test:80\r\n\r\n",
	REQUEST_READ,
	"a.test",
	"/a"},
    {.text = "GET / HTTP/1.1\r\nhost: [::1]:80\r\n\r\n",
	REQUEST_READ,
	"::1",
	"/"},
    {.text = "GET / HTTP/1.1\r\n\r\n", REQUEST_READ, "", "/"},
    {.text = "GET / HTTP/1.0\r\n\r\n", REQUEST_READ, "", "/", 0, true},
    {.text = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
	REQUEST_READ,
	"",
	"/"},
    {.text = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
	REQUEST_READ,
	"",
	"/",
	0,
	true},
    {.text = "GET / HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n",
	REQUEST_READ,
	"",
	"/",
	18},
    {.text = "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nabcd",
	REQUEST_READ,
	"",
	"/",
	40},
    {.text = "", REQUEST_UNFINISHED},
    {.text = "G", REQUEST_UNFINISHED},
    {.text = "GET / HTTP/1.1\r\nHost: a.test\r\n", REQUEST_UNFINISHED},
    {.text = "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\na",
	REQUEST_UNFINISHED},
    {.text = "\x16\x03\x01\x02", REQUEST_MALFORMED},
    {.text = "GET /\r\n\r\n", REQUEST_MALFORMED},
    {.text = "GET / b HTTP/1.1\r\n\r\n", REQUEST_MALFORMED},
    {.text = "GET  / HTTP/1.1\r\n\r\n", REQUEST_MALFORMED},
    {.text = "GET / HTTP/2.0\r\n\r\n", REQUEST_MALFORMED},
    {.text = "GET / HTTP/1.12\r\n\r\n", REQUEST_MALFORMED},
    {.text = "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", REQUEST_MALFORMED},
    {.text = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
	REQUEST_MALFORMED},
};

static void test_rows(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *row = &rows[i];
		struct server_request request = {.nth = 0};
		size_t len = 0;
		size_t wanted = row->len ? row->len : strlen(row->text);
		enum request_read read =
		    request_read(pv_str_of(row->text), &request, &len);
		if (!ok(read == row->read, "request %zu is read so", i) ||
		    read != REQUEST_READ)
			continue;
		is_text(request.host, row->host, "its host");
		is_text(request.path, row->path, "its path");
		ok(len == wanted && request.is_last == row->is_last,
		    "its length, and whether it is the last");
	}
}

static void test_headers(void)
{
	struct pv_str headers =
	    PV_STR("Accept: a\r\nx-two:b\r\nX-Two: c\r\nempty:\r\n");
	is_text(server_header(headers, "ACCEPT"), "a",
	    "a header is found in either case");
	is_text(server_header(headers, "X-Two"), "b", "the first counts");
	ok(server_header(headers, "empty").ptr &&
		!server_header(headers, "Acc").ptr,
	    "an empty one is told from none");
}

static void test_body(void)
{
	struct server_request request;
	size_t len;
	request_read(PV_STR("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nabcd"),
	    &request, &len);
	is_text(request.body, "ab", "a body is as long as its head says");
}

int main(void)
{
	test_body();
	test_rows();
	test_headers();
	return tap_done();
}
