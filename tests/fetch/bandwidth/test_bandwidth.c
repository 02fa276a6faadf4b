#include "fetch/bandwidth/bandwidth.h"

#include "fetch/exchange.h"
#include "fetch/flying.h"
#include "policy/values/value.h"
#include "together.h"

/* A body of 200 kB at 800 kB/s takes 125 ms: the first 100 kB come at once. */
#define BODY_BYTES 200000
#define LIMIT 800000
#define CREDIT 100000
#define LARGE_BYTES (8 << 20) /* more than the system's buffers hold */
#define HUGE_BYTES (64 << 20)

static const struct server_route routes[] = {
    {.path = "/small*", .answer = {.body = "a small page"}},
    {.path = "/body*", .answer = {.kind = SERVER_PATTERN, .size = BODY_BYTES}},
    {.path = "/chunks",
	.answer = {.kind = SERVER_PATTERN,
	    .size = BODY_BYTES,
	    .framing = SERVER_CHUNKED,
	    .chunks = {.size = 3000}}},
    {.path = "/tiny-chunks",
	.answer = {.kind = SERVER_PATTERN,
	    .size = BODY_BYTES,
	    .framing = SERVER_CHUNKED,
	    .chunks = {.size = 100}}},
    {.path = "/until-close",
	.answer = {.kind = SERVER_PATTERN,
	    .size = BODY_BYTES,
	    .framing = SERVER_UNTIL_CLOSE}},
    {.path = "/large", .answer = {.kind = SERVER_PATTERN, .size = LARGE_BYTES}},
    {.path = "/huge", .answer = {.kind = SERVER_PATTERN, .size = HUGE_BYTES}},
    {.path = "/buffer", .answer = {.kind = SERVER_PATTERN, .size = 16800}},
    {.path = "/stalls",
	.answer = {.kind = SERVER_PATTERN,
	    .size = BODY_BYTES,
	    .fault = {SERVER_STALL, SERVER_IN_BODY, 60000}}},
};

static int64_t now_of(struct airport *airport)
{
	uv_update_time(&airport->loop);
	return (int64_t)uv_now(&airport->loop);
}

static void to(struct journey *journey, struct airport *airport,
    struct server *server, const char *where)
{
	journey_to(journey, airport, server, where);
	journey->request.tls_ca = server_authority_path(server);
	pv_response_finish(&journey->response);
	pv_response_init(&journey->response, ".", HUGE_BYTES);
}

/* One that shares a limit with all of the same clock. */
static void to_limited(struct journey *journey, struct airport *airport,
    struct server *server, const char *where, int64_t limit)
{
	to(journey, airport, server, where);
	journey->request.bandwidth = limit;
	journey->request.clock = PV_STR("limited.test");
}

static void cancel(struct journey *journey)
{
	pv_fetch_cancel(journey->airport->fetch, journey->transfer);
	journey->transfer = NULL;
}

static void await_bytes(struct journey *journey, uint64_t bytes)
{
	while (journey_size(journey) < bytes && !journey->end_count)
		airport_wait(journey->airport);
}

static bool is_pattern(struct journey *journey, size_t size)
{
	struct pv_str body = body_of(journey);
	size_t right = 0;
	while (right < body.len && body.ptr[right] == server_pattern_at(right))
		right++;
	return journey->response.outcome == PV_OUTCOME_ANSWERED &&
	       body.len == size && right == size;
}

/* Whether so many bytes took as long as they must, and not forever. */
static bool is_paced(int64_t bytes, int64_t limit, int64_t took_ms)
{
	int64_t credit = limit / 8 > 16384 ? limit / 8 : 16384;
	int64_t least_ms = (bytes - credit) * 1000 / limit;
	printf("# %lld ms, at least %lld\n", (long long)took_ms,
	    (long long)least_ms);
	return took_ms >= least_ms && took_ms < least_ms * 10 + 5000;
}

/* One body */

static void test_framings(struct airport *airport, struct server *server)
{
	static const char *const places[] = {"a.test/body", "a.test/chunks",
	    "a.test/until-close", "https a.test/body", "https a.test/chunks"};
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct journey journey;
		int64_t began = now_of(airport);
		to_limited(&journey, airport, server, places[i], LIMIT);
		journey.request.clock = pv_str_of(places[i]);
		journey_make(&journey);
		ok(is_paced(BODY_BYTES, LIMIT, now_of(airport) - began),
		    "%s comes no faster than its host's limit", places[i]);
		ok(is_pattern(&journey, BODY_BYTES), "and comes whole");
		journey_finish(&journey);
	}
}

static void test_low(struct airport *airport, struct server *server)
{
	struct journey journey;
	int64_t began = now_of(airport);
	to_limited(&journey, airport, server, "low.test/buffer", 1024);
	journey.request.clock = PV_STR("low.test");
	journey_make(&journey);
	ok(is_paced(16800, 1024, now_of(airport) - began) &&
		is_pattern(&journey, 16800),
	    "a limit may be smaller than a buffer of libcurl's");
	journey_finish(&journey);
}

/* Its second request has no credit of its own. */
static void test_succession(struct airport *airport, struct server *server)
{
	struct journey journey;
	int64_t began = now_of(airport);
	for (int i = 0; i < 2; i++) {
		to_limited(&journey, airport, server, "twice.test/body", LIMIT);
		journey.request.clock = PV_STR("twice.test");
		journey_make(&journey);
		journey_finish(&journey);
	}
	ok(is_paced(2 * BODY_BYTES, LIMIT, now_of(airport) - began),
	    "a limit holds over requests that follow one another (P2)");
}

/* The answer is taken by this machine's buffers for a part, and the rest stays
 * where it is. */
static void test_reading_stops(struct airport *airport, struct server *server)
{
	struct journey journey;
	size_t before = server_log_count(server);
	to_limited(&journey, airport, server, "stops.test/huge", LIMIT);
	journey.request.clock = PV_STR("stops.test");
	journey_start(&journey);
	await_bytes(&journey, BODY_BYTES);
	cancel(&journey);
	pv_fetch_hand_on(airport->fetch);
	journey_finish(&journey);
	bool is_over = server_wait_idle(server, before + 1, 60000);
	struct server_record record = record_at(server, before);
	ok(is_over && !record.is_complete && record.sent >= BODY_BYTES &&
		record.sent < HUGE_BYTES / 2,
	    "what may not come yet is not read, and the server has to wait "
	    "(%llu KiB of %d)",
	    (unsigned long long)record.sent >> 10, HUGE_BYTES >> 10);
}

/* Several */

static void finish_all(struct journey *journeys, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (journeys[i].transfer)
			cancel(&journeys[i]);
		journey_finish(&journeys[i]);
	}
}

static void start_all(struct journey *journeys, size_t count,
    struct airport *airport, struct server *server)
{
	for (size_t i = 0; i < count; i++) {
		char where[64];
		snprintf(where, sizeof(where), "h%zu.test/body", i);
		to(&journeys[i], airport, server, where);
		journey_start(&journeys[i]);
	}
}

static uint64_t size_of_all(const struct journey *journeys, size_t count)
{
	uint64_t size = 0;
	for (size_t i = 0; i < count; i++)
		size += journey_size(&journeys[i]);
	return size;
}

static void open_crawl(struct airport *airport)
{
	char policy[128];
	snprintf(policy, sizeof(policy),
	    "rate: {max_rate: 100, bandwidth: %dB/s}", LIMIT);
	airport_open(airport, policy);
}

static void test_two(struct server *server)
{
	struct airport airport;
	struct journey pair[2];
	open_crawl(&airport);
	int64_t began = now_of(&airport);
	start_all(pair, 2, &airport, server);
	journey_await(&pair[0]);
	journey_await(&pair[1]);
	ok(is_paced(2 * BODY_BYTES, LIMIT, now_of(&airport) - began),
	    "two bodies together come no faster than the crawl's limit");
	ok(is_pattern(&pair[0], BODY_BYTES) && is_pattern(&pair[1], BODY_BYTES),
	    "and come whole");
	finish_all(pair, 2);
	ok(airport_close(&airport), "and nothing of it stays");
}

/* From half of the first body on the limit is a quarter. */
static void test_set(struct server *server)
{
	struct airport airport;
	struct journey pair[2];
	open_crawl(&airport);
	int64_t began = now_of(&airport);
	start_all(pair, 2, &airport, server);
	await_bytes(&pair[0], BODY_BYTES / 2);
	pv_fetch_set_bandwidth(airport.fetch, LIMIT / 4);
	journey_await(&pair[0]);
	journey_await(&pair[1]);
	ok(is_paced(BODY_BYTES, LIMIT / 4, now_of(&airport) - began),
	    "the crawl's limit may become less while bodies come");
	pv_fetch_set_bandwidth(airport.fetch, INT64_C(1) << 30);
	finish_all(pair, 2);
	began = now_of(&airport);
	start_all(pair, 2, &airport, server);
	journey_await(&pair[0]);
	journey_await(&pair[1]);
	ok(now_of(&airport) - began <
		2 * BODY_BYTES * INT64_C(1000) / (LIMIT / 4),
	    "and more again");
	finish_all(pair, 2);
	ok(airport_close(&airport), "and nothing of it stays");
}

#define MANY 10
#define PIECE 16384

/* Until each has its first bytes, which nothing holds. */
static void await_all(struct journey *journeys)
{
	for (size_t i = 0; i < MANY; i++)
		await_bytes(&journeys[i], PV_FLOW_FRESH);
}

static void test_many(struct server *server)
{
	struct airport airport;
	struct journey journeys[MANY];
	uint64_t before[MANY];
	uint64_t least = UINT64_MAX;
	open_crawl(&airport);
	start_all(journeys, MANY, &airport, server);
	await_all(journeys);
	for (size_t i = 0; i < MANY; i++)
		before[i] = journey_size(&journeys[i]);
	uint64_t all = size_of_all(journeys, MANY);
	while (size_of_all(journeys, MANY) < all + MANY * BODY_BYTES / 3)
		uv_run(&airport.loop, UV_RUN_ONCE);
	for (size_t i = 0; i < MANY; i++) {
		uint64_t share = journey_size(&journeys[i]) - before[i];
		least = share < least ? share : least;
	}
	ok(least >= BODY_BYTES / 3 / 3,
	    "of ten bodies each gets its share: the least has %llu of %d",
	    (unsigned long long)least, BODY_BYTES / 3);
	finish_all(journeys, MANY);
	ok(airport_close(&airport), "and nothing of it stays");
}

static void test_pieces(struct server *server)
{
	struct airport airport;
	struct journey pair[2];
	open_crawl(&airport);
	to(&pair[0], &airport, server, "a.test/body");
	to(&pair[1], &airport, server, "b.test/tiny-chunks");
	journey_start(&pair[1]);
	await_bytes(&pair[1], 1);
	journey_start(&pair[0]);
	await_bytes(&pair[0], BODY_BYTES);
	ok(journey_size(&pair[1]) >= BODY_BYTES / 3,
	    "one that comes in tiny pieces has its share, too (%llu of %d)",
	    (unsigned long long)journey_size(&pair[1]), BODY_BYTES);
	finish_all(pair, 2);
	ok(airport_close(&airport), "and nothing of it stays");
}

/* How many bytes come before a small answer while ten bodies are under way, whose
 * next pieces wait; UINT64_MAX where it does not come. */
static uint64_t bytes_before_small(struct server *server)
{
	struct airport airport;
	struct journey journeys[MANY];
	struct journey small;
	open_crawl(&airport);
	start_all(journeys, MANY, &airport, server);
	await_all(journeys);
	uint64_t before = size_of_all(journeys, MANY);
	to(&small, &airport, server, "small.test/small");
	journey_make(&small);
	uint64_t meanwhile = size_of_all(journeys, MANY) - before;
	if (small.response.outcome != PV_OUTCOME_ANSWERED)
		meanwhile = UINT64_MAX;
	journey_finish(&small);
	finish_all(journeys, MANY);
	airport_close(&airport);
	return meanwhile;
}

/* On a busy machine more than one piece may be due when it comes to us: then it
 * is tried again. One that had to wait would wait each time. */
#define SMALL_TRIES 20

static void test_small(struct server *server)
{
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < SMALL_TRIES && least > MANY * PIECE / 2; i++) {
		uint64_t bytes = bytes_before_small(server);
		least = bytes < least ? bytes : least;
	}
	ok(least <= MANY * PIECE / 2,
	    "a small answer does not wait for a piece of each large one: "
	    "%llu bytes came before it",
	    (unsigned long long)least);
}

/* So many small answers that they alone would be too much. */
#define SMALL 40

static void go_on(struct journey *journey)
{
	pv_response_clear(&journey->response, HUGE_BYTES);
	journey_start(journey);
}

static unsigned count_ends(const struct journey *journeys, size_t count)
{
	unsigned ends = 0;
	for (size_t i = 0; i < count; i++)
		ends += journeys[i].end_count;
	return ends;
}

static void test_small_many(struct server *server)
{
	struct airport airport;
	struct journey small[SMALL];
	struct journey large;
	airport_open(&airport, "rate: {max_rate: 100, bandwidth: 400kB/s}");
	for (size_t i = 0; i < SMALL; i++) {
		char where[64];
		snprintf(where, sizeof(where), "s%zu.test/buffer", i);
		to(&small[i], &airport, server, where);
		small[i].on_end = go_on;
		journey_start(&small[i]);
	}
	while (!small[SMALL - 1].sent_count)
		uv_run(&airport.loop, UV_RUN_ONCE);
	to(&large, &airport, server, "large.test/body");
	journey_start(&large);
	await_bytes(&large, 1);
	unsigned before = count_ends(small, SMALL);
	await_bytes(&large, 3 * PIECE);
	unsigned ends = count_ends(small, SMALL) - before;
	ok(journey_size(&large) >= 3 * PIECE && ends < 10 * SMALL,
	    "nor do small answers starve a large one (%u came before its "
	    "third piece)",
	    ends);
	cancel(&large);
	journey_finish(&large);
	finish_all(small, SMALL);
	ok(airport_close(&airport), "and nothing of it stays");
}

static void test_other_host(struct airport *airport, struct server *server)
{
	struct journey limited;
	struct journey free_one;
	to_limited(&limited, airport, server, "a.test/body", 5000);
	journey_start(&limited);
	await_bytes(&limited, 1);
	to(&free_one, airport, server, "b.test/huge");
	journey_make(&free_one);
	ok(is_pattern(&free_one, HUGE_BYTES) && !limited.end_count &&
		free_one.response.held_ms == 0,
	    "a limit of one host does not slow another");
	journey_finish(&free_one);
	cancel(&limited);
	journey_finish(&limited);
}

static void test_shared_clock(struct airport *airport, struct server *server)
{
	struct journey pair[2];
	int64_t began = now_of(airport);
	for (int i = 0; i < 2; i++) {
		to_limited(&pair[i], airport, server,
		    i ? "one.test/body" : "two.test/body", LIMIT);
		pair[i].request.clock = PV_STR("shared");
		journey_start(&pair[i]);
	}
	journey_await(&pair[0]);
	journey_await(&pair[1]);
	ok(is_paced(2 * BODY_BYTES, LIMIT, now_of(airport) - began),
	    "hosts with one clock share its limit");
	finish_all(pair, 2);
}

/* The lower one counts. */
static void test_both(struct server *server)
{
	struct airport airport;
	struct journey journey;
	open_crawl(&airport);
	int64_t began = now_of(&airport);
	to_limited(&journey, &airport, server, "a.test/body", LIMIT / 2);
	journey_make(&journey);
	ok(is_paced(BODY_BYTES, LIMIT / 2, now_of(&airport) - began) &&
		is_pattern(&journey, BODY_BYTES),
	    "of a host's limit and the crawl's both hold");
	journey_finish(&journey);
	ok(airport_close(&airport), "and nothing of it stays");
}

/* Deadlines */

static void test_deadlines(struct server *server)
{
	struct airport airport;
	struct journey journey;
	airport_open(&airport, "fetch: {timeout: {stall: 1s, total: 3s}}");
	int64_t began = now_of(&airport);
	to_limited(&journey, &airport, server, "a.test/body", 40000);
	journey_make(&journey);
	int64_t took_ms = now_of(&airport) - began;
	int64_t held_ms = journey.response.held_ms;
	const struct pv_response_times *times = &journey.response.times;
	ok(is_pattern(&journey, BODY_BYTES) && took_ms > 4000,
	    "what we slow down is not cut short by deadlines");
	ok(times->total_ms <= 3000 && held_ms > 1500 &&
		times->total_ms + held_ms <= took_ms,
	    "and does not count as time that the host took (%lld + %lld of "
	    "%lld ms)",
	    (long long)times->total_ms, (long long)held_ms, (long long)took_ms);
	journey_finish(&journey);
	to_limited(&journey, &airport, server, "a.test/stalls", LIMIT);
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_TIMEOUT,
	    "but a server that stands still is given up all the same");
	is_text(pv_str_of(journey.response.why),
	    "no further byte of the answer came within 1s",
	    "with that reason (P4)");
	journey_finish(&journey);
	ok(airport_close(&airport), "and nothing of it stays");
}

/* While it is held */

static void await_held(struct journey *journey)
{
	while (!journey_view(journey).is_held)
		airport_wait(journey->airport);
}

static void test_cancel(struct server *server)
{
	struct airport airport;
	struct journey journey;
	struct journey other;
	airport_open(&airport, "rate: {bandwidth: 50kB/s}");
	to_limited(&journey, &airport, server, "a.test/body", 20000);
	journey_start(&journey);
	to(&other, &airport, server, "b.test/body");
	journey_start(&other);
	await_held(&journey);
	await_held(&other);
	cancel(&journey);
	uint64_t before = journey_size(&other);
	await_bytes(&other, before + 1);
	ok(!journey.end_count && journey_size(&other) > before,
	    "an exchange may be cancelled while it is held, and others go on");
	await_held(&other);
	cancel(&other);
	ok(airport_close(&airport), "and nothing of them stays");
	journey_finish(&journey);
	journey_finish(&other);
}

static void test_close_idle(struct airport *airport, struct server *server)
{
	struct journey journey;
	struct journey other;
	to(&journey, airport, server, "held.test/small");
	journey_make(&journey);
	journey_finish(&journey);
	journey_make_to(&other, airport, server, "idle.test/small");
	journey_finish(&other);
	to_limited(&journey, airport, server, "held.test/large", LARGE_BYTES);
	journey.request.clock = PV_STR("held.test");
	journey_start(&journey);
	await_held(&journey);
	pv_fetch_close_idle(airport->fetch);
	journey_make_to(&other, airport, server, "idle.test/small");
	ok(other.response.outcome == PV_OUTCOME_ANSWERED &&
		!other.response.is_kept,
	    "connections at rest are closed while another is held");
	journey_await(&journey);
	ok(is_pattern(&journey, LARGE_BYTES) && journey.response.is_kept,
	    "which goes on, on the connection that it had");
	journey_finish(&journey);
	journey_finish(&other);
}

static void test_ceiling(struct airport *airport, struct server *server)
{
	struct journey journey;
	to_limited(&journey, airport, server, "much.test/chunks", LIMIT);
	journey.request.clock = PV_STR("much.test");
	journey.response.body.ceiling = CREDIT + 20000;
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_TOO_LARGE &&
		journey_size(&journey) == CREDIT + 20000 &&
		!journey.response.is_own_fault,
	    "a body that is too large ends, though it was held before (P5)");
	journey_finish(&journey);
}

static void go_nowhere(struct pv_course *course)
{
	(void)course;
}

/* A host that has a limit leaves nothing behind when it has rested. */
static void test_memory(void)
{
	uv_loop_t loop;
	uv_loop_init(&loop);
	struct pv_bandwidth *bandwidth =
	    pv_bandwidth_create(&loop, PV_NONE, go_nowhere);
	for (int i = 0; i < 300; i++) {
		struct pv_course course;
		char clock[64];
		snprintf(clock, sizeof(clock), "h%d.test", i);
		pv_bandwidth_join(
		    bandwidth, &course, pv_str_of(clock), 1 << 30);
		pv_bandwidth_charge(&course, 1000);
		pv_bandwidth_leave(&course);
		usleep(1100);
		uv_update_time(&loop);
	}
	ok(pv_bandwidth_count(bandwidth) < 150,
	    "of hosts with limits only those are kept that lately had bytes "
	    "(%zu of 300) (P5)",
	    pv_bandwidth_count(bandwidth));
	pv_bandwidth_destroy(bandwidth);
	uv_run(&loop, UV_RUN_DEFAULT);
	ok(uv_loop_close(&loop) == 0, "and nothing of it stays");
}

/* Parts that run beside one another, each with a server of its own. */

static struct server *serve(void)
{
	return server_start(
	    &(struct server_plan){SERVER_ROUTES(routes), .has_tls = true});
}

static void test_hosts(
    void (*const tests[])(struct airport *airport, struct server *server))
{
	struct airport airport;
	struct server *server = serve();
	airport_open(&airport, "rate: {max_rate: 100}");
	for (size_t i = 0; tests[i]; i++)
		tests[i](&airport, server);
	ok(airport_close(&airport), "nothing of it stays on the loop");
	server_stop(server);
}

static void test_crawls(void (*const tests[])(struct server *server))
{
	struct server *server = serve();
	for (size_t i = 0; tests[i]; i++)
		tests[i](server);
	server_stop(server);
}

#define HOSTS(...)                                                       \
	test_hosts((void (*const[])(struct airport *, struct server *)){ \
	    __VA_ARGS__, NULL})
#define CRAWLS(...) \
	test_crawls((void (*const[])(struct server *)){__VA_ARGS__, NULL})

int main(void)
{
	struct together all = {0};
	together(&all, HOSTS(test_framings));
	together(&all, HOSTS(test_low, test_succession, test_reading_stops,
			   test_other_host));
	together(&all, HOSTS(test_shared_clock, test_close_idle, test_ceiling));
	together(&all, CRAWLS(test_two, test_set, test_many, test_pieces));
	together(&all, CRAWLS(test_small, test_both, test_cancel));
	together(&all, CRAWLS(test_small_many));
	together(&all, CRAWLS(test_deadlines));
	together(&all, test_memory());
	together_end(&all);
	return tap_done();
}
