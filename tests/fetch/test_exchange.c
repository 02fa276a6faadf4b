#include "fetch/exchange.h"

#include <unistd.h>

#include "fetch/connection/cuts.h"
#include "fetch/flying.h"
#include "fetch/shard.h"
#include "server/hole.h"
#include "together.h"

/* Deadlines, as they pass: what has to come within one has long enough for it on
 * a machine that is busy. */

static const struct server_route routes[] = {
    {.path = "/page", .answer = {.body = "a page"}},
    {.path = "/late",
	.answer = {.body = "late", .head_pace = {.delay_ms = 30}}},
    {.path = "/silent", .answer = {.head_pace = {.delay_ms = 60000}}},
    {.path = "/half-head",
	.answer = {.fault = {SERVER_STALL, SERVER_IN_HEAD, 25}}},
    {.path = "/half-body",
	.answer = {.body = "half a body",
	    .fault = {SERVER_STALL, SERVER_IN_BODY, 4}}},
    {.path = "/slow",
	.answer = {.kind = SERVER_ZEROS,
	    .size = 1000,
	    .body_pace = {.piece = 1, .pause_ms = 20}}},
    {.path = "/chunks",
	.answer = {.framing = SERVER_CHUNKED,
	    .kind = SERVER_ZEROS,
	    .size = 100,
	    .chunks = {.size = 1},
	    .body_pace = {.piece = 1, .pause_ms = 20}}},
    {.path = "/until-close",
	.answer = {.framing = SERVER_UNTIL_CLOSE,
	    .kind = SERVER_ZEROS,
	    .size = 1000,
	    .body_pace = {.piece = 1, .pause_ms = 20}}},
};

static const struct server_tls_name tls_names[] = {
    {"stalls.test", SERVER_TLS_STALLS},
};

static const struct {
	const char *where;
	enum pv_stage stage;
	unsigned sent_count;
	const char *why;
	const char *policy;
} cases[] = {
    {"a.test/silent", PV_STAGE_WAIT, 1, "no byte of the answer came within",
	"fetch: {timeout: {first_byte: 100ms}}"},
    {"a.test/half-head", PV_STAGE_HEADER, 1, "no further byte",
	"fetch: {timeout: {stall: 500ms}}"},
    {"a.test/half-body", PV_STAGE_BODY, 1, "no further byte",
	"fetch: {timeout: {stall: 500ms}}"},
    {"a.test/slow", PV_STAGE_BODY, 1, "had not ended after 1500ms",
	"fetch: {timeout: {connect: 1s, first_byte: 1s, stall: 1s, "
	"total: 1500ms}}"},
    {"https stalls.test/page", PV_STAGE_TLS, 0, "TLS handshake",
	"fetch: {timeout: {connect: 1s}}"},
};

static void test_deadlines(struct server *server)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct airport airport;
		struct journey journey;
		airport_open(&airport, cases[i].policy);
		journey_make_to(&journey, &airport, server, cases[i].where);
		const struct pv_response *response = &journey.response;
		ok(response->outcome == PV_OUTCOME_TIMEOUT &&
			response->stage == cases[i].stage &&
			!response->is_own_fault,
		    "%s ends by its deadline", cases[i].where);
		ok(strstr(response->why, cases[i].why), "and says which (P4)");
		ok(journey.sent_count == cases[i].sent_count &&
			journey.end_count == 1 &&
			response->times.total_ms >= 100 &&
			response->times.total_ms < 20000,
		    "in its time");
		printf("# %s: %s\n", outcome_of(&journey), response->why);
		journey_finish(&journey);
		ok(airport_close(&airport), "and nothing of it stays");
	}
}

static void test_hole(void)
{
	struct airport airport;
	struct journey journey;
	struct hole hole;
	char url[64];
	if (!hole_open(&hole, "127.0.0.3")) {
		tap_skip("a host that is gone is given up", "no hole here");
		return;
	}
	airport_open(&airport, "fetch: {timeout: {connect: 100ms}}");
	snprintf(url, sizeof(url), "http://a.test:%u/", (unsigned)hole.port);
	journey_init(&journey, &airport, url, "127.0.0.3");
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_TIMEOUT &&
		journey.response.stage == PV_STAGE_CONNECT &&
		journey.sent_count == 0,
	    "a host that is gone is given up");
	is_text(pv_str_of(journey.response.why),
	    "no connection was made within 100ms", "and that is said");
	journey_finish(&journey);
	ok(airport_close(&airport), "and nothing of it stays");
	hole_close(&hole);
}

/* Bytes that come in time keep it alive, whatever it takes in all. */
static void test_patience(struct server *server)
{
	struct airport airport;
	struct journey journey;
	airport_open(&airport, "fetch: {timeout: {stall: 1s}}");
	journey_to(&journey, &airport, server, "a.test/slow");
	journey.response.body.ceiling = 100;
	journey.request.is_beginning_enough = true;
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_TOO_LARGE &&
		journey.response.times.total_ms > 1000,
	    "a slow body is read for longer than any pause may be");
	journey_finish(&journey);
	airport_close(&airport);
}

/* Stopped for longer than the deadline, with the answer waiting. */
static void test_stopped(struct server *server)
{
	struct airport airport;
	struct journey journey;
	size_t before = server_log_count(server);
	airport_open(&airport, "fetch: {timeout: {first_byte: 1s}}");
	journey_to(&journey, &airport, server, "a.test/late");
	journey_start(&journey);
	while (!journey.sent_count)
		uv_run(&airport.loop, UV_RUN_NOWAIT);
	server_wait_idle(server, before + 1, 60000);
	usleep(1100 * 1000);
	journey_await(&journey);
	ok(journey.response.outcome == PV_OUTCOME_ANSWERED,
	    "what came while we were stopped is heard before a deadline is");
	journey_finish(&journey);
	airport_close(&airport);
}

/* In the midst of its body; a body that lasts until the connection is closed
 * seems to end well then. */
static void test_cut(struct server *server)
{
	static const char *const wheres[] = {
	    "a.test/slow", "b.test/until-close"};
	for (size_t i = 0; i < sizeof(wheres) / sizeof(*wheres); i++) {
		struct airport airport;
		struct journey journey;
		airport_open(&airport, "version: 1\n");
		journey_to(&journey, &airport, server, wheres[i]);
		journey_start(&journey);
		while (!journey_size(&journey))
			airport_wait(&airport);
		struct view view = journey_view(&journey);
		ok(view.connection &&
			pv_cuts_add(&journey.transfer->lane->sockets,
			    pv_socket_fd(view.connection)),
		    "%s: its connection is known, and can be cut off",
		    wheres[i]);
		journey_await(&journey);
		ok(journey.response.outcome == PV_OUTCOME_BROKEN_OFF &&
			strstr(journey.response.why, "it was cut off") &&
			!journey.response.is_own_fault,
		    "what was alone on it is broken off, and to blame (P4)");
		printf(
		    "# %s: %s\n", outcome_of(&journey), journey.response.why);
		journey_finish(&journey);
		ok(airport_close(&airport), "and nothing of it stays");
	}
}

/* As where the rest was read after some of it had been thrown away. */
static void test_gap(struct server *server)
{
	struct airport airport;
	struct journey journey;
	airport_open(&airport, "version: 1\n");
	journey_to(&journey, &airport, server, "a.test/chunks");
	journey_start(&journey);
	while (!journey_size(&journey))
		airport_wait(&airport);
	struct view view = journey_view(&journey);
	atomic_store(&pv_socket_cut(view.connection)->is_made, true);
	journey_await(&journey);
	ok(journey.response.outcome == PV_OUTCOME_BROKEN_OFF &&
		strstr(journey.response.why, "it was cut off"),
	    "chunks that end well on a connection that is cut off are not "
	    "taken for whole");
	journey_finish(&journey);
	airport_close(&airport);
}

static void test_with_server(void (*test)(struct server *server))
{
	struct server *server = server_start(&(struct server_plan){
	    SERVER_ROUTES(routes), SERVER_TLS_NAMES(tls_names)});
	test(server);
	server_stop(server);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_with_server(test_deadlines));
	together(&all, test_hole());
	together(&all, test_with_server(test_patience));
	together(&all, test_with_server(test_stopped));
	together(&all, test_with_server(test_cut));
	together(&all, test_with_server(test_gap));
	together_end(&all);
	return tap_done();
}
