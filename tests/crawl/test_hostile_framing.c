#include "crawl/hostile.h"
#include "together.h"

/* Hosts that misbehave in how they say where an answer begins and ends
 * (hostile.md, B2 and B3), each beside an innocent one. */

#define RAW(text) .raw = PV_STR(text)
#define HTML_HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

static const struct misdeed slow[] = {
    /* 12, 13 */
    {"says-nothing", {.fault = {.kind = SERVER_STALL}}, .outcome = "timeout",
	.requests = 2},
    {"stalls-in-head", {.fault = {SERVER_STALL, SERVER_IN_HEAD, 20}},
	.outcome = "timeout", .requests = 2},
    {"stalls-in-body",
	{.kind = SERVER_PATTERN,
	    .size = 100000,
	    .fault = {SERVER_STALL, SERVER_IN_BODY, 1000}},
	.outcome = "timeout", .requests = 2},
    /* 31 */
    {"slowloris",
	{.kind = SERVER_PATTERN,
	    .size = 100000,
	    .body_pace = {.piece = 1, .pause_ms = 100}},
	.outcome = "timeout", .requests = 2},
    {"slow-head", {.head_pace = {.piece = 1, .pause_ms = 100}},
	.outcome = "timeout", .requests = 2},
};

static const struct misdeed connections[] = {
    /* 12, 13 */
    {"reset-at-once", {.fault = {.kind = SERVER_RESET}},
	.outcome = "broken-off", .requests = 2},
    {"close-at-once", {.fault = {.kind = SERVER_CLOSE}},
	.outcome = "broken-off", .requests = 2},
    {"close-in-head", {.fault = {SERVER_CLOSE, SERVER_IN_HEAD, 30}},
	.outcome = "broken-off", .requests = 2},
    {"reset-in-body",
	{.kind = SERVER_PATTERN,
	    .size = 100000,
	    .fault = {SERVER_RESET, SERVER_IN_BODY, 1000}},
	.outcome = "broken-off", .requests = 2},
    /* no HTTP at all */
    {"ssh", {RAW("SSH-2.0-OpenSSH_9.2\r\n")}, .outcome = "not-http"},
    {"http09", {RAW("<html><a href=/x>as in 1991</a></html>")},
	.outcome = "not-http"},
    {"binary", {RAW("\x16\x03\x01\x02\x00\x01\x00\x01")},
	.outcome = "not-http"},
    {"status-99", {RAW("HTTP/1.1 99 x\r\n\r\n")}, .outcome = "not-http"},
    {"http-7", {RAW("HTTP/7.7 200 x\r\n\r\n")}, .outcome = "not-http"},
    {"escapes", {RAW("HTTP/1.1 200 \x1b]0;x\x07\r\nContent-Length: 0\r\n\r\n")},
	.outcome = "answered", .is_kept = true},
};

static const struct misdeed lengths[] = {
    /* 24 to 29 */
    {"until-close", {.body = "to the end", .framing = SERVER_UNTIL_CLOSE},
	.outcome = "answered", .is_kept = true,
	.line = "\"framing\":\"close\""},
    {"too-short", {.body = "short", .length = "1000", .closes = true},
	.outcome = "broken-off", .requests = 2},
    {"cut-chunks",
	{.kind = SERVER_PATTERN,
	    .size = 10000,
	    .framing = SERVER_CHUNKED,
	    .fault = {SERVER_CLOSE, SERVER_IN_BODY, 4096}},
	.outcome = "broken-off", .requests = 2},
    {"no-last-chunk",
	{.body = "<a href=/x>x</a>",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.has_no_end = true},
	    .closes = true},
	.outcome = "broken-off", .requests = 2},
    {"huge-chunk",
	{.body = "x",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.line = "FFFFFFFFFFFFFFFF"},
	    .closes = true},
	.outcome = "broken-off", .requests = 2},
    {"long-chunk",
	{.body = "x",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.line = "00000000000000000001"},
	    .closes = true},
	.outcome = "broken-off", .requests = 2},
    {"negative-chunk",
	{.body = "x",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.line = "-1"},
	    .closes = true},
	.outcome = "broken-off", .requests = 2},
    {"extended-chunk",
	{.body = "x",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.line = "1;a=b", .trailers = "A: b\r\n"}},
	.outcome = "answered", .is_kept = true},
    {"negative-length", {.body = "x", .length = "-1"}, .outcome = "not-http"},
    {"huge-length", {.body = "x", .length = "18446744073709551616"},
	.outcome = "not-http"},
    {"two-lengths", {.body = "five5", .headers = "Content-Length: 6\r\n"},
	.outcome = "not-http"},
    {"both",
	{.body = "chunks",
	    .framing = SERVER_CHUNKED,
	    .headers = "Content-Length: 3\r\n"},
	.outcome = "answered", .is_kept = true},
    /* 43: what comes behind an answer is no answer to anything */
    {"nothing-and-more",
	{.status = 204,
	    .has_body_anyway = true,
	    .body = HTML_HEAD "Content-Length: 6\r\n\r\nforged"},
	.outcome = "answered", .is_kept = true},
    {"unchanged", {.status = 304}, .outcome = "not-http"},
    {"empty", {.body = ""}, .outcome = "answered", .is_kept = true},
    {"and-more",
	{.body = "one",
	    .after = PV_STR(HTML_HEAD "Content-Length: 6\r\n\r\nforged")},
	.outcome = "answered", .is_kept = true},
};

static const struct misdeed headers[] = {
    /* 33 */
    {"long-header", {.extra_count = 1, .extra_size = 1000000},
	.outcome = "too-large"},
    {"long-headers", {.extra_count = 3, .extra_size = 90000},
	.outcome = "too-large"},
    {"many-headers", {.extra_count = 100000}, .outcome = "too-large"},
    {"endless-headers", {.extra_count = SERVER_ENDLESS},
	.outcome = "too-large"},
    {"endless-interims", {.interims = SERVER_ENDLESS}, .outcome = "too-large"},
    /* 35 */
    {"nul", {.odd_headers = PV_STR("A: b\0c\r\n")}, .outcome = "not-http"},
    {"bare-cr", {.body = "x", .odd_headers = PV_STR("A: b\rc\r\n")},
	.outcome = "answered", .is_kept = true},
    {"fold", {.body = "x", .headers = "A: b\r\n c\r\n"}, .outcome = "answered",
	.is_kept = true},
    {"folded-length", {RAW(HTML_HEAD "Content-Length:\r\n 1\r\n\r\nx")},
	.outcome = "not-http"},
    {"no-colon", {.headers = "nonsense\r\n"}, .outcome = "not-http"},
    {"space-colon", {.body = "x", .headers = "A : b\r\n"},
	.outcome = "answered", .is_kept = true},
    {"two-statuses", {RAW("HTTP/1.1 200 OK\r\n" HTML_HEAD "\r\n")},
	.outcome = "not-http"},
    {"another-protocol", {RAW("HTTP/1.1 101 x\r\nUpgrade: y\r\n\r\n")},
	.outcome = "not-http"},
    /* 47, 49, 61 */
    {"long-etag",
	{.body = "x",
	    .headers = "ETag: garbage\r\n"
		       "Last-Modified: Fri, 31 Feb 99999 99:99:99 GMT\r\n",
	    .extra_count = 1,
	    .extra_size = 90000},
	.outcome = "answered", .is_kept = true},
    {"challenge",
	{.status = 401,
	    .headers = "WWW-Authenticate: Negotiate\r\n"
		       "WWW-Authenticate: NTLM\r\n"
		       "WWW-Authenticate: Basic realm=x\r\n"},
	.outcome = "answered"},
    {"proxy-challenge",
	{.status = 407, .headers = "Proxy-Authenticate: Basic realm=x\r\n"},
	.outcome = "answered"},
    {"cookies",
	{.body = "<a href=/more>more</a>",
	    .headers = "Set-Cookie: a=b; Domain=test\r\n"
		       "Set-Cookie: c=d; Domain=innocent.test; Path=/\r\n"
		       "Set-Cookie: e=f\r\n"},
	.outcome = "answered", .is_kept = true},
};

static const struct server_route more[] = {
    {.host = "cookies.test", .path = "/more", .answer = {.body = "more"}},
    {.path = "/.netrc", .answer = {.body = "never"}},
};

/* What nobody gave is sent to nobody, whatever a host asks for. */
static void test_no_secrets(struct crawl_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	bool has_any = false;
	for (size_t i = 0; i < view.count; i++) {
		struct pv_str sent = view.records[i].headers;
		has_any = has_any || server_header(sent, "cookie").ptr ||
			  server_header(sent, "authorization").ptr ||
			  server_header(sent, "proxy-authorization").ptr;
	}
	ok(!has_any && log_count(&view, "cookies.test", "/more") == 1,
	    "P7: nobody gets cookies or credentials, whatever hosts ask for");
	log_view_finish(&view);
}

/* Home's .netrc is the person's, and not for servers. */
static void test_headers(void)
{
	struct misdeeds misdeeds = {
	    MISDEEDS(headers), MORE_ROUTES(more), .status = 5, .more = 1};
	struct hostile_run run;
	if (hostile_open(&run, &misdeeds)) {
		hostile_judge_all(&run.scene, &misdeeds);
		test_no_secrets(&run.scene);
	}
	hostile_close(&run, &misdeeds);
}

int main(void)
{
	static const struct misdeeds all_slow = {
	    MISDEEDS(slow), .fetch = HOSTILE_FETCH, .status = 5};
	static const struct misdeeds all_connections = {
	    MISDEEDS(connections), .status = 5};
	static const struct misdeeds all_lengths = {
	    MISDEEDS(lengths), .status = 5};
	struct together all = {0};
	together(&all, hostile_try(&all_slow));
	together(&all, hostile_try(&all_connections));
	together(&all, hostile_try(&all_lengths));
	together(&all, test_headers());
	together_end(&all);
	return tap_done();
}
