#include "fetch/fetch.h"

#include "fetch/flying.h"

static const struct server_route routes[] = {
    {.path = "/page", .answer = {.body = "a page"}},
    {.path = "/gone", .answer = {.status = 404, .body = "no"}},
    {.path = "/chunked",
	.answer = {.framing = SERVER_CHUNKED,
	    .kind = SERVER_PATTERN,
	    .size = 100000,
	    .chunks = {.trailers = "X-Last: 1\r\n"}}},
    {.path = "/close",
	.answer = {.framing = SERVER_UNTIL_CLOSE, .body = "to the end"}},
    {.path = "/empty", .answer = {.body = ""}},
};

static const struct {
	const char *path;
	int status;
	enum pv_framing framing;
	size_t size;
} answers[] = {
    {"a.test/page", 200, PV_FRAMING_LENGTH, 6},
    {"a.test/gone", 404, PV_FRAMING_LENGTH, 2},
    {"a.test/chunked", 200, PV_FRAMING_CHUNKED, 100000},
    {"a.test/close", 200, PV_FRAMING_CLOSE, 10},
    {"a.test/empty", 200, PV_FRAMING_LENGTH, 0},
};

static void test_answers(struct airport *airport, struct server *server)
{
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		struct journey journey;
		journey_to(&journey, airport, server, answers[i].path);
		journey_make(&journey);
		const struct pv_response *response = &journey.response;
		ok(response->outcome == PV_OUTCOME_ANSWERED &&
			response->stage == PV_STAGE_END &&
			response->http_status == answers[i].status &&
			response->http_version == 11 &&
			response->framing == answers[i].framing &&
			response->body.size == answers[i].size &&
			journey.sent_count == 1 && journey.end_count == 1 &&
			!response->why[0],
		    "%s is answered whole with %d", answers[i].path,
		    answers[i].status);
		printf("# %s %s\n", outcome_of(&journey), response->why);
		journey_finish(&journey);
	}
}

int main(void)
{
	struct airport airport;
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	airport_open(&airport, "version: 1\n");
	test_answers(&airport, server);
	ok(airport_close(&airport), "nothing of it stays on the loop");
	server_stop(server);
	return tap_done();
}
