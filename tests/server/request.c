#include "server/request.h"

#include "base/ascii.h"
#include "base/reader.h"

struct pv_str server_header(struct pv_str headers, const char *name)
{
	struct pv_str wanted = pv_str_of(name);
	struct pv_reader reader = pv_reader_of(headers);
	while (!pv_reader_is_end(&reader)) {
		struct pv_str line = pv_reader_take_line(&reader);
		size_t colon = pv_str_find(line, ':');
		if (colon != PV_NOT_FOUND &&
		    pv_str_equal_nocase(pv_str_head(line, colon), wanted))
			return pv_str_trim(pv_str_from(line, colon + 1));
	}
	return (struct pv_str){NULL, 0};
}

/* "[::1]:80" is ::1, and "a.test:80" a.test. */
static struct pv_str without_port(struct pv_str host)
{
	struct pv_reader reader = pv_reader_of(host);
	if (pv_reader_accept(&reader, '['))
		return pv_reader_take_until(&reader, ']');
	return pv_reader_take_until(&reader, ':');
}

static bool read_line(struct pv_str line, struct server_request *request)
{
	struct pv_reader reader = pv_reader_of(line);
	request->method = pv_reader_take_while(&reader, pv_is_token);
	if (!request->method.len || !pv_reader_accept(&reader, ' '))
		return false;
	request->target = pv_reader_take_until(&reader, ' ');
	request->path = pv_str_head(
	    request->target, pv_str_find(request->target, '?') != PV_NOT_FOUND
				 ? pv_str_find(request->target, '?')
				 : request->target.len);
	if (!pv_reader_accept_str(&reader, PV_STR(" HTTP/1.")))
		return false;
	int minor = pv_reader_next(&reader);
	request->is_last = minor == '0';
	return pv_is_digit(minor) && pv_reader_is_end(&reader) &&
	       request->target.len;
}

static void read_headers(struct pv_str headers, struct server_request *request)
{
	struct pv_str connection = server_header(headers, "connection");
	request->headers = headers;
	request->host = without_port(server_header(headers, "host"));
	if (pv_str_equal_nocase(connection, PV_STR("close")))
		request->is_last = true;
	if (pv_str_equal_nocase(connection, PV_STR("keep-alive")))
		request->is_last = false;
}

/* Adds the length of a body. */
static bool add_body(struct pv_str headers, size_t *len)
{
	uint64_t body = 0;
	struct pv_str value = server_header(headers, "content-length");
	struct pv_reader reader = pv_reader_of(value);
	if (value.ptr && (!pv_reader_take_number(&reader, 1 << 24, &body) ||
			     !pv_reader_is_end(&reader)))
		return false;
	*len += body;
	return !server_header(headers, "transfer-encoding").ptr;
}

enum request_read request_read(
    struct pv_str text, struct server_request *request, size_t *len)
{
	if (text.len && !pv_is_token((unsigned char)text.ptr[0]))
		return REQUEST_MALFORMED;
	const char *end = memmem(pv_str_bytes(text), text.len, "\r\n\r\n", 4);
	if (!end)
		return REQUEST_UNFINISHED;
	struct pv_str head = pv_str_head(text, (size_t)(end - text.ptr) + 2);
	struct pv_reader reader = pv_reader_of(head);
	struct server_request read = {.nth = 0};
	struct pv_str line = pv_reader_take_line(&reader);
	struct pv_str headers = pv_reader_rest(&reader);
	size_t total = head.len + 2;
	if (!read_line(line, &read) || !add_body(headers, &total))
		return REQUEST_MALFORMED;
	if (total > text.len)
		return REQUEST_UNFINISHED;
	read_headers(headers, &read);
	read.body =
	    pv_str_head(pv_str_from(text, head.len + 2), total - head.len - 2);
	*request = read;
	*len = total;
	return REQUEST_READ;
}
