#include "server/head.h"

#include <inttypes.h>

struct reason {
	int status;
	const char *text;
};

static const struct reason reasons[] = {
    {200, "OK"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {410, "Gone"},
    {429, "Too Many Requests"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
};

static const char *reason_of(int status)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		if (reasons[i].status == status)
			return reasons[i].text;
	}
	return "Status";
}

static void add(struct pv_buf *buf, const char *name, const char *value)
{
	pv_buf_append_text(buf, name);
	pv_buf_append_text(buf, ": ");
	pv_buf_append_text(buf, value);
	pv_buf_append_text(buf, "\r\n");
}

static void add_framing(const struct server_answer *answer,
    const struct head_body *body, struct pv_buf *buf)
{
	if (answer->length)
		add(buf, "Content-Length", answer->length);
	else if (answer->framing == SERVER_WITH_LENGTH && !body->is_none &&
		 body->len != SERVER_ENDLESS)
		pv_buf_append_format(
		    buf, "Content-Length: %" PRIu64 "\r\n", body->len);
	if (answer->framing == SERVER_CHUNKED)
		add(buf, "Transfer-Encoding", "chunked");
}

bool head_asks_for_end(const struct server_answer *answer)
{
	if (answer->closes)
		return true;
	return !answer->stays_open &&
	       (answer->raw.ptr || answer->length ||
		   answer->framing == SERVER_UNTIL_CLOSE);
}

void head_write(const struct server_answer *answer,
    const struct head_body *body, struct pv_buf *buf)
{
	int status = answer->status ? answer->status : 200;
	const char *type = answer->type ? answer->type : "text/html";
	pv_buf_append_format(buf, "HTTP/1.1 %d %s\r\n", status,
	    answer->reason ? answer->reason : reason_of(status));
	if (*type && !body->is_none)
		add(buf, "Content-Type", type);
	add_framing(answer, body, buf);
	if (body->coding)
		add(buf, "Content-Encoding", body->coding);
	if (answer->closes)
		add(buf, "Connection", "close");
	if (answer->headers)
		pv_buf_append_text(buf, answer->headers);
	pv_buf_append(buf, answer->odd_headers);
	if (answer->own_headers)
		pv_buf_append(buf, pv_buf_str(answer->own_headers));
}
