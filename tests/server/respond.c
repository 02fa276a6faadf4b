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

/* False if there is neither a route nor a word of the function. */
static bool choose(const struct server *server,
    const struct server_request *request, struct server_answer *answer)
{
	const struct server_plan *plan = &server->plan;
	const struct server_route *route = route_find(plan, request);
	if (route)
		*answer = route->answer;
	return route ||
	       (plan->answer && plan->answer(plan->ctx, request, answer));
}

/* The buffers are the answer's, even where a function or a route knows nothing
 * of them. */
static void take_buffers(struct server_answer *answer, struct stream *stream)
{
	answer->own_body = &stream->own_body;
	answer->own_headers = &stream->own_headers;
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
	struct server_answer answer = {.status = 0};
	stream_clear(stream);
	take_buffers(&answer, stream);
	if (!choose(server, request, &answer)) {
		stream_clear(stream);
		answer = not_found;
	}
	take_buffers(&answer, stream);
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
