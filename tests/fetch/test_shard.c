#include "fetch/shard.h"

#include <unistd.h>

#include "fetch/flying.h"
#include "server/hole.h"

#define FAST_BYTES (32 << 20)

static const struct server_route routes[] = {
    {.path = "/page*", .answer = {.body = "a page"}},
    {.path = "/fast", .answer = {.kind = SERVER_PATTERN, .size = FAST_BYTES}},
    {.path = "/fast-chunks",
	.answer = {.kind = SERVER_PATTERN,
	    .size = FAST_BYTES,
	    .framing = SERVER_CHUNKED,
	    .chunks = {.size = 1 << 20}}},
    {.path = "/silent", .answer = {.head_pace = {.delay_ms = 60000}}},
    {.path = "/half",
	.answer = {.body = "half a body",
	    .fault = {SERVER_STALL, SERVER_IN_BODY, 4}}},
};

static const struct server_tls_name tls_names[] = {
    {"stalls.test", SERVER_TLS_STALLS},
};

static void turn(struct airport *airport, int turns)
{
	for (int i = 0; i < turns; i++)
		uv_run(&airport->loop, UV_RUN_NOWAIT);
}

static void cancel(struct journey *journey)
{
	pv_fetch_cancel(journey->airport->fetch, journey->transfer);
	journey->transfer = NULL;
}

static const struct {
	const char *where;
	enum pv_stage stage;
} stages[] = {
    {"a.test/silent", PV_STAGE_WAIT},
    {"a.test/half", PV_STAGE_BODY},
};

static void test_cancel(struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_to(&journey, airport, server, "a.test/page");
	journey_start(&journey);
	cancel(&journey);
	turn(airport, 3);
	ok(!journey.sent_count && !journey.end_count,
	    "an exchange that is cancelled at once says nothing");
	journey_finish(&journey);
	for (size_t i = 0; i < sizeof(stages) / sizeof(*stages); i++) {
		journey_to(&journey, airport, server, stages[i].where);
		journey_start(&journey);
		journey_await_stage(&journey, stages[i].stage);
		while (!journey.sent_count)
			airport_wait(airport);
		cancel(&journey);
		turn(airport, 3);
		ok(!journey.response.body.size && !journey.response.why[0] &&
			journey.sent_count == 1 && !journey.end_count,
		    "nor one that is cancelled at %s",
		    pv_stage_word(stages[i].stage));
		journey_finish(&journey);
	}
}

static void test_cancel_handshake(
    struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_to(&journey, airport, server, "https stalls.test/page");
	journey_start(&journey);
	while (!journey_view(&journey).is_tls_begun)
		airport_wait(airport);
	cancel(&journey);
	turn(airport, 3);
	ok(!journey.sent_count && !journey.end_count,
	    "nor one within the TLS handshake");
	journey_finish(&journey);
}

static void test_cancel_connect(struct airport *airport)
{
	struct journey journey;
	struct hole hole;
	char url[64];
	if (!hole_open(&hole, "127.0.0.4")) {
		tap_skip("nor one that connects", "no hole here");
		return;
	}
	snprintf(url, sizeof(url), "http://a.test:%u/", (unsigned)hole.port);
	journey_init(&journey, airport, url, "127.0.0.4");
	journey_start(&journey);
	while (journey_view(&journey).socket < 0)
		airport_wait(airport);
	cancel(&journey);
	turn(airport, 3);
	ok(!journey.sent_count && !journey.end_count, "nor one that connects");
	journey_finish(&journey);
	hole_close(&hole);
}

/* From within callbacks */

static struct journey *other_of(struct journey *journey)
{
	return journey + 1;
}

/* An end that is told of an exchange that was cancelled. */
static void count_late_end(struct journey *journey)
{
	journey->end_count += 2;
}

static void cancel_other(struct journey *journey)
{
	struct journey *other = other_of(journey);
	if (!other->transfer)
		return;
	other->on_end = count_late_end;
	cancel(other);
}

static void test_cancel_within(struct airport *airport, struct server *server)
{
	struct journey pair[2];
	for (int i = 0; i < 2; i++) {
		journey_to(&pair[i], airport, server,
		    i ? "b.test/half" : "a.test/page");
		journey_start(&pair[i]);
	}
	pair[0].on_end = cancel_other;
	journey_await(&pair[0]);
	turn(airport, 3);
	ok(pair[0].end_count == 1 && !pair[1].end_count && !pair[1].transfer,
	    "an exchange may be cancelled when another ends");
	for (int i = 0; i < 2; i++)
		journey_finish(&pair[i]);
}

/* Of a pair whichever is told first cancels the other. */
static struct journey *ended_pair;

static void cancel_twin(struct journey *journey)
{
	struct journey *twin = &ended_pair[journey == &ended_pair[0]];
	if (twin->transfer)
		cancel(twin);
}

/* As the lane has it, with the loop standing still; false if that takes too
 * long. */
static bool has_ended_in_lane(const struct journey *journey)
{
	for (int i = 0; i < 20000; i++) {
		struct view view = journey_view(journey);
		if (view.stage == PV_STAGE_END && !view.has_exchange)
			return true;
		usleep(1000);
	}
	return false;
}

/* Both have ended in their lane when the first is told of it. */
static void test_cancel_ended(struct airport *airport, struct server *server)
{
	struct journey pair[2];
	ended_pair = pair;
	for (int i = 0; i < 2; i++) {
		journey_to(&pair[i], airport, server, "same.test/page");
		pair[i].on_end = cancel_twin;
		journey_start(&pair[i]);
	}
	pv_fetch_hand_on(airport->fetch);
	ok(has_ended_in_lane(&pair[0]) && has_ended_in_lane(&pair[1]),
	    "two exchanges have ended, and nobody was told yet");
	while (!pair[0].end_count && !pair[1].end_count)
		airport_wait(airport);
	for (int i = 0; i < 20; i++)
		airport_wait(airport);
	ok(pair[0].end_count + pair[1].end_count == 1 && !pair[0].transfer &&
		!pair[1].transfer,
	    "the first that is told may cancel the other, which is not told");
	for (int i = 0; i < 2; i++)
		journey_finish(&pair[i]);
}

static void cancel_on_sent(void *ctx)
{
	struct journey *journey = ctx;
	journey->sent_count++;
	cancel(journey);
}

static void test_cancel_sent(struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_to(&journey, airport, server, "sent.test/page");
	journey.request.on_sent = cancel_on_sent;
	journey_start(&journey);
	while (!journey.sent_count)
		uv_run(&airport->loop, UV_RUN_ONCE);
	turn(airport, 3);
	ok(journey.sent_count == 1 && !journey.end_count,
	    "an exchange may be cancelled as it is sent");
	journey_finish(&journey);
}

/* Two that are sent at once, on kept connections: the first that is told of it
 * cancels the other, which is then not told. */
static void cancel_other_on_sent(void *ctx)
{
	struct journey *journey = ctx;
	journey->sent_count++;
	if (other_of(journey)->transfer)
		cancel(other_of(journey));
}

static void test_cancel_both_sent(
    struct airport *airport, struct server *server)
{
	struct journey pair[2];
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 2; i++) {
			journey_to(&pair[i], airport, server, "both.test/page");
			journey_start(&pair[i]);
		}
		if (round == 1)
			pair[0].transfer->on_sent = cancel_other_on_sent;
		journey_await(&pair[0]);
		if (round == 0)
			journey_await(&pair[1]);
		turn(airport, 3);
		ok(pair[0].end_count == 1 &&
			pair[1].sent_count == (round == 0) &&
			pair[1].end_count == (round == 0),
		    round ? "one of two that were sent may be cancelled before "
			    "it is told"
			  : "two are sent and answered");
		for (int i = 0; i < 2; i++)
			journey_finish(&pair[i]);
	}
}

/* In the same turn of the loop, the first takes its time: until then. */
static uint64_t slow_until_ms;

static void be_slow(void *ctx)
{
	struct journey *journey = ctx;
	journey->sent_count++;
	usleep(50 * 1000);
	slow_until_ms = uv_hrtime() / 1000000;
}

static void look_at_clock(void *ctx)
{
	struct journey *journey = ctx;
	journey->sent_count++;
	journey->is_out_of_order =
	    uv_now(&journey->airport->loop) < slow_until_ms;
}

static void test_clock(struct airport *airport, struct server *server)
{
	struct journey pair[2];
	for (int i = 0; i < 2; i++) {
		journey_to(&pair[i], airport, server, "clock.test/page");
		pair[i].request.on_sent = i ? look_at_clock : be_slow;
		journey_start(&pair[i]);
	}
	for (int i = 0; i < 2; i++)
		journey_await(&pair[i]);
	ok(pair[1].sent_count == 1 && slow_until_ms && !pair[1].is_out_of_order,
	    "whoever is told when a request was sent has the time (P1)");
	for (int i = 0; i < 2; i++)
		journey_finish(&pair[i]);
}

#define CHAIN 20

static void go_on(struct journey *journey)
{
	if (journey->end_count < CHAIN) {
		pv_response_finish(&journey->response);
		pv_response_init(&journey->response, ".", BODY_MAX);
		journey_start(journey);
	}
}

static void test_chain(struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_to(&journey, airport, server, "chain.test/page");
	journey.on_end = go_on;
	journey_start(&journey);
	while (journey.end_count < CHAIN)
		uv_run(&airport->loop, UV_RUN_ONCE);
	ok(journey.sent_count == CHAIN && journey.response.is_kept,
	    "an exchange may start as another ends, on its connection");
	journey_finish(&journey);
}

static void destroy_airport(struct journey *journey)
{
	pv_fetch_destroy(journey->airport->fetch);
	journey->airport->fetch = NULL;
}

static void test_destroy_within(struct server *server)
{
	struct airport airport;
	struct journey journey;
	airport_open(&airport, "version: 1\n");
	journey_to(&journey, &airport, server, "a.test/page");
	journey.on_end = destroy_airport;
	journey_make(&journey);
	ok(airport_close(&airport),
	    "the fetcher may be destroyed as its last exchange ends");
	journey_finish(&journey);
}

/* Connections at rest */

static void test_close_idle(struct airport *airport, struct server *server)
{
	struct journey journey;
	struct journey other;
	journey_make_to(&journey, airport, server, "idle.test/page");
	journey_finish(&journey);
	pv_fetch_close_idle(airport->fetch);
	journey_make_to(&journey, airport, server, "idle.test/page");
	ok(!journey.response.is_kept &&
		journey.response.outcome == PV_OUTCOME_ANSWERED,
	    "a connection at rest is closed when nothing is under way");
	journey_finish(&journey);
	journey_to(&other, airport, server, "other.test/half");
	journey_start(&other);
	journey_await_stage(&other, PV_STAGE_BODY);
	pv_fetch_close_idle(airport->fetch);
	journey_make_to(&journey, airport, server, "idle.test/page");
	ok(!journey.response.is_kept &&
		journey.response.outcome == PV_OUTCOME_ANSWERED &&
		!other.end_count,
	    "and when something is, without harming that");
	journey_finish(&journey);
	cancel(&other);
	journey_finish(&other);
}

/* Many hosts, each several times. */

#define HOSTS 600
#define EACH 3

static void test_many(struct server *server)
{
	struct airport airport;
	struct pv_fetch_shared shared = {.policy = NULL};
	struct journey *journeys = calloc(HOSTS, sizeof(*journeys));
	size_t kept = 0;
	size_t answered = 0;
	airport_open(&airport,
	    "rate: {max_rate: 1000, concurrency: 1000}\nfetch: {timeout: "
	    "{connect: 60s}}");
	pv_fetch_shared_init(
	    &shared, &(struct pv_fetch_plan){.policy = airport.loaded.policy});
	ok(shared.shard_count > 4 && shared.kept_max < 100,
	    "many hosts have several shards, none of which has many "
	    "connections to look through");
	pv_fetch_shared_finish(&shared);
	for (int round = 0; round < EACH; round++) {
		for (size_t i = 0; i < HOSTS; i++) {
			char where[64];
			snprintf(where, sizeof(where), "h%zu.test/page", i);
			journey_to(&journeys[i], &airport, server, where);
			journey_start(&journeys[i]);
		}
		for (size_t i = 0; i < HOSTS; i++) {
			journey_await(&journeys[i]);
			kept += journeys[i].response.is_kept;
			answered +=
			    journeys[i].response.outcome == PV_OUTCOME_ANSWERED;
			journey_finish(&journeys[i]);
		}
	}
	ok(answered == HOSTS * EACH, "all of %d hosts are answered", HOSTS);
	ok(kept == HOSTS * (EACH - 1), "and each keeps its connection");
	ok(airport_close(&airport), "and nothing of it stays");
	free(journeys);
}

/* Bodies that come as fast as memory */

static void prepare_fast(struct journey *journey, struct airport *airport,
    struct server *server, const char *where)
{
	journey_to(journey, airport, server, where);
	journey->request.tls_ca = server_authority_path(server);
	pv_response_finish(&journey->response);
	pv_response_init(&journey->response, ".", FAST_BYTES);
}

static void fly_fast(struct journey *journey, struct airport *airport,
    struct server *server, const char *where)
{
	prepare_fast(journey, airport, server, where);
	journey_start(journey);
}

/* How many pages of another host are answered while it comes. */
static size_t others_meanwhile(struct journey *journey, struct server *server)
{
	size_t count = 0;
	while (!journey->end_count) {
		struct journey other;
		journey_make_to(
		    &other, journey->airport, server, "other.test/page");
		count += other.response.outcome == PV_OUTCOME_ANSWERED;
		journey_finish(&other);
	}
	return count;
}

static bool is_pattern(struct journey *journey)
{
	struct pv_str body = body_of(journey);
	size_t right = 0;
	while (right < body.len && body.ptr[right] == server_pattern_at(right))
		right++;
	return body.len == FAST_BYTES && right == body.len;
}

/* A busy machine may let nobody ask for others while it comes: then it is tried
 * again. */
#define FAST_TRIES 20

static void test_fast_at(
    struct airport *airport, struct server *server, const char *where)
{
	size_t others = 0;
	bool is_whole = true;
	for (int i = 0; i < FAST_TRIES && others <= 2 && is_whole; i++) {
		struct journey journey;
		fly_fast(&journey, airport, server, where);
		others = others_meanwhile(&journey, server);
		is_whole = is_pattern(&journey);
		journey_finish(&journey);
	}
	ok(others > 2, "%s: however fast it comes, others get their turn (%zu)",
	    where, others);
	ok(is_whole, "and it comes whole");
}

static void test_fast(struct airport *airport, struct server *server)
{
	test_fast_at(airport, server, "a.test/fast");
	test_fast_at(airport, server, "a.test/fast-chunks");
	test_fast_at(airport, server, "https a.test/fast");
}

/* In whatever state it is when it is not wanted any more. */
static void test_cancel_fast(struct airport *airport, struct server *server)
{
	for (int turns = 1; turns < 40; turns += 3) {
		struct journey journey;
		fly_fast(&journey, airport, server, "a.test/fast");
		journey_await_stage(&journey, PV_STAGE_BODY);
		turn(airport, turns);
		if (journey.transfer)
			cancel(&journey);
		journey_finish(&journey);
	}
	struct journey journey;
	fly_fast(&journey, airport, server, "a.test/fast");
	journey_await_stage(&journey, PV_STAGE_BODY);
	pv_fetch_close_idle(airport->fetch);
	journey_await(&journey);
	ok(is_pattern(&journey),
	    "to close what rests does no harm to what waits for its turn");
	journey_finish(&journey);
}

/* The ceiling lies in what libcurl has kept until the next turn. */
static void test_fast_ceiling(struct airport *airport, struct server *server)
{
	bool is_right = true;
	for (uint64_t ceiling = 500 << 10; ceiling < 560 << 10;
	     ceiling += 2000) {
		struct journey journey;
		prepare_fast(&journey, airport, server, "a.test/fast-chunks");
		pv_response_clear(&journey.response, ceiling);
		journey_make(&journey);
		is_right = is_right &&
			   journey.response.outcome == PV_OUTCOME_TOO_LARGE &&
			   journey.response.body.size == ceiling &&
			   journey.response.times.total_ms < 30000;
		journey_finish(&journey);
	}
	ok(is_right, "a ceiling ends what comes fast wherever it lies");
}

int main(void)
{
	struct airport airport;
	struct server *server = server_start(&(struct server_plan){
	    SERVER_ROUTES(routes), SERVER_TLS_NAMES(tls_names)});
	airport_open(&airport, "version: 1\n");
	test_cancel(&airport, server);
	test_cancel_handshake(&airport, server);
	test_cancel_connect(&airport);
	test_cancel_within(&airport, server);
	test_cancel_ended(&airport, server);
	test_cancel_sent(&airport, server);
	test_cancel_both_sent(&airport, server);
	test_clock(&airport, server);
	test_chain(&airport, server);
	test_close_idle(&airport, server);
	test_fast(&airport, server);
	test_fast_ceiling(&airport, server);
	test_cancel_fast(&airport, server);
	ok(airport_close(&airport), "nothing of it stays on the loop");
	test_destroy_within(server);
	test_many(server);
	server_stop(server);
	return tap_done();
}
