#include "fetch/arrival.h"

#include "fetch/flying.h"
#include "server/hole.h"

/* What servers do that they should not, as it comes over the wire: how their
 * connections break, and how they frame what they send. */

#define RAW(text) .raw = PV_STR(text)
#define OK_LINE "HTTP/1.1 200 OK\r\n"
#define HTML "Content-Type: text/html\r\n"

static const struct server_route routes[] = {
    {.path = "/page", .answer = {.body = "a page"}},
    {.path = "/reset",
	.answer = {.kind = SERVER_ZEROS,
	    .size = 100000,
	    .fault = {SERVER_RESET, SERVER_IN_BODY, 1000}}},
    {.path = "/reset-before", .answer = {.fault = {.kind = SERVER_RESET}}},
    {.path = "/close-before", .answer = {.fault = {.kind = SERVER_CLOSE}}},
    {.path = "/close-head",
	.answer = {.fault = {SERVER_CLOSE, SERVER_IN_HEAD, 30}}},
    {.path = "/close-status",
	.answer = {.fault = {SERVER_CLOSE, SERVER_IN_HEAD, 9}}},
    {.path = "/until-close",
	.answer = {.body = "whole", .framing = SERVER_UNTIL_CLOSE}},
    {.path = "/too-short",
	.answer = {.body = "short", .length = "1000", .closes = true}},
    {.path = "/cut-chunks",
	.answer = {.kind = SERVER_ZEROS,
	    .size = 10000,
	    .framing = SERVER_CHUNKED,
	    .fault = {SERVER_CLOSE, SERVER_IN_BODY, 4096}}},
    {.path = "/no-last-chunk",
	.answer = {.body = "chunks",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.has_no_end = true},
	    .closes = true}},
    {.path = "/huge-chunk",
	.answer = {.body = "x",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.line = "FFFFFFFFFFFFFFFF"},
	    .closes = true}},
    {.path = "/long-chunk",
	.answer = {.body = "x",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.line = "00000000000000000001"},
	    .closes = true}},
    {.path = "/negative-chunk",
	.answer = {.body = "x",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.line = "-1"},
	    .closes = true}},
    {.path = "/extended-chunk",
	.answer = {.body = "x",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.line = "1;name=\"value\"", .trailers = "A: b\r\n"}}},
    {.path = "/trailers",
	.answer = {.body = "x",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.trailers = "A: b\r\nContent-Type: image/png\r\n"}}},
    {.path = "/negative-length", .answer = {.body = "x", .length = "-1"}},
    {.path = "/huge-length",
	.answer = {.body = "x", .length = "18446744073709551616"}},
    {.path = "/two-lengths",
	.answer = {.body = "five5", .headers = "Content-Length: 6\r\n"}},
    {.path = "/same-lengths",
	.answer = {.body = "five5", .headers = "Content-Length: 5\r\n"}},
    {.path = "/both",
	.answer = {.body = "chunks",
	    .framing = SERVER_CHUNKED,
	    .headers = "Content-Length: 3\r\n"}},
    {.path = "/endless",
	.answer = {.kind = SERVER_ZEROS,
	    .size = SERVER_ENDLESS,
	    .framing = SERVER_CHUNKED}},
    {.path = "/long",
	.answer = {.kind = SERVER_ZEROS, .size = 2 * 1024 * 1024}},
    {.path = "/long-header",
	.answer = {.extra_count = 1, .extra_size = 1000000}},
    {.path = "/three-long-headers",
	.answer = {.extra_count = 3, .extra_size = 90000}},
    {.path = "/many-headers",
	.answer = {.extra_count = 100000, .extra_size = 16}},
    {.path = "/nul", .answer = {.odd_headers = PV_STR("A: b\0c\r\n")}},
    {.path = "/bare-cr",
	.answer = {.body = "x", .odd_headers = PV_STR("A: b\rc\r\n")}},
    {.path = "/bare-lf",
	.answer = {RAW("HTTP/1.1 200 OK\nContent-Length: 1\n\nx")}},
    {.path = "/fold", .answer = {.body = "x", .headers = "A: b\r\n c\r\n"}},
    {.path = "/no-colon", .answer = {.headers = "nonsense\r\n"}},
    {.path = "/space-colon", .answer = {.body = "x", .headers = "A : b\r\n"}},
    {.path = "/two-statuses", .answer = {RAW(OK_LINE OK_LINE "\r\n")}},
    {.path = "/many-interims", .answer = {.interims = 9}},
    {.path = "/endless-interims", .answer = {.interims = SERVER_ENDLESS}},
    {.path = "/switch",
	.answer = {RAW("HTTP/1.1 101 x\r\nUpgrade: y\r\n\r\n")}},
    {.path = "/204-with-body",
	.answer = {.status = 204,
	    .has_body_anyway = true,
	    .body = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"}},
    {.path = "/304-with-body",
	.answer = {.status = 304, .has_body_anyway = true, .body = "x"}},
    {.path = "/after",
	.answer = {.body = "one",
	    .after =
		PV_STR("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")}},
    {.path = "/long-etag",
	.answer = {.body = "x", .extra_count = 1, .extra_size = 90000}},
    {.path = "/negotiate",
	.answer = {.status = 401,
	    .headers = "WWW-Authenticate: Negotiate\r\n"
		       "WWW-Authenticate: NTLM\r\n"
		       "WWW-Authenticate: Digest realm=x, nonce=y\r\n"
		       "WWW-Authenticate: Basic realm=x\r\n"}},
    {.path = "/407",
	.answer = {.status = 407,
	    .headers = "Proxy-Authenticate: Basic realm=x\r\n"}},
    /* no HTTP at all */
    {.path = "/not-http", .answer = {RAW("SSH-2.0-OpenSSH_9.2\r\n")}},
    {.path = "/http09", .answer = {RAW("<html>as in 1991</html>")}},
    {.path = "/binary", .answer = {RAW("\x16\x03\x01\x02\x00\x01\x00\x01")}},
    {.path = "/status-99", .answer = {RAW("HTTP/1.1 99 x\r\n\r\n")}},
    {.path = "/status-1000", .answer = {RAW("HTTP/1.1 1000 x\r\n\r\n")}},
    {.path = "/status-999",
	.answer = {RAW("HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n")}},
    {.path = "/http-7",
	.answer = {RAW("HTTP/7.7 200 x\r\nContent-Length: 0\r\n\r\n")}},
    {.path = "/http-10", .answer = {RAW("HTTP/1.0 200 x\r\n\r\nold")}},
    {.path = "/escapes",
	.answer = {RAW("HTTP/1.1 200 \x1b]0;x\x07\r\nA: b\r\n"
		       "Content-Length: 0\r\n\r\n")}},
};

static const struct {
	const char *path;
	enum pv_outcome outcome;
	enum pv_stage stage;
	uint64_t size;   /* of the body that is kept */
	const char *why; /* a part of it; NULL for none */
} cases[] = {
    {"/reset", PV_OUTCOME_BROKEN_OFF, PV_STAGE_BODY, 1000, "reset"},
    {"/reset-before", PV_OUTCOME_BROKEN_OFF, PV_STAGE_WAIT, 0, "reset"},
    {"/close-before", PV_OUTCOME_BROKEN_OFF, PV_STAGE_WAIT, 0,
	"without an answer"},
    {"/close-head", PV_OUTCOME_BROKEN_OFF, PV_STAGE_HEADER, 0,
	"within the headers"},
    {"/close-status", PV_OUTCOME_BROKEN_OFF, PV_STAGE_WAIT, 0,
	"without an answer"},
    {"/until-close", PV_OUTCOME_ANSWERED, PV_STAGE_END, 5, NULL},
    {"/too-short", PV_OUTCOME_BROKEN_OFF, PV_STAGE_BODY, 5, "before the end"},
    {"/cut-chunks", PV_OUTCOME_BROKEN_OFF, PV_STAGE_BODY, 4096,
	"before the end"},
    {"/no-last-chunk", PV_OUTCOME_BROKEN_OFF, PV_STAGE_BODY, 6,
	"before the end"},
    {"/huge-chunk", PV_OUTCOME_BROKEN_OFF, PV_STAGE_BODY, 0, "chunk"},
    {"/long-chunk", PV_OUTCOME_BROKEN_OFF, PV_STAGE_BODY, 0, "chunk"},
    {"/negative-chunk", PV_OUTCOME_BROKEN_OFF, PV_STAGE_BODY, 0, "chunk"},
    {"/extended-chunk", PV_OUTCOME_ANSWERED, PV_STAGE_END, 1, NULL},
    {"/trailers", PV_OUTCOME_ANSWERED, PV_STAGE_END, 1, NULL},
    {"/negative-length", PV_OUTCOME_NOT_HTTP, PV_STAGE_HEADER, 0,
	"Content-Length"},
    {"/huge-length", PV_OUTCOME_NOT_HTTP, PV_STAGE_HEADER, 0, "not a number"},
    {"/two-lengths", PV_OUTCOME_NOT_HTTP, PV_STAGE_HEADER, 0, "two different"},
    {"/same-lengths", PV_OUTCOME_ANSWERED, PV_STAGE_END, 5, NULL},
    {"/both", PV_OUTCOME_ANSWERED, PV_STAGE_END, 6, NULL},
    {"/endless", PV_OUTCOME_TOO_LARGE, PV_STAGE_BODY, BODY_MAX, "is longer"},
    {"/long", PV_OUTCOME_TOO_LARGE, PV_STAGE_BODY, 0, "2097152 bytes"},
    {"/long-header", PV_OUTCOME_TOO_LARGE, PV_STAGE_HEADER, 0, "header"},
    {"/three-long-headers", PV_OUTCOME_TOO_LARGE, PV_STAGE_HEADER, 0,
	"headers"},
    {"/many-headers", PV_OUTCOME_TOO_LARGE, PV_STAGE_HEADER, 0, "headers"},
    {"/nul", PV_OUTCOME_NOT_HTTP, PV_STAGE_HEADER, 0, "ul byte"},
    {"/bare-cr", PV_OUTCOME_ANSWERED, PV_STAGE_END, 1, NULL},
    {"/bare-lf", PV_OUTCOME_ANSWERED, PV_STAGE_END, 1, NULL},
    {"/fold", PV_OUTCOME_ANSWERED, PV_STAGE_END, 1, NULL},
    {"/no-colon", PV_OUTCOME_NOT_HTTP, PV_STAGE_HEADER, 0, "colon"},
    {"/space-colon", PV_OUTCOME_ANSWERED, PV_STAGE_END, 1, NULL},
    {"/two-statuses", PV_OUTCOME_NOT_HTTP, PV_STAGE_HEADER, 0, "colon"},
    {"/many-interims", PV_OUTCOME_TOO_LARGE, PV_STAGE_HEADER, 0, "interim"},
    {"/endless-interims", PV_OUTCOME_TOO_LARGE, PV_STAGE_HEADER, 0, "interim"},
    {"/switch", PV_OUTCOME_NOT_HTTP, PV_STAGE_HEADER, 0, "another protocol"},
    {"/204-with-body", PV_OUTCOME_ANSWERED, PV_STAGE_END, 0, NULL},
    {"/304-with-body", PV_OUTCOME_NOT_HTTP, PV_STAGE_HEADER, 0,
	"a request without conditions"},
    {"/after", PV_OUTCOME_ANSWERED, PV_STAGE_END, 3, NULL},
    {"/long-etag", PV_OUTCOME_ANSWERED, PV_STAGE_END, 1, NULL},
    {"/negotiate", PV_OUTCOME_ANSWERED, PV_STAGE_END, 0, NULL},
    {"/407", PV_OUTCOME_ANSWERED, PV_STAGE_END, 0, NULL},
    {"/not-http", PV_OUTCOME_NOT_HTTP, PV_STAGE_WAIT, 0, "HTTP/0.9"},
    {"/http09", PV_OUTCOME_NOT_HTTP, PV_STAGE_WAIT, 0, "HTTP/0.9"},
    {"/binary", PV_OUTCOME_NOT_HTTP, PV_STAGE_WAIT, 0, "HTTP/0.9"},
    {"/status-99", PV_OUTCOME_NOT_HTTP, PV_STAGE_WAIT, 0, ""},
    {"/status-1000", PV_OUTCOME_NOT_HTTP, PV_STAGE_WAIT, 0, ""},
    {"/status-999", PV_OUTCOME_ANSWERED, PV_STAGE_END, 0, NULL},
    {"/http-7", PV_OUTCOME_NOT_HTTP, PV_STAGE_WAIT, 0, "version"},
    {"/http-10", PV_OUTCOME_ANSWERED, PV_STAGE_END, 3, NULL},
    {"/escapes", PV_OUTCOME_ANSWERED, PV_STAGE_END, 0, NULL},
};

/* Nothing of what went before may be taken for its answer. Some servers close
 * without saying so, and if that crosses our request, we ask again. */
static void test_next(
    struct airport *airport, struct server *server, const char *where)
{
	struct journey journey;
	journey_make_to(&journey, airport, server, where);
	if (journey.response.is_kept &&
	    journey.response.outcome == PV_OUTCOME_BROKEN_OFF &&
	    journey.response.stage == PV_STAGE_WAIT) {
		journey_finish(&journey);
		journey_make_to(&journey, airport, server, where);
	}
	is_text(body_of(&journey), "a page", "and the next answer is its own");
	journey_finish(&journey);
}

static void test_cases(struct airport *airport, struct server *server)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char where[128];
		struct journey journey;
		size_t before = server_log_count(server);
		snprintf(where, sizeof(where), "%zu.test%s", i, cases[i].path);
		journey_make_to(&journey, airport, server, where);
		const struct pv_response *response = &journey.response;
		bool is_right =
		    response->outcome == cases[i].outcome &&
		    response->stage == cases[i].stage &&
		    response->body.size == cases[i].size &&
		    (cases[i].why ? strstr(response->why, cases[i].why) != NULL
				  : !response->why[0]);
		ok(is_right, "%s: %s", cases[i].path,
		    pv_outcome_word(cases[i].outcome));
		if (!is_right)
			printf("# %s at %s, %u bytes: %s\n",
			    outcome_of(&journey),
			    pv_stage_word(response->stage),
			    (unsigned)response->body.size, response->why);
		ok(journey.sent_count == 1 && journey.end_count == 1 &&
			server_log_count(server) == before + 1 &&
			!response->is_own_fault,
		    "for one request, which is the host's doing");
		journey_finish(&journey);
		snprintf(where, sizeof(where), "%zu.test/page", i);
		test_next(airport, server, where);
	}
}

static void test_kept(struct airport *airport, struct server *server)
{
	static const struct {
		const char *where;
		bool is_kept;
	} after[] = {
	    {"kept.test/page", true},
	    {"kept.test/both", false},
	    {"kept.test/until-close", false},
	    {"kept.test/204-with-body", false},
	    {"kept.test/extended-chunk", true},
	    {"kept.test/http-10", false},
	};
	for (size_t i = 0; i < sizeof(after) / sizeof(*after); i++) {
		struct journey journey;
		journey_make_to(&journey, airport, server, after[i].where);
		journey_finish(&journey);
		journey_make_to(&journey, airport, server, "kept.test/page");
		ok(journey.response.is_kept == after[i].is_kept,
		    "after %s the connection is %s", after[i].where,
		    after[i].is_kept ? "kept" : "closed");
		journey_finish(&journey);
	}
}

static void test_kept_headers(struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_make_to(&journey, airport, server, "evil.test/bare-cr");
	ok(!header_of(&journey, "A").ptr, "a line with a bare CR is left out");
	journey_finish(&journey);
	journey_make_to(&journey, airport, server, "evil.test/fold");
	is_text(header_of(&journey, "A"), "b c", "a fold is a space");
	journey_finish(&journey);
	journey_make_to(&journey, airport, server, "evil.test/trailers");
	is_text(header_of(&journey, "Content-Type"), "text/html",
	    "trailers change nothing");
	ok(!header_of(&journey, "A").ptr, "and are not kept");
	journey_finish(&journey);
	journey_make_to(&journey, airport, server, "evil.test/negotiate");
	struct server_record record = last_record(server);
	ok(!server_header(record.headers, "Authorization").ptr,
	    "no challenge gets credentials that nobody gave");
	journey_finish(&journey);
}

static void test_beginning(struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_to(&journey, airport, server, "evil.test/long");
	journey.request.is_beginning_enough = true;
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_TOO_LARGE &&
		journey.response.body.size == BODY_MAX,
	    "of a long body the beginning is read where that is enough");
	journey_finish(&journey);
}

static void test_shut(struct airport *airport)
{
	struct shut_port shut;
	struct journey journey;
	char url[64];
	if (!shut_port_open(&shut)) {
		tap_skip("a refused connection is told", "no port is shut");
		return;
	}
	snprintf(url, sizeof(url), "http://a.test:%u/", (unsigned)shut.port);
	for (int i = 0; i < 2; i++) {
		journey_init(&journey, airport, url, "127.0.0.1");
		journey_make(&journey);
		ok(journey.response.outcome == PV_OUTCOME_NO_CONNECTION &&
			journey.response.stage == PV_STAGE_CONNECT &&
			!journey.response.is_own_fault &&
			journey.sent_count == 0,
		    "a refused connection is none, and nothing was sent");
		is_text(pv_str_of(journey.response.why), "connection refused",
		    "and that is said");
		journey_finish(&journey);
	}
	shut_port_close(&shut);
}

int main(void)
{
	struct airport airport;
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	airport_open(&airport, "version: 1\n");
	test_cases(&airport, server);
	test_kept(&airport, server);
	test_kept_headers(&airport, server);
	test_beginning(&airport, server);
	test_shut(&airport);
	ok(airport_close(&airport), "nothing of it stays on the loop");
	server_stop(server);
	return tap_done();
}
