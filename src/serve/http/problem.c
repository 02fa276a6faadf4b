#include "serve/http/problem.h"

#include <unistd.h>

#include "base/json/json.h"
#include "base/visible.h"

#define DETAIL_MAX 4096

const char *pv_problem_title(unsigned status)
{
	static const struct {
		unsigned status;
		const char *title;
	} titles[] = {
	    {400, "Bad Request"},
	    {401, "Unauthorized"},
	    {403, "Forbidden"},
	    {404, "Not Found"},
	    {405, "Method Not Allowed"},
	    {408, "Request Timeout"},
	    {409, "Conflict"},
	    {410, "Gone"},
	    {413, "Content Too Large"},
	    {415, "Unsupported Media Type"},
	    {416, "Range Not Satisfiable"},
	    {421, "Misdirected Request"},
	    {422, "Unprocessable Content"},
	    {429, "Too Many Requests"},
	    {431, "Request Header Fields Too Large"},
	    {500, "Internal Server Error"},
	    {501, "Not Implemented"},
	    {503, "Service Unavailable"},
    {507, "Insufficient Storage"},
	};
	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++) {
		if (titles[i].status == status)
			return titles[i].title;
	}
	return "Error";
}

/* So that no stream or file is sent in the place of the sentence. */
static void drop_body(struct pv_reply *reply)
{
	if (reply->stream.read && reply->stream.close)
		reply->stream.close(reply->stream.ctx);
	reply->stream = (struct pv_reply_stream){0};
	if (reply->file >= 0)
		close(reply->file);
	reply->file = -1;
	pv_buf_clear(&reply->body);
}

void pv_problem_reply(
    struct pv_reply *reply, unsigned status, const char *format, ...)
{
	struct pv_buf detail;
	va_list list;
	pv_buf_init(&detail, DETAIL_MAX);
	va_start(list, format);
	pv_visible_append_format_list(&detail, format, list);
	va_end(list);
	struct pv_json *problem = pv_json_object();
	pv_json_set_text(problem, "type", "about:blank");
	pv_json_set_text(problem, "title", pv_problem_title(status));
	pv_json_set(problem, "status", pv_json_integer(status));
	pv_json_set(problem, "detail", pv_json_text(pv_buf_str(&detail)));
	drop_body(reply);
	reply->status = status;
	reply->type = "application/problem+json";
	pv_json_write(problem, false, &reply->body);
	pv_json_destroy(problem);
	pv_buf_finish(&detail);
}
