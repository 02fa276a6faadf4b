#include "limiter/limiter.h"

#include "limiter/alone.h"
#include "limiter/asking.h"
#include "limiter/file_limiter.h"
#include "scratch.h"
#include "tap.h"

/* The contract of a limiter, held against each engine: what one crawl may rely
 * on, and what several promise together. Another engine is another row. */

static const struct engine {
	const struct pv_limiter_kind *kind;
	bool is_shared; /* by those that open it at one place */
} engines[] = {
    {&pv_limiter_file, true},
    {&pv_limiter_alone, false},
};

static const struct engine *engine;
static struct scratch scratch;

static struct pv_limiter *open_one(void)
{
	return limiter_open(engine->kind, scratch.path, "boot");
}

static void begin(void)
{
	scratch_make(&scratch);
}

static void finish(void)
{
	scratch_remove(&scratch);
}

/* One crawl */

static void test_steps(void)
{
	begin();
	struct asking one = {.limiter = open_one(), .manner = usual};
	sent(&one, 10);
	end(&one, 10);
	drop(&one);
	ok(claim(&one, 10) == PV_LIMITER_GRANTED && one.until == 10,
	    "%s: what was never claimed is not told of, and the first request "
	    "is granted at once",
	    engine->kind->name);
	ok(one.claim.held && !one.claim.is_sent,
	    "the claim then holds something that is not sent yet");
	sent(&one, 20);
	sent(&one, 900);
	ok(one.claim.is_sent, "it is sent once, however often that is said");
	end(&one, 30);
	ok(!one.claim.held, "and holds nothing when it has ended");
	ok(claim(&one, 1030) == PV_LIMITER_GRANTED,
	    "P6: a crawl that keeps its own rest is not held up");
	drop(&one);
	ok(!one.claim.held && claim(&one, 1030) == PV_LIMITER_GRANTED,
	    "nor by a request that it gave up before that went out");
	pv_limiter_close(one.limiter);
	pv_limiter_close(NULL);
	finish();
}

static void test_own_pace(void)
{
	begin();
	size_t refused = 0;
	int64_t ms = 1000;
	struct asking one = {.limiter = open_one(), .manner = usual};
	for (unsigned i = 0; i < 1000; i++, ms += 1000) {
		refused += claim(&one, ms) != PV_LIMITER_GRANTED;
		sent(&one, ms + 5);
		ms += 5 + i % 700;
		end(&one, ms);
	}
	ok(!refused,
	    "P6: %s: of 1,000 requests of a crawl that keeps its own rest none "
	    "is refused (%zu are)",
	    engine->kind->name, refused);
	pv_limiter_close(one.limiter);
	finish();
}

/* Crawls that share */

static void test_turns(void)
{
	begin();
	struct asking one = {open_one(), usual, NULL, {0}, 0, 0};
	struct asking other = {open_one(), usual, NULL, {0}, 0, 0};
	ok(claim(&one, 5000) == PV_LIMITER_GRANTED,
	    "a host that nobody knows may be asked at once");
	ok(claim(&other, 5000) == PV_LIMITER_BUSY,
	    "P1: while one's request is about to go out, the other's is not");
	sent(&one, 5100);
	ok(claim(&other, 7000) == PV_LIMITER_BUSY,
	    "P1: nor while it is open, where one at a time is promised");
	end(&one, 7100);
	ok(claim(&other, 7200) == PV_LIMITER_EARLY && other.until == 8100,
	    "P1: then the rest is kept, counted from its end");
	ok(claim(&other, 8099) == PV_LIMITER_EARLY,
	    "P1: to the last millisecond");
	ok(claim(&other, 8100) == PV_LIMITER_GRANTED,
	    "and not a millisecond longer");
	ok(claim(&one, 8100) == PV_LIMITER_BUSY,
	    "P1: then the one finds the other's request in its way");
	drop(&other);
	ok(claim(&one, 8101) == PV_LIMITER_GRANTED,
	    "a request that was given up before it went out costs nothing");
	end(&one, 8300);
	ok(claim(&other, 9299) == PV_LIMITER_EARLY && other.until == 9300,
	    "P1: one that failed before it went out counts as sent and ended");
	pv_limiter_close(one.limiter);
	pv_limiter_close(other.limiter);
	finish();
}

/* One crawl's request is sent at 1000 and ends at 1500; when another's may
 * start. */
static const struct {
	const char *claim;
	struct manner one;
	struct manner other;
	int64_t asked_ms; /* by the server, until then; 0 */
	int64_t until;
} rests[] = {
    {"from the end", {300, true, 1}, {300, true, 1}, 0, 1800},
    {"from the start", {800, false, 1}, {800, false, 1}, 0, 1800},
    {"the first has the longer rest", {900, true, 1}, {10, true, 1}, 0, 2400},
    {"the second has the longer rest", {10, true, 1}, {900, true, 1}, 0, 2400},
    {"the first counts from the start", {100, false, 1}, {200, true, 1}, 0,
	1700},
    {"the second counts from the start", {100, true, 1}, {700, false, 1}, 0,
	1700},
    {"the second has no rest at all", {400, true, 1}, {0, true, 1}, 0, 1900},
    {"the server asked for longer", {300, true, 1}, {300, true, 1}, 60000,
	60000},
    {"the server asked for less", {300, true, 1}, {300, true, 1}, 1600, 1800},
};

static void test_rests(void)
{
	begin();
	for (size_t i = 0; i < sizeof(rests) / sizeof(*rests); i++) {
		char name[16];
		snprintf(name, sizeof(name), "%zu.test", i);
		struct asking one = {open_one(), rests[i].one, name, {0}, 0, 0};
		struct asking other = {
		    open_one(), rests[i].other, name, {0}, 0, 0};
		claim(&one, 990);
		sent(&one, 1000);
		end_until(&one, 1500,
		    rests[i].asked_ms > 1500 + rests[i].one.rest_ms
			? rests[i].asked_ms
		    : rests[i].one.is_from_end ? 1500 + rests[i].one.rest_ms
					       : 0);
		ok(claim(&other, 1500) == PV_LIMITER_EARLY &&
			other.until == rests[i].until,
		    "P1: %s: the next starts at %lld", rests[i].claim,
		    (long long)rests[i].until);
		ok(claim(&other, rests[i].until) == PV_LIMITER_GRANTED,
		    "and then it may");
		pv_limiter_close(one.limiter);
		pv_limiter_close(other.limiter);
	}
	finish();
}

/* How many requests of one are open, and whether the other may begin. */
static const struct {
	const char *claim;
	unsigned open;
	uint32_t one_max;
	uint32_t other_max;
	enum pv_limiter_answer answer;
} overlaps[] = {
    {"two are fine for both", 1, 2, 2, PV_LIMITER_GRANTED},
    {"a third is not", 2, 2, 2, PV_LIMITER_BUSY},
    {"the one wants to be alone", 1, 1, 5, PV_LIMITER_BUSY},
    {"the other wants to be alone", 1, 5, 1, PV_LIMITER_BUSY},
    {"nobody cares", 40, PV_LIMITER_ANY, PV_LIMITER_ANY, PV_LIMITER_GRANTED},
};

static void test_overlaps(void)
{
	begin();
	for (size_t i = 0; i < sizeof(overlaps) / sizeof(*overlaps); i++) {
		struct pv_limiter_claim claims[64];
		char name[16];
		snprintf(name, sizeof(name), "%zu.test", i);
		struct asking one = {open_one(),
		    {0, false, overlaps[i].one_max}, name, {0}, 0, 0};
		struct asking other = {open_one(),
		    {0, false, overlaps[i].other_max}, name, {0}, 0, 0};
		for (unsigned j = 0; j < overlaps[i].open; j++) {
			claim(&one, 100);
			sent(&one, 100);
			claims[j] = one.claim;
		}
		ok(claim(&other, 200) == overlaps[i].answer,
		    "P1: of %u open requests: %s", overlaps[i].open,
		    overlaps[i].claim);
		for (unsigned j = 0; j < overlaps[i].open; j++)
			pv_limiter_drop(one.limiter, &claims[j]);
		drop(&other);
		ok(claim(&other, 200) == PV_LIMITER_GRANTED,
		    "and when they have ended it may");
		pv_limiter_close(one.limiter);
		pv_limiter_close(other.limiter);
	}
	finish();
}

static void test_about_to_go_out(void)
{
	static const struct manner none = {0, false, PV_LIMITER_ANY};
	static const struct manner some = {250, false, PV_LIMITER_ANY};
	begin();
	struct asking one = {open_one(), none, NULL, {0}, 0, 0};
	struct asking other = {open_one(), none, NULL, {0}, 0, 0};
	struct asking third = {open_one(), some, NULL, {0}, 0, 0};
	claim(&one, 100);
	ok(claim(&other, 100) == PV_LIMITER_GRANTED,
	    "where nothing has to lie between, several may be about to go "
	    "out");
	ok(claim(&third, 100) == PV_LIMITER_BUSY,
	    "P1: but not beside one that wants some time before it");
	sent(&one, 110);
	sent(&other, 120);
	ok(claim(&third, 300) == PV_LIMITER_EARLY && third.until == 370,
	    "P1: which counts from the last that went out");
	ok(claim(&third, 370) == PV_LIMITER_GRANTED &&
		claim(&one, 380) == PV_LIMITER_BUSY,
	    "P1: and while that one is about to go out, no other is");
	pv_limiter_close(one.limiter);
	pv_limiter_close(other.limiter);
	pv_limiter_close(third.limiter);
	finish();
}

static void test_kinds(void)
{
	begin();
	struct pv_limiter *limiter = open_one();
	struct pv_limiter_claim host;
	struct pv_limiter_claim address;
	struct pv_limiter_ask ask = {.clock = PV_LIMITER_HOST,
	    .name = PV_STR("a.io"),
	    .rest_ms = 1000,
	    .open_max = 1};
	int64_t until;
	ok(pv_limiter_claim(limiter, &ask, at(0), &host, &until) ==
		PV_LIMITER_GRANTED,
	    "a host of four letters is claimed");
	ask.clock = PV_LIMITER_ADDRESS;
	ok(pv_limiter_claim(limiter, &ask, at(0), &address, &until) ==
		PV_LIMITER_GRANTED,
	    "and the address of these four bytes is something else");
	struct pv_limiter_claim port;
	ask.port = 8080;
	ok(pv_limiter_claim(limiter, &ask, at(0), &port, &until) ==
		PV_LIMITER_GRANTED,
	    "as is a port of it that is meant alone");
	pv_limiter_end(limiter, &port, 0, 0);
	pv_limiter_close(limiter);
	finish();
}

static void test_no_rest(void)
{
	begin();
	struct pv_limiter *limiter = open_one();
	struct pv_limiter_claim claim;
	struct pv_limiter_ask ask = {.clock = PV_LIMITER_HOST,
	    .name = PV_STR("a.test"),
	    .open_max = PV_LIMITER_ANY};
	int64_t until;
	pv_limiter_claim(limiter, &ask, at(0), &claim, &until);
	pv_limiter_sent(limiter, &claim, 1, 0);
	pv_limiter_end(limiter, &claim, 1, 0);
	ok(pv_limiter_claim(limiter, &ask, at(0), &claim, &until) ==
		PV_LIMITER_GRANTED,
	    "who needs no rest does not wait for a start that was rounded up");
	pv_limiter_drop(limiter, &claim);
	ask.rest_ms = 5;
	ok(pv_limiter_claim(limiter, &ask, at(0), &claim, &until) ==
		    PV_LIMITER_EARLY &&
		until == at(0).monotonic_ms + 1 + 5,
	    "P1: and who does waits from there");
	pv_limiter_close(limiter);
	finish();
}

/* Turns: crawls that ask again when they were told to, in simulated time. */

#define TURNS_MAX 20

struct turns {
	const char *claim;
	struct manner manners[TURNS_MAX];
	unsigned crawls;
	int64_t took_ms; /* by each request */
};

static const struct turns turns[] = {
    {"rests of 200, 400 and 600 ms",
	{{200, true, 1}, {400, true, 1}, {600, true, 1}}, 3, 5},
    {"one and ten rests", {{100, true, 1}, {1000, true, 1}}, 2, 1},
    {"a rest from the start, and slow answers",
	{{100, false, 3}, {500, true, 1}, {300, false, 2}}, 3, 400},
    {"one that needs no rest", {{0, false, PV_LIMITER_ANY}, {300, true, 1}}, 2,
	3},
    {"more of them than a slot has places for",
	{{10, true, 1}, {20, true, 1}, {30, true, 1}, {40, true, 1},
	    {50, true, 1}, {60, true, 1}, {70, true, 1}, {80, true, 1},
	    {90, true, 1}, {300, true, 1}, {2, true, 1}, {1, false, 5}},
	12, 7},
};

/* A crawl in simulated time. */
struct turner {
	struct asking asking;
	int64_t at_ms;   /* it acts next */
	int64_t step_ms; /* it waited last, where somebody was at it */
	bool is_open;
	unsigned count;
};

/* What a crawl does when it is refused (crawl/host/clock_claims.c). */
static int64_t again_at(
    struct turner *turner, enum pv_limiter_answer answer, int64_t ms)
{
	if (answer == PV_LIMITER_EARLY)
		return turner->asking.until;
	turner->step_ms = turner->step_ms ? turner->step_ms * 2 : 20;
	if (turner->step_ms > 250)
		turner->step_ms = 250;
	return turner->asking.until > ms + turner->step_ms
		   ? turner->asking.until
		   : ms + turner->step_ms;
}

/* The time of its start; 0 if it did not start. */
static int64_t take_turn(
    struct turner *turner, const struct turns *scene, int64_t ms)
{
	if (turner->is_open) {
		end(&turner->asking, ms);
		turner->is_open = false;
		turner->at_ms = ms + turner->asking.manner.rest_ms + 1;
		return 0;
	}
	enum pv_limiter_answer answer = claim(&turner->asking, ms);
	if (answer != PV_LIMITER_GRANTED) {
		turner->at_ms = again_at(turner, answer, ms);
		return 0;
	}
	sent(&turner->asking, ms);
	turner->step_ms = 0;
	turner->is_open = true;
	turner->count++;
	turner->at_ms = ms + scene->took_ms;
	return ms;
}

static struct turner *next_turner(struct turner *turners, unsigned count)
{
	struct turner *next = &turners[0];
	for (unsigned i = 1; i < count; i++) {
		if (turners[i].at_ms < next->at_ms)
			next = &turners[i];
	}
	return next;
}

static void start_turners(struct turner *turners, const struct turns *scene)
{
	for (unsigned i = 0; i < scene->crawls; i++)
		turners[i] = (struct turner){
		    .asking = {.limiter = open_one(),
			.manner = scene->manners[i]},
		    .at_ms = 1000 + i,
		};
}

static void judge_turners(
    struct turner *turners, const struct turns *scene, size_t soon)
{
	unsigned least = UINT32_MAX;
	unsigned most = 0;
	for (unsigned i = 0; i < scene->crawls; i++) {
		unsigned count = turners[i].count;
		least = count < least ? count : least;
		most = count > most ? count : most;
		pv_limiter_close(turners[i].asking.limiter);
	}
	ok(least > 10 && most <= 5 * least,
	    "P6: %s: crawls take turns (%u to %u requests each)", scene->claim,
	    least, most);
	ok(!soon, "P1: and none begins sooner than it may (%zu do)", soon);
}

static void test_taking_turns(const struct turns *scene)
{
	struct turner turners[TURNS_MAX];
	int64_t last_ms = 0;
	size_t soon = 0;
	begin();
	start_turners(turners, scene);
	for (;;) {
		struct turner *turner = next_turner(turners, scene->crawls);
		if (turner->at_ms > 61000)
			break;
		int64_t start_ms = take_turn(turner, scene, turner->at_ms);
		if (!start_ms)
			continue;
		soon += last_ms &&
			start_ms - last_ms < turner->asking.manner.rest_ms;
		last_ms = start_ms;
	}
	judge_turners(turners, scene, soon);
	finish();
}

static void test_turn_lapses(void)
{
	static const struct manner quick = {100, true, 1};
	static const struct manner slow = {5000, true, 1};
	begin();
	struct asking one = {.limiter = open_one(), .manner = quick};
	struct asking other = {.limiter = open_one(), .manner = slow};
	claim(&one, 1000);
	end(&one, 1000);
	claim(&other, 1050);
	ok(claim(&one, 1100) == PV_LIMITER_BUSY && one.until == 2100,
	    "who comes later waits, and looks once a second (%lld)",
	    (long long)one.until);
	ok(claim(&one, 6000) == PV_LIMITER_BUSY,
	    "until the one that has waited longest has had its turn");
	ok(claim(&one, 11000) == PV_LIMITER_BUSY &&
		claim(&one, 11001) == PV_LIMITER_GRANTED,
	    "P6: which lapses if it does not come, at the latest when it is "
	    "as late as its rest is long");
	end(&one, 11001);
	claim(&other, 11002);
	claim(&one, 11101);
	pv_limiter_close(other.limiter);
	ok(claim(&one, 11102) == PV_LIMITER_GRANTED,
	    "P6: and at once when its crawl is over");
	pv_limiter_close(one.limiter);
	finish();
}

/* Crawls that share nothing */

static void test_apart(void)
{
	begin();
	struct asking one = {.limiter = open_one(), .manner = usual};
	struct asking other = {.limiter = open_one(), .manner = usual};
	claim(&one, 1000);
	ok(claim(&other, 1000) == PV_LIMITER_GRANTED && other.until == 1000,
	    "%s: another's request that is about to go out is in nobody's way",
	    engine->kind->name);
	sent(&one, 1001);
	end_until(&one, 1002, 90000);
	drop(&other);
	ok(claim(&other, 1003) == PV_LIMITER_GRANTED && other.until == 1003,
	    "nor is what another's server asked for");
	pv_limiter_close(one.limiter);
	pv_limiter_close(other.limiter);
	finish();
}

static void test_shared(void)
{
	test_turns();
	test_rests();
	for (size_t i = 0; i < sizeof(turns) / sizeof(*turns); i++)
		test_taking_turns(&turns[i]);
	test_turn_lapses();
	test_overlaps();
	test_about_to_go_out();
	test_no_rest();
}

int main(void)
{
	for (size_t i = 0; i < sizeof(engines) / sizeof(*engines); i++) {
		engine = &engines[i];
		test_steps();
		test_own_pace();
		test_kinds();
		if (engine->is_shared)
			test_shared();
		else
			test_apart();
	}
	return tap_done();
}
