#include "server/respond.h"

#include "server/head.h"
#include "server/inside.h"

static const struct server_answer not_found = {
    .status = 404,
    .body = "<title>nothing is here</title>\n",
};

static const struct server_answer malformed = {
    .status = 400,
    .body = "<title>that is no request</title>\n",
    .closes = true,
};

static struct server_answer choose(const struct server *server,
    const struct server_request *request, struct stream *stream)
{
	const struct server_plan *plan = &server->plan;
	const struct server_route *route = route_find(plan, request);
	struct server_answer answer = {
	    .own_body = &stream->own_body,
	    .own_headers = &stream->own_headers,
	};
	if (!route && plan->answer && plan->answer(plan->ctx, request, &answer))
		return answer;
	/* What a function wrote before it found that it has none. */
	stream_clear(stream);
	answer = route ? route->answer : not_found;
	answer.own_body = &stream->own_body;
	answer.own_headers = &stream->own_headers;
	return answer;
}

static void expand(const struct server *server,
    const struct server_request *request, struct server_answer *answer)
{
	if (answer->location) {
		pv_buf_append_text(answer->own_headers, "Location: ");
		server_expand(server, request, pv_str_of(answer->location),
		    answer->own_headers);
		pv_buf_append_text(answer->own_headers, "\r\n");
	}
	if (answer->is_template && answer->body)
		server_expand(
		    server, request, pv_str_of(answer->body), answer->own_body);
}

bool respond(struct server *server, struct server_request *request,
    struct stream *stream)
{
	stream_clear(stream);
	struct server_answer answer = choose(server, request, stream);
	expand(server, request, &answer);
	stream_begin(
	    stream, &answer, pv_str_equal(request->method, PV_STR("HEAD")));
	return request->is_last || head_asks_for_end(&answer);
}

void respond_malformed(struct stream *stream)
{
	stream_clear(stream);
	stream_begin(stream, &malformed, false);
}
