#include "fetch/fetch.h"

#include "fetch/flying.h"

static const char large[] = "Content-Type: text/plain\r\n";

static const struct server_route routes[] = {
    {.path = "/page*", .answer = {.body = "a page"}},
    {.path = "/gone", .answer = {.status = 404, .body = "no"}},
    {.path = "/chunked",
	.answer = {.framing = SERVER_CHUNKED,
	    .kind = SERVER_PATTERN,
	    .size = 100000,
	    .chunks = {.trailers = "X-Last: 1\r\n"}}},
    {.path = "/close",
	.answer = {.framing = SERVER_UNTIL_CLOSE, .body = "to the end"}},
    {.path = "/empty", .answer = {.body = ""}},
    {.path = "/nothing", .answer = {.status = 204}},
    {.path = "/large",
	.answer = {.kind = SERVER_PATTERN, .size = 900000, .headers = large}},
    {.path = "/gzip", .answer = {.body = "coded", .coding = SERVER_GZIP}},
    {.path = "/moved", .answer = {.status = 301, .location = "/page"}},
    {.path = "/secret",
	.answer = {.status = 401,
	    .headers = "WWW-Authenticate: Basic realm=x\r\n"}},
    {.path = "/interim", .answer = {.interims = 3, .body = "at last"}},
    {.path = "/image", .answer = {.type = "image/png", .body = "png"}},
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
    {"a.test/nothing", 204, PV_FRAMING_NONE, 0},
    {"a.test/large", 200, PV_FRAMING_LENGTH, 900000},
    {"a.test/moved", 301, PV_FRAMING_LENGTH, 0},
    {"a.test/secret", 401, PV_FRAMING_LENGTH, 0},
    {"a.test/interim", 200, PV_FRAMING_LENGTH, 7},
};

static void test_answers(struct airport *airport, struct server *server)
{
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		struct journey journey;
		size_t before = server_log_count(server);
		journey_make_to(&journey, airport, server, answers[i].path);
		const struct pv_response *response = &journey.response;
		ok(response->outcome == PV_OUTCOME_ANSWERED &&
			response->stage == PV_STAGE_END &&
			response->http_status == answers[i].status &&
			response->http_version == 11 && !response->why[0],
		    "%s is answered whole with %d", answers[i].path,
		    answers[i].status);
		ok(response->framing == answers[i].framing &&
			response->body.size == answers[i].size,
		    "with all of its body");
		ok(journey.sent_count == 1 && journey.end_count == 1 &&
			!journey.is_out_of_order &&
			server_log_count(server) == before + 1,
		    "for one request, nothing being followed (P1)");
		journey_finish(&journey);
	}
}

static void test_body(struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_make_to(&journey, airport, server, "a.test/large");
	struct pv_str body = body_of(&journey);
	size_t wrong = 0;
	for (size_t i = 0; i < body.len; i++)
		wrong += body.ptr[i] != server_pattern_at(i);
	ok(body.len == 900000 && !wrong, "a large body comes as it was sent");
	journey_finish(&journey);
	journey_make_to(&journey, airport, server, "a.test/gzip");
	ok(pv_str_starts(body_of(&journey), PV_STR("\x1f\x8b")) &&
		pv_str_equal(
		    header_of(&journey, "content-encoding"), PV_STR("gzip")),
	    "a content coding is left to others");
	journey_finish(&journey);
}

static void test_times(struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_make_to(&journey, airport, server, "times.test/page");
	struct pv_response_times times = journey.response.times;
	ok(times.name_ms < 0 && times.connect_ms >= 0 && times.tls_ms == 0 &&
		times.first_byte_ms >= 0 &&
		times.total_ms >= times.first_byte_ms,
	    "how long each step took is told, but for the name's");
	ok(!journey.response.is_kept, "the first connection is a new one");
	journey_finish(&journey);
	journey_make_to(&journey, airport, server, "times.test/page");
	ok(journey.response.is_kept && journey.response.times.connect_ms == 0,
	    "the second request to a host is on a kept one");
	journey_finish(&journey);
}

/* What we say */

static struct pv_str said(struct server *server, const char *name)
{
	return server_header(last_record(server).headers, name);
}

static void test_request(struct airport *airport, struct server *server)
{
	struct journey journey;
	char host[64];
	snprintf(
	    host, sizeof(host), "a.test:%u", (unsigned)server_port(server));
	journey_make_to(&journey, airport, server, "a.test/page?a=b%20c#part");
	is_text(last_record(server).target, "/page?a=b%20c",
	    "the address is asked for as it is, without its fragment");
	is_text(said(server, "Host"), host, "of the host that it names");
	is_text(said(server, "User-Agent"), "examplebot/1.2",
	    "by an honest visitor (P7)");
	is_text(said(server, "Accept"), "text/*, */*;q=0.1",
	    "who says what is kept, and takes anything");
	is_text(said(server, "Accept-Encoding"), "gzip, br, zstd",
	    "in codings that we can undo");
	is_text(said(server, "Accept-Language"), "en",
	    "and says what the policy wants");
	ok(!said(server, "Cookie").ptr && !said(server, "Authorization").ptr &&
		!said(server, "X-Api-Key").ptr,
	    "but no secrets (P7)");
	journey_finish(&journey);
	journey_to(&journey, airport, server, "a.test/page");
	journey.request.has_secrets = true;
	journey_make(&journey);
	is_text(said(server, "X-Api-Key"), "k",
	    "which go along only where they are wanted");
	ok(journey.response.is_kept, "even on the same connection");
	journey_finish(&journey);
	journey_make_to(&journey, airport, server, "a.test/page");
	ok(!said(server, "X-Api-Key").ptr && journey.response.is_kept,
	    "and not after that");
	journey_finish(&journey);
}

static void test_credentials(struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_make_to(&journey, airport, server, "u:p%40ss@c.test/page");
	is_text(said(server, "Authorization"), "Basic dTpwQHNz",
	    "credentials of an address are sent, decoded");
	ok(memmem(last_record(server).headers.ptr,
	       last_record(server).headers.len, "u:p", 3) == NULL,
	    "and nowhere else in the request");
	journey_finish(&journey);
	journey_make_to(&journey, airport, server, "c.test/page");
	ok(!said(server, "Authorization").ptr && journey.response.is_kept,
	    "but not with the next address, on the same connection (P7)");
	journey_finish(&journey);
	journey_make_to(&journey, airport, server, "u:p@c.test/secret");
	ok(journey.response.http_status == 401 && journey.sent_count == 1,
	    "and not again where they are refused");
	journey_finish(&journey);
}

/* Where we go */

static uint32_t connection_to(struct airport *airport, struct server *server,
    const char *where, const char *address)
{
	struct journey journey;
	journey_to(&journey, airport, server, where);
	journey.request.address = address_of(address);
	journey_make(&journey);
	struct server_record record = last_record(server);
	struct pv_address wanted = address_of(address);
	ok(pv_address_equal(&record.address, &wanted) &&
		pv_address_equal(&journey.response.address, &wanted),
	    "%s is asked for at %s", where, address);
	journey_finish(&journey);
	return record.connection;
}

static void test_addresses(struct airport *airport, struct server *server)
{
	uint32_t first =
	    connection_to(airport, server, "pin.test/page", "127.0.0.1");
	uint32_t other =
	    connection_to(airport, server, "pin.test/page", "127.0.0.2");
	ok(first != other, "a connection to another address is another one");
	ok(connection_to(airport, server, "pin.test/page", "127.0.0.1") ==
		first,
	    "and the first is still there");
	ok(connection_to(airport, server, "else.test/page", "127.0.0.1") !=
		first,
	    "another host at that address has its own");
	ok(connection_to(airport, server, "127.0.0.1/page", "127.0.0.3") != 0,
	    "even an address in a URL is found where the request says");
}

static void test_port(struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_init(&journey, airport, "http://port.test/page", "127.0.0.1");
	journey.request.port = server_port(server);
	journey_make(&journey);
	is_text(last_record(server).host, "port.test",
	    "a port of the request's own stays out of its headers");
	ok(journey.response.http_status == 200, "and is where it goes");
	journey_finish(&journey);
}

/* What is not read */

static void test_refused(struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_make_to(&journey, airport, server, "a.test/image");
	ok(journey.response.outcome == PV_OUTCOME_NOT_ACCEPTED &&
		journey.response.http_status == 200,
	    "a type that the policy does not keep is not read");
	journey_finish(&journey);
	journey_to(&journey, airport, server, "a.test/image");
	journey.request.is_any_type = true;
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_ANSWERED,
	    "but where any type will do");
	journey_finish(&journey);
	journey_to(&journey, airport, server, "a.test/page");
	journey.request.address.bits = 0;
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_NO_CONNECTION &&
		journey.sent_count == 0,
	    "without an address to connect to, nothing is asked for");
	journey_finish(&journey);
	journey_init(&journey, airport, "not an address", "127.0.0.1");
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_NO_CONNECTION &&
		journey.sent_count == 0,
	    "what is no address is asked of nobody");
	journey_finish(&journey);
}

static void test_ipv6(struct airport *airport)
{
	static const char *const addresses[] = {"::1", NULL};
	struct server_plan plan = {
	    .addresses = addresses, SERVER_ROUTES(routes)};
	struct server *server = server_start(&plan);
	if (!server) {
		tap_skip("an IPv6 address is reached", "there is no ::1");
		return;
	}
	connection_to(airport, server, "v6.test/page", "::1");
	connection_to(airport, server, "[::1]/page", "::1");
	server_stop(server);
}

static const char policy[] =
    "identity: {agent: examplebot/1.2}\n"
    "fetch: {accept: [\"text/*\"], headers: {Accept-Language: en, "
    "X-Api-Key: k}}\n";

/* Tells what it was asked. */
static bool echo(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	if (!pv_str_equal(request->path, PV_STR("/echo")))
		return false;
	pv_buf_append_format(answer->own_body, "%.*s|%.*s|%.*s|%.*s",
	    PV_STR_ARG(request->method), PV_STR_ARG(request->body),
	    PV_STR_ARG(server_header(request->headers, "Content-Type")),
	    PV_STR_ARG(server_header(request->headers, "Expect")));
	return true;
}

static void post(struct airport *airport, struct server *server,
    struct pv_str body, const char *echoed)
{
	static struct pv_pair headers[] = {
	    {"Content-Type", "application/json"}};
	struct journey journey;
	journey_to(&journey, airport, server, "a.test/echo");
	journey.request.body = body;
	if (body.ptr)
		journey.request.headers = (struct pv_pairs){headers, 1};
	journey_make(&journey);
	is_text(body_of(&journey), echoed, "the server is asked: %s", echoed);
	journey_finish(&journey);
}

static void test_posted(struct airport *airport, struct server *server)
{
	struct journey journey;
	struct pv_buf much;
	post(airport, server, PV_STR("{\"a\": 1}"),
	    "POST|{\"a\": 1}|application/json|");
	post(airport, server, (struct pv_str){NULL, 0}, "GET|||");
	post(airport, server, PV_STR(""), "POST||application/json|");
	pv_buf_init(&much, 200000);
	while (pv_buf_append_text(&much, "0123456789"))
		continue;
	journey_to(&journey, airport, server, "a.test/echo");
	journey.request.body = pv_buf_str(&much);
	journey_start(&journey);
	pv_buf_finish(&much);
	journey_await(&journey);
	ok(body_of(&journey).len > 200000 &&
		journey.response.outcome == PV_OUTCOME_ANSWERED,
	    "what is posted is the transfer's, and need not be kept");
	journey_finish(&journey);
}

int main(void)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct airport airport;
	struct server *server = server_start(&(struct server_plan){
	    .addresses = everywhere, SERVER_ROUTES(routes), .answer = echo});
	airport_open(&airport, policy);
	test_answers(&airport, server);
	test_body(&airport, server);
	test_times(&airport, server);
	test_request(&airport, server);
	test_credentials(&airport, server);
	test_addresses(&airport, server);
	test_port(&airport, server);
	test_refused(&airport, server);
	test_ipv6(&airport);
	test_posted(&airport, server);
	ok(airport_close(&airport), "nothing of it stays on the loop");
	server_stop(server);
	return tap_done();
}
