#include "limiter/shared_clocks.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/why.h"
#include "limiter/clock_file.h"
#include "scratch.h"
#include "tap.h"

/* Clocks that several crawls share: here crawls are a few opened files of one
 * process, or processes of their own, which can be killed. */

#define DAY (INT64_C(24) * 3600 * 1000)
#define WALL INT64_C(1700000000000)

static struct scratch scratch;

static struct pv_time at(int64_t ms)
{
	return (struct pv_time){.monotonic_ms = ms, .wall_ms = WALL + ms};
}

static struct pv_shared_clocks *open_by(const char *boot_id)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_shared_clocks *clocks =
	    pv_shared_clocks_open(scratch.path, boot_id, &why);
	if (!clocks)
		printf("# %s\n", why.problems.kept[0].text);
	pv_why_finish(&why);
	return clocks;
}

static void begin(void)
{
	scratch_make(&scratch);
}

static void finish(void)
{
	scratch_remove(&scratch);
}

/* What a crawl asks for. */
struct manner {
	int64_t rest_ms;
	bool is_from_end;
	uint32_t open_max;
};

static const struct manner usual = {1000, true, 1};

/* A request of a crawl, and what it was told. */
struct asking {
	struct pv_shared_clocks *clocks;
	struct manner manner;
	const char *name; /* NULL: "a.test" */
	struct pv_shared_claim claim;
	int64_t until;
	int64_t since; /* it has been refused; 0: it has not */
};

static enum pv_shared_answer claim_at(struct asking *asking, struct pv_time now)
{
	struct pv_shared_ask ask = {
	    .kind = PV_SHARED_HOST,
	    .name = pv_str_of(asking->name ? asking->name : "a.test"),
	    .rest_ms = asking->manner.rest_ms,
	    .is_from_end = asking->manner.is_from_end,
	    .open_max = asking->manner.open_max,
	    .since = asking->since ? asking->since : now.monotonic_ms,
	};
	enum pv_shared_answer answer = pv_shared_clocks_claim(
	    asking->clocks, &ask, now, &asking->claim, &asking->until);
	asking->since = answer == PV_SHARED_GRANTED ? 0 : ask.since;
	return answer;
}

static enum pv_shared_answer claim(struct asking *asking, int64_t ms)
{
	return claim_at(asking, at(ms));
}

static void sent(struct asking *asking, int64_t ms)
{
	pv_shared_claim_sent(&asking->claim, ms, ms + asking->manner.rest_ms);
}

static void end(struct asking *asking, int64_t ms)
{
	pv_shared_claim_end(&asking->claim, ms,
	    asking->manner.is_from_end ? ms + asking->manner.rest_ms : 0);
}

static void test_turns(void)
{
	begin();
	struct asking one = {open_by("boot"), usual, NULL, {0}, 0, 0};
	struct asking other = {open_by("boot"), usual, NULL, {0}, 0, 0};
	ok(claim(&one, 5000) == PV_SHARED_GRANTED,
	    "a host that nobody knows may be asked at once");
	ok(claim(&other, 5000) == PV_SHARED_BUSY,
	    "P1: while one's request is about to go out, the other's is not");
	sent(&one, 5100);
	ok(claim(&other, 7000) == PV_SHARED_BUSY,
	    "P1: nor while it is open, where one at a time is promised");
	end(&one, 7100);
	ok(claim(&other, 7200) == PV_SHARED_EARLY && other.until == 8100,
	    "P1: then the rest is kept, counted from its end");
	ok(claim(&other, 8099) == PV_SHARED_EARLY,
	    "P1: to the last millisecond");
	ok(claim(&other, 8100) == PV_SHARED_GRANTED,
	    "and not a millisecond longer");
	ok(claim(&one, 8100) == PV_SHARED_BUSY,
	    "P1: then the one finds the other's request in its way");
	pv_shared_claim_drop(&other.claim);
	ok(claim(&one, 8101) == PV_SHARED_GRANTED,
	    "a request that was given up before it went out costs nothing");
	end(&one, 8300);
	ok(claim(&other, 9299) == PV_SHARED_EARLY && other.until == 9300,
	    "P1: one that failed before it went out counts as sent and ended");
	pv_shared_clocks_close(one.clocks);
	pv_shared_clocks_close(other.clocks);
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
		struct asking one = {
		    open_by("boot"), rests[i].one, name, {0}, 0, 0};
		struct asking other = {
		    open_by("boot"), rests[i].other, name, {0}, 0, 0};
		claim(&one, 990);
		sent(&one, 1000);
		pv_shared_claim_end(&one.claim, 1500,
		    rests[i].asked_ms > 1500 + rests[i].one.rest_ms
			? rests[i].asked_ms
		    : rests[i].one.is_from_end ? 1500 + rests[i].one.rest_ms
					       : 0);
		ok(claim(&other, 1500) == PV_SHARED_EARLY &&
			other.until == rests[i].until,
		    "P1: %s: the next starts at %lld", rests[i].claim,
		    (long long)rests[i].until);
		ok(claim(&other, rests[i].until) == PV_SHARED_GRANTED,
		    "and then it may");
		pv_shared_clocks_close(one.clocks);
		pv_shared_clocks_close(other.clocks);
	}
	finish();
}

/* How many requests of one are open, and whether the other may begin. */
static const struct {
	const char *claim;
	unsigned open;
	uint32_t one_max;
	uint32_t other_max;
	enum pv_shared_answer answer;
} overlaps[] = {
    {"two are fine for both", 1, 2, 2, PV_SHARED_GRANTED},
    {"a third is not", 2, 2, 2, PV_SHARED_BUSY},
    {"the one wants to be alone", 1, 1, 5, PV_SHARED_BUSY},
    {"the other wants to be alone", 1, 5, 1, PV_SHARED_BUSY},
    {"nobody cares", 40, PV_SHARED_ANY, PV_SHARED_ANY, PV_SHARED_GRANTED},
};

static void test_overlaps(void)
{
	begin();
	for (size_t i = 0; i < sizeof(overlaps) / sizeof(*overlaps); i++) {
		struct pv_shared_claim claims[64];
		char name[16];
		snprintf(name, sizeof(name), "%zu.test", i);
		struct asking one = {open_by("boot"),
		    {0, false, overlaps[i].one_max}, name, {0}, 0, 0};
		struct asking other = {open_by("boot"),
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
			pv_shared_claim_drop(&claims[j]);
		pv_shared_claim_drop(&other.claim);
		ok(claim(&other, 200) == PV_SHARED_GRANTED,
		    "and when they have ended it may");
		pv_shared_clocks_close(one.clocks);
		pv_shared_clocks_close(other.clocks);
	}
	finish();
}

static void test_about_to_go_out(void)
{
	static const struct manner none = {0, false, PV_SHARED_ANY};
	static const struct manner some = {250, false, PV_SHARED_ANY};
	begin();
	struct asking one = {open_by("boot"), none, NULL, {0}, 0, 0};
	struct asking other = {open_by("boot"), none, NULL, {0}, 0, 0};
	struct asking third = {open_by("boot"), some, NULL, {0}, 0, 0};
	claim(&one, 100);
	ok(claim(&other, 100) == PV_SHARED_GRANTED,
	    "where nothing has to lie between, several may be about to go "
	    "out");
	ok(claim(&third, 100) == PV_SHARED_BUSY,
	    "P1: but not beside one that wants some time before it");
	sent(&one, 110);
	sent(&other, 120);
	ok(claim(&third, 300) == PV_SHARED_EARLY && third.until == 370,
	    "P1: which counts from the last that went out");
	ok(claim(&third, 370) == PV_SHARED_GRANTED &&
		claim(&one, 380) == PV_SHARED_BUSY,
	    "P1: and while that one is about to go out, no other is");
	pv_shared_clocks_close(one.clocks);
	pv_shared_clocks_close(other.clocks);
	pv_shared_clocks_close(third.clocks);
	finish();
}

static void test_kinds(void)
{
	begin();
	struct pv_shared_clocks *clocks = open_by("boot");
	struct pv_shared_claim host;
	struct pv_shared_claim address;
	struct pv_shared_ask ask = {.kind = PV_SHARED_HOST,
	    .name = PV_STR("a.io"),
	    .rest_ms = 1000,
	    .open_max = 1};
	int64_t until;
	ok(pv_shared_clocks_claim(clocks, &ask, at(0), &host, &until) ==
		PV_SHARED_GRANTED,
	    "a host of four letters is claimed");
	ask.kind = PV_SHARED_ADDRESS;
	ok(pv_shared_clocks_claim(clocks, &ask, at(0), &address, &until) ==
		PV_SHARED_GRANTED,
	    "and the address of these four bytes is something else");
	struct pv_shared_claim port;
	ask.port = 8080;
	ok(pv_shared_clocks_claim(clocks, &ask, at(0), &port, &until) ==
		PV_SHARED_GRANTED,
	    "as is a port of it that is meant alone");
	pv_shared_claim_end(&port, 0, 0);
	pv_shared_clocks_close(clocks);
	finish();
}

static void test_no_rest(void)
{
	begin();
	struct pv_shared_clocks *clocks = open_by("boot");
	struct pv_shared_claim claim;
	struct pv_shared_ask ask = {.kind = PV_SHARED_HOST,
	    .name = PV_STR("a.test"),
	    .open_max = PV_SHARED_ANY};
	int64_t until;
	pv_shared_clocks_claim(clocks, &ask, at(0), &claim, &until);
	pv_shared_claim_sent(&claim, 1, 0);
	pv_shared_claim_end(&claim, 1, 0);
	ok(pv_shared_clocks_claim(clocks, &ask, at(0), &claim, &until) ==
		PV_SHARED_GRANTED,
	    "who needs no rest does not wait for a start that was rounded up");
	pv_shared_claim_drop(&claim);
	ask.rest_ms = 5;
	ok(pv_shared_clocks_claim(clocks, &ask, at(0), &claim, &until) ==
		    PV_SHARED_EARLY &&
		until == at(0).monotonic_ms + 1 + 5,
	    "P1: and who does waits from there");
	pv_shared_clocks_close(clocks);
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
    {"one that needs no rest", {{0, false, PV_SHARED_ANY}, {300, true, 1}}, 2,
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
    struct turner *turner, enum pv_shared_answer answer, int64_t ms)
{
	if (answer == PV_SHARED_EARLY)
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
	enum pv_shared_answer answer = claim(&turner->asking, ms);
	if (answer != PV_SHARED_GRANTED) {
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
		    .asking = {.clocks = open_by("boot"),
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
		pv_shared_clocks_close(turners[i].asking.clocks);
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
	struct asking one = {.clocks = open_by("boot"), .manner = quick};
	struct asking other = {.clocks = open_by("boot"), .manner = slow};
	claim(&one, 1000);
	end(&one, 1000);
	claim(&other, 1050);
	ok(claim(&one, 1100) == PV_SHARED_BUSY && one.until == 2100,
	    "who comes later waits, and looks once a second (%lld)",
	    (long long)one.until);
	ok(claim(&one, 6000) == PV_SHARED_BUSY,
	    "until the one that has waited longest has had its turn");
	ok(claim(&one, 11000) == PV_SHARED_BUSY &&
		claim(&one, 11001) == PV_SHARED_GRANTED,
	    "P6: which lapses if it does not come, at the latest when it is "
	    "as late as its rest is long");
	end(&one, 11001);
	claim(&other, 11002);
	claim(&one, 11101);
	pv_shared_clocks_close(other.clocks);
	ok(claim(&one, 11102) == PV_SHARED_GRANTED,
	    "P6: and at once when its crawl is over");
	pv_shared_clocks_close(one.clocks);
	finish();
}

/* Killed */

struct victim {
	pid_t pid;
	int said;
};

/* A crawl that has a request at the host, which went out if `is_sent`, and then
 * does nothing until it is killed. */
static struct victim start_victim(bool is_sent, int64_t rest_ms)
{
	int said[2];
	struct victim victim = {.pid = -1};
	if (pipe(said) != 0 || (victim.pid = fork()) < 0)
		return victim;
	if (victim.pid == 0) {
		struct asking asking = {
		    open_by("boot"), {rest_ms, true, 1}, NULL, {0}, 0, 0};
		bool is_granted =
		    asking.clocks && claim(&asking, 1000) == PV_SHARED_GRANTED;
		if (is_sent)
			sent(&asking, 1100);
		(void)!write(said[1], is_granted ? "y" : "n", 1);
		for (;;)
			pause();
	}
	close(said[1]);
	victim.said = said[0];
	char byte = '\0';
	ok(read(victim.said, &byte, 1) == 1 && byte == 'y',
	    "a crawl of its own process has a request that %s",
	    is_sent ? "went out" : "is about to go out");
	return victim;
}

static void kill_victim(struct victim *victim)
{
	kill(victim->pid, SIGKILL);
	waitpid(victim->pid, NULL, 0);
	close(victim->said);
}

static void test_killed(void)
{
	for (int is_sent = 0; is_sent < 2; is_sent++) {
		begin();
		struct victim victim = start_victim(is_sent, 3000);
		struct asking asking = {
		    open_by("boot"), usual, NULL, {0}, 0, 0};
		ok(claim(&asking, 60000) == PV_SHARED_BUSY,
		    "as long as it lives it keeps others away");
		kill_victim(&victim);
		ok(claim(&asking, 70000) == PV_SHARED_EARLY &&
			asking.until == 73001,
		    "P1, P3: killed, it lets go, and its rest is kept from the "
		    "end of the millisecond in which that is found out");
		ok(claim(&asking, 73001) == PV_SHARED_GRANTED,
		    "and then others go on");
		pv_shared_clocks_close(asking.clocks);
		finish();
	}
}

static void leave_half_claimed(struct pv_clock_slot *slot, uint32_t number)
{
	for (unsigned i = 0; i < PV_CLOCK_HOLDERS; i++) {
		slot->holders[i].number = number;
		slot->holders[i].connecting = 1;
	}
}

/* What a crawl leaves that is killed between two steps. */
static void test_killed_in_the_middle(void)
{
	begin();
	struct pv_why why;
	struct pv_clock_file file;
	struct manner two = {10, false, 2};
	pv_why_init(&why);
	struct asking asking = {open_by("boot"), two, NULL, {0}, 0, 0};
	struct asking other = {open_by("boot"), two, NULL, {0}, 0, 0};
	ok(pv_clock_file_open(&file, scratch.path, "boot", &why),
	    "a file of clocks opens three times");
	for (uint32_t i = 0; i <= file.bucket_mask; i++) {
		struct pv_clock_bucket *bucket = &file.buckets[i];
		bucket->taken_by = file.number;
		for (unsigned j = 0; j < PV_CLOCK_SLOTS; j++)
			leave_half_claimed(&bucket->slots[j], file.number);
	}
	ok(claim(&asking, 1000) == PV_SHARED_BUSY,
	    "who has a bucket is not disturbed");
	pv_clock_file_close(&file);
	ok(claim(&asking, 1000) == PV_SHARED_GRANTED, "P3: unless it is over");
	sent(&asking, 1000);
	ok(claim(&other, 2000) == PV_SHARED_GRANTED,
	    "P3: and what it had only begun to claim is in nobody's way");
	pv_shared_clocks_close(asking.clocks);
	pv_shared_clocks_close(other.clocks);
	pv_why_finish(&why);
	finish();
}

/* Boots */

/* A host was asked at 500000 and is to be left alone until `next`; then the
 * machine boots, and its monotonic clock says 1000. */
static const struct {
	const char *claim;
	int64_t next;
	int64_t passed_ms; /* by the wall clock since 500000 */
	int64_t until;     /* 0: at once */
} boots[] = {
    {"the wait goes on, rounded up", 3500000, 60000, 1000 + 2940001},
    {"the wait has passed", 3500000, 4000000, 0},
    {"the wall clock was put back", 3500000, -90000000, 1000 + 3000000},
    {"there was none", 500100, 60000, 0},
    {"a short rest, and the clock was put back", 500900, -5000, 1900},
};

static void test_boots(void)
{
	for (size_t i = 0; i < sizeof(boots) / sizeof(*boots); i++) {
		begin();
		struct asking before = {
		    open_by("before"), {100, true, 1}, NULL, {0}, 0, 0};
		claim(&before, 499990);
		sent(&before, 499995);
		pv_shared_claim_end(&before.claim, 500000, boots[i].next);
		pv_shared_clocks_close(before.clocks);
		struct asking after = {
		    open_by("after"), {100, true, 1}, NULL, {0}, 0, 0};
		struct pv_time now = {1000, WALL + 500000 + boots[i].passed_ms};
		enum pv_shared_answer answer = claim_at(&after, now);
		ok(boots[i].until ? answer == PV_SHARED_EARLY &&
					after.until == boots[i].until
				  : answer == PV_SHARED_GRANTED,
		    "P3: after a boot, %s (%lld)", boots[i].claim,
		    (long long)after.until);
		pv_shared_clocks_close(after.clocks);
		finish();
	}
}

static void test_boot_amidst(void)
{
	begin();
	struct asking before = {open_by("before"), usual, NULL, {0}, 0, 0};
	claim(&before, 1000000);
	struct pv_why why;
	pv_why_init(&why);
	ok(!pv_shared_clocks_open(scratch.path, "after", &why) &&
		why.problems.count == 1,
	    "who was booted at another time while a crawl runs is another "
	    "machine, and is refused");
	pv_why_finish(&why);
	pv_shared_clocks_close(before.clocks);
	struct asking after = {open_by("after"), usual, NULL, {0}, 0, 0};
	ok(claim(&after, 500) == PV_SHARED_EARLY && after.until == 1501,
	    "P3: what was open when the machine went down is rested from "
	    "now");
	pv_shared_clocks_close(after.clocks);
	finish();
}

/* Files */

static const struct {
	const char *claim;
	const char *bytes;
	size_t len;
	bool is_opened;
} contents[] = {
    {"an empty file is made a file of clocks", "", 0, true},
    {"somebody's text is left alone", "my clocks\n", 10, false},
    {"a newer version is left alone", "pvclocks\4\0\0\0and more", 20, false},
    {"one that was cut short is made anew", "pvclocks\1\0\0\0", 12, true},
    {"one that was not finished is made anew", "\0\0\0\0\0\0\0\0\1", 9, true},
};

static void test_contents(void)
{
	for (size_t i = 0; i < sizeof(contents) / sizeof(*contents); i++) {
		char found[64] = "";
		struct pv_why why;
		begin();
		pv_why_init(&why);
		FILE *file = fopen(scratch_file(&scratch, "clocks"), "w");
		fwrite(contents[i].bytes, 1, contents[i].len, file);
		fclose(file);
		struct pv_shared_clocks *clocks =
		    pv_shared_clocks_open(scratch.path, "boot", &why);
		ok((clocks != NULL) == contents[i].is_opened &&
			(why.problems.count == 1) == !contents[i].is_opened,
		    "%s: %s", contents[i].claim,
		    why.problems.count ? why.problems.kept[0].text : "");
		file = fopen(scratch_file(&scratch, "clocks"), "r");
		size_t len = fread(found, 1, sizeof(found), file);
		fclose(file);
		ok(clocks ? len == sizeof(found)
			  : len == contents[i].len &&
				memcmp(found, contents[i].bytes, len) == 0,
		    "P3: and the file %s", clocks ? "is one" : "is as it was");
		pv_shared_clocks_close(clocks);
		pv_why_finish(&why);
		finish();
	}
}

/* What a file of the first version says, whose slots had a fifth holder where
 * turns stand now. */
static void make_old(void)
{
	struct pv_why why;
	struct pv_clock_file file;
	pv_why_init(&why);
	pv_clock_file_open(&file, scratch.path, "boot", &why);
	for (uint32_t i = 0; i <= file.bucket_mask; i++) {
		struct pv_clock_slot *slot = file.buckets[i].slots;
		struct pv_clock_holder last = {
		    .number = 1, .open = i % 2, .open_max = 1};
		memcpy((char *)slot + sizeof(*slot) - sizeof(last), &last,
		    sizeof(last));
	}
	pv_clock_file_close(&file);
	pv_why_finish(&why);
	FILE *old = fopen(scratch_file(&scratch, "clocks"), "r+");
	fseek(old, 8, SEEK_SET);
	fputc(1, old);
	fclose(old);
}

static void test_first_version(void)
{
	begin();
	struct asking one = {open_by("boot"), usual, NULL, {0}, 0, 0};
	claim(&one, 1000);
	pv_shared_claim_end(&one.claim, 1000, 90000);
	pv_shared_clocks_close(one.clocks);
	make_old();
	struct pv_why why;
	struct pv_clock_file file;
	pv_why_init(&why);
	ok(pv_clock_file_open(&file, scratch.path, "boot", &why) &&
		!why.notes.count && !file.buckets[0].slots[0].turn_since &&
		file.buckets[1].slots[0].holders[0].open &&
		!file.buckets[2].slots[0].holders[0].open,
	    "P3: a file of the first version is brought up, and what was open "
	    "there stays so");
	pv_clock_file_close(&file);
	pv_why_finish(&why);
	one.clocks = open_by("boot");
	ok(claim(&one, 2000) == PV_SHARED_EARLY && one.until == 90000,
	    "P1: with the rests that were asked for");
	pv_shared_clocks_close(one.clocks);
	finish();
}

/* In the second version a name had one bucket, where it is found by now, too;
 * but crawls of both versions at once would find it in different ones. */
static void set_version(int version)
{
	FILE *old = fopen(scratch_file(&scratch, "clocks"), "r+");
	fseek(old, 8, SEEK_SET);
	fputc(version, old);
	fclose(old);
}

static void test_second_version(void)
{
	begin();
	struct pv_why why;
	struct asking one = {open_by("boot"), usual, NULL, {0}, 0, 0};
	claim(&one, 1000);
	pv_shared_claim_end(&one.claim, 1000, 90000);
	set_version(2);
	pv_why_init(&why);
	ok(!pv_shared_clocks_open(scratch.path, "boot", &why) &&
		why.problems.count,
	    "P1: a file of the second version that is in use is left alone");
	pv_why_finish(&why);
	pv_shared_clocks_close(one.clocks);
	one.clocks = open_by("boot");
	ok(claim(&one, 2000) == PV_SHARED_EARLY && one.until == 90000,
	    "P1: later it is brought up, with the rests that were asked for");
	pv_shared_clocks_close(one.clocks);
	finish();
}

static void test_places(void)
{
	struct stat facts;
	struct pv_why why;
	struct pv_buf path;
	begin();
	pv_why_init(&why);
	pv_buf_init(&path, 1024);
	pv_buf_append_format(&path, "%s/clocks", scratch.path);
	struct pv_shared_clocks *clocks =
	    pv_shared_clocks_open(pv_buf_text(&path), "boot", &why);
	ok(clocks && stat(pv_buf_text(&path), &facts) == 0 &&
		(facts.st_mode & 0777) == 0700,
	    "the directory is made, for its owner alone");
	pv_shared_clocks_close(clocks);
	ok(!pv_shared_clocks_open(scratch.path, "boot", &why) &&
		why.problems.count == 1,
	    "what is called so and no file is refused");
	pv_buf_append_text(&path, "/clocks");
	ok(stat(pv_buf_text(&path), &facts) == 0 &&
		(facts.st_mode & 0777) == 0600 &&
		facts.st_blocks * 512 >= facts.st_size,
	    "the file is its owner's alone, and has all the room that it will "
	    "need");
	ok(!pv_shared_clocks_open(pv_buf_text(&path), "boot", &why) &&
		why.problems.count == 2,
	    "where no directory can be made, crawls share nothing");
	unlink(pv_buf_text(&path));
	pv_buf_cut(&path, path.len - strlen("/clocks"));
	rmdir(pv_buf_text(&path));
	ok(symlink("/dev/null", pv_buf_text(&path)) == 0 &&
		!pv_shared_clocks_open(scratch.path, "boot", &why),
	    "a link is not followed");
	pv_buf_finish(&path);
	pv_why_finish(&why);
	finish();
}

/* A little generator, so that a failure can be seen again. */
static uint64_t next_number(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 24;
}

static void spoil(void)
{
	uint64_t state = 54;
	FILE *file = fopen(scratch_file(&scratch, "clocks"), "r+");
	fseek(file, 4096, SEEK_SET);
	for (size_t i = 0; i < (1 << 20); i++) {
		uint64_t number = next_number(&state) * next_number(&state);
		if (i % 3)
			number &= 0xffff;
		fwrite(&number, 1, sizeof(number), file);
	}
	fclose(file);
}

static void test_spoilt(void)
{
	begin();
	struct asking asking = {open_by("boot"), usual, NULL, {0}, 0, 0};
	pv_shared_clocks_close(asking.clocks);
	spoil();
	asking.clocks = open_by("boot");
	size_t granted = 0;
	size_t late = 0;
	for (unsigned i = 0; i < 5000; i++) {
		char name[16];
		snprintf(name, sizeof(name), "%u", i);
		asking.name = name;
		claim(&asking, 2000000);
		late += asking.until > 2000000 + 60 * DAY;
		pv_shared_claim_drop(&asking.claim);
		granted += claim(&asking, 60 * DAY) == PV_SHARED_GRANTED;
		pv_shared_claim_drop(&asking.claim);
	}
	ok(granted == 5000 && !late,
	    "P5: with a spoilt file nobody waits for ever (%zu go on, %zu not "
	    "soon)",
	    granted, late);
	pv_shared_clocks_close(asking.clocks);
	finish();
}

/* Full */

#define NAMES 200000u

static size_t claim_all(
    struct asking *asking, unsigned from, int64_t ms, bool *was_granted)
{
	size_t granted = 0;
	for (unsigned i = from; i < NAMES; i++) {
		char name[16];
		snprintf(name, sizeof(name), "%u", i);
		asking->name = name;
		bool is_granted = claim(asking, ms) == PV_SHARED_GRANTED;
		if (is_granted) {
			sent(asking, ms);
			end(asking, ms);
		}
		was_granted[i] = is_granted;
		granted += is_granted;
	}
	return granted;
}

static void test_full(void)
{
	bool *first = pv_alloc_array(NAMES, sizeof(*first));
	bool *second = pv_alloc_array(NAMES, sizeof(*second));
	begin();
	struct asking one = {open_by("boot"), usual, NULL, {0}, 0, 0};
	struct asking other = {open_by("boot"), usual, NULL, {0}, 0, 0};
	size_t granted = claim_all(&one, 0, 1000, first);
	ok(granted > 100000 && granted < NAMES,
	    "of 200,000 clocks that are in use at once some have to share "
	    "(%zu are granted)",
	    granted);
	claim_all(&other, 0, 1500, second);
	size_t faster = 0;
	for (unsigned i = 0; i < NAMES; i++)
		faster += first[i] && second[i];
	ok(!faster, "P1: which makes nobody faster (%zu)", faster);
	granted = claim_all(&other, 0, 4000, second);
	ok(granted > 100000,
	    "when the first has not come for its turns, as many are granted "
	    "(%zu)",
	    granted);
	granted = claim_all(&one, NAMES - 20000, 30000, first);
	ok(granted == 20000,
	    "when they have been quiet, others have their room (%zu)", granted);
	pv_shared_clocks_close(one.clocks);
	pv_shared_clocks_close(other.clocks);
	finish();
	free(first);
	free(second);
}

/* Crowded: more names than one bucket has slots for. */

#define CROWD 40
#define STEPS 200000

static void find_crowd(char names[CROWD][16])
{
	struct pv_why why;
	struct pv_clock_file file;
	unsigned count = 0;
	pv_why_init(&why);
	pv_clock_file_open(&file, scratch.path, "boot", &why);
	for (unsigned i = 0; count < CROWD; i++) {
		snprintf(names[count], 16, "%u", i);
		uint64_t name = pv_hash(&file.key, pv_str_of(names[count]));
		count += !(name & file.bucket_mask);
	}
	pv_clock_file_close(&file);
	pv_why_finish(&why);
}

/* All other buckets are full, of clocks that are in use for a day. */
static void fill_others(int64_t ms)
{
	struct pv_why why;
	struct pv_clock_file file;
	pv_why_init(&why);
	pv_clock_file_open(&file, scratch.path, "boot", &why);
	for (uint32_t i = 1; i <= file.bucket_mask; i++) {
		for (unsigned j = 0; j < PV_CLOCK_SLOTS; j++) {
			struct pv_clock_slot *slot = &file.buckets[i].slots[j];
			slot->boot = file.boot;
			slot->last_start = slot->last_end = ms;
			slot->next = ms + 86400000;
			file.buckets[i].names[j] = 1 + j;
		}
	}
	pv_clock_file_close(&file);
	pv_why_finish(&why);
}

/* Each name is asked for with one of two rests of less than ten seconds, or
 * always with the same, and each grant held against the one before. */
struct crowd {
	char names[CROWD][16];
	int64_t last_ms[CROWD]; /* 0: none yet */
	size_t granted;
	size_t faults;
};

static void ask_crowd(
    struct crowd *crowd, struct asking *asking, int64_t ms, uint64_t *chance)
{
	/* Some names come up often, and others rarely. */
	unsigned i = (unsigned)(next_number(chance) % CROWD);
	if (next_number(chance) % 2)
		i %= 8;
	asking->name = crowd->names[i];
	asking->manner.rest_ms = i % 3 == 0                ? 15000
				 : next_number(chance) % 2 ? 300
							   : 9000;
	if (claim(asking, ms) != PV_SHARED_GRANTED)
		return;
	sent(asking, ms);
	end(asking, ms);
	crowd->faults += crowd->last_ms[i] &&
			 ms - crowd->last_ms[i] < asking->manner.rest_ms;
	crowd->last_ms[i] = ms;
	crowd->granted++;
}

static void test_crowd(void)
{
	struct crowd crowd = {.granted = 0};
	uint64_t chance = 3;
	int64_t ms = 1000;
	begin();
	struct asking crawls[] = {{open_by("boot"), usual, NULL, {0}, 0, 0},
	    {open_by("boot"), usual, NULL, {0}, 0, 0}};
	find_crowd(crowd.names);
	fill_others(ms);
	for (unsigned i = 0; i < STEPS; i++) {
		/* Now all of them are in use, and then only a few. */
		unsigned step_ms = i % 400 < 300 ? 60 : 1500;
		ms += (int64_t)(next_number(&chance) % step_ms);
		ask_crowd(&crowd, &crawls[i % 2], ms, &chance);
	}
	ok(!crowd.faults && crowd.granted > STEPS / 50,
	    "P1: of 40 names that have room for 15, with rests of 0.3 to 15 s, "
	    "none is asked too soon (%zu requests, %zu too soon)",
	    crowd.granted, crowd.faults);
	pv_shared_clocks_close(crawls[0].clocks);
	pv_shared_clocks_close(crawls[1].clocks);
	finish();
}

/* As many as a crawl of 50,000 hosts has in use, each at an address of its own:
 * of those that rest none waits for another. */
static void test_many_names(void)
{
	enum { IN_USE = 100000, REST_MS = 3600000 };
	begin();
	struct asking asking = {open_by("boot"),
	    (struct manner){REST_MS, false, 1}, NULL, {0}, 0, 0};
	unsigned refused = 0, granted = 0;
	char name[16];
	asking.name = name;
	for (unsigned i = 0; i < IN_USE; i++) {
		snprintf(name, sizeof(name), "h%u", i);
		refused += claim(&asking, 1000) != PV_SHARED_GRANTED;
		sent(&asking, 1000);
		end(&asking, 1000);
	}
	ok(refused <= IN_USE / 1000,
	    "P6: of %d names nearly none shares a clock with another (%u)",
	    IN_USE, refused);
	for (unsigned i = 0; i < IN_USE; i++) {
		snprintf(name, sizeof(name), "h%u", i);
		granted += claim(&asking, REST_MS) == PV_SHARED_GRANTED;
	}
	ok(!granted, "P1: and each is known to rest (%u are not)", granted);
	pv_shared_clocks_close(asking.clocks);
	finish();
}

/* By chance */

#define HOSTS 3
#define STARTS_MAX 4000
#define RUN_MS 400

struct start {
	unsigned host;
	int64_t rest_us;
	int64_t start_us;
	int64_t end_us; /* 0: it was killed before */
	bool is_from_end;
	bool is_alone;
};

struct book {
	_Atomic unsigned count;
	struct start starts[STARTS_MAX];
};

static int64_t now_us(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void wait_us(uint64_t us)
{
	nanosleep(&(struct timespec){.tv_nsec = (long)us * 1000}, NULL);
}

static void make_request(
    struct asking *asking, struct book *book, unsigned host, uint64_t *chance)
{
	wait_us(next_number(chance) % 700);
	unsigned number = book->count++;
	if (number >= STARTS_MAX)
		_exit(0);
	struct start *start = &book->starts[number];
	start->host = host;
	start->rest_us = asking->manner.rest_ms * 1000;
	start->is_from_end = asking->manner.is_from_end;
	start->is_alone = asking->manner.open_max == 1;
	start->start_us = now_us();
	sent(asking, now_us() / 1000 + 1);
	wait_us(next_number(chance) % 3000);
	start->end_us = now_us();
	end(asking, now_us() / 1000 + 1);
}

/* A crawl that asks for whatever it may. */
static _Noreturn void crawl(struct book *book, uint64_t chance)
{
	static const char *const names[HOSTS] = {"a", "b", "c"};
	struct asking asking = {.clocks = open_by("boot")};
	struct manner manners[HOSTS];
	int64_t until_us = now_us() + RUN_MS * 1000;
	for (unsigned i = 0; i < HOSTS; i++)
		manners[i] = (struct manner){
		    (int64_t)(next_number(&chance) % 9),
		    next_number(&chance) % 2,
		    next_number(&chance) % 2 ? 1 : 3,
		};
	while (now_us() < until_us) {
		unsigned host = (unsigned)(next_number(&chance) % HOSTS);
		asking.name = names[host];
		asking.manner = manners[host];
		if (claim_at(&asking, pv_time_now()) == PV_SHARED_GRANTED)
			make_request(&asking, book, host, &chance);
		else
			wait_us(next_number(&chance) % 1000);
	}
	_exit(0);
}

static int by_start(const void *a, const void *b)
{
	const struct start *one = a;
	const struct start *other = b;
	return (one->start_us > other->start_us) -
	       (one->start_us < other->start_us);
}

/* How long one crawl has it that a request waits after another. */
static int64_t earliest(
    const struct start *asker, const struct start *one, bool is_alone)
{
	bool is_from_end = asker->is_from_end && is_alone && one->end_us;
	return (is_from_end ? one->end_us : one->start_us) + asker->rest_us;
}

/* Whether a request came too soon after another. Where several may be open, one
 * may have been about to go out while the other ended. */
static bool is_too_soon(const struct start *one, const struct start *next)
{
	bool is_alone = one->is_alone || next->is_alone;
	return next->start_us < earliest(one, one, is_alone) ||
	       next->start_us < earliest(next, one, is_alone) ||
	       (is_alone && next->start_us < one->end_us);
}

static void judge(struct book *book, uint64_t seed, unsigned crawls)
{
	unsigned count =
	    book->count < STARTS_MAX ? (unsigned)book->count : STARTS_MAX;
	size_t faults = 0;
	qsort(book->starts, count, sizeof(*book->starts), by_start);
	for (unsigned i = 0; i < count; i++) {
		unsigned next = i + 1;
		while (next < count &&
		       book->starts[next].host != book->starts[i].host)
			next++;
		if (next < count && book->starts[i].start_us &&
		    is_too_soon(&book->starts[i], &book->starts[next]))
			faults++;
	}
	ok(!faults && count > 20,
	    "P1: of %u requests of %u crawls none comes sooner than either "
	    "crawl has it (by chance %llu: %zu)",
	    count, crawls, (unsigned long long)seed, faults);
}

static void test_by_chance(uint64_t seed)
{
	pid_t pids[4];
	uint64_t chance = seed;
	unsigned crawls = 2 + (unsigned)(next_number(&chance) % 3);
	struct book *book = mmap(NULL, sizeof(*book), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	begin();
	for (unsigned i = 0; i < crawls; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			crawl(book, seed * 1000 + i);
	}
	wait_us(100000 + next_number(&chance) % 100000);
	kill(pids[0], SIGKILL); /* in the midst of anything */
	for (unsigned i = 0; i < crawls; i++)
		waitpid(pids[i], NULL, 0);
	judge(book, seed, crawls);
	munmap(book, sizeof(*book));
	finish();
}

/* A crawl that comes once a minute, and one that comes once in between: others
 * that come do not make the clock forget the first. */
static void test_long_rest(void)
{
	static const struct manner quick = {100, true, 1};
	static const struct manner slow = {60000, true, 1};
	struct crowd crowd = {.granted = 0};
	begin();
	struct asking one = {open_by("boot"), quick, NULL, {0}, 0, 0};
	struct asking other = {open_by("boot"), slow, NULL, {0}, 0, 0};
	find_crowd(crowd.names);
	one.name = other.name = crowd.names[0];
	claim(&one, 1000);
	end(&one, 1000);
	ok(claim(&other, 1100) == PV_SHARED_EARLY && other.until == 61000,
	    "P1: a long rest is kept from what another asked");
	for (unsigned i = 1; i <= PV_CLOCK_SLOTS; i++) {
		one.name = crowd.names[i];
		claim(&one, 12000);
		end(&one, 12000);
	}
	ok(claim(&other, 24000) == PV_SHARED_EARLY && other.until >= 61000,
	    "P1: also if its neighbours are in want of room (%lld)",
	    (long long)other.until);
	pv_shared_clocks_close(one.clocks);
	pv_shared_clocks_close(other.clocks);
	finish();
}

int main(void)
{
	test_turns();
	test_rests();
	for (size_t i = 0; i < sizeof(turns) / sizeof(*turns); i++)
		test_taking_turns(&turns[i]);
	test_turn_lapses();
	test_overlaps();
	test_about_to_go_out();
	test_kinds();
	test_no_rest();
	test_killed();
	test_killed_in_the_middle();
	test_boots();
	test_boot_amidst();
	test_contents();
	test_first_version();
	test_second_version();
	test_places();
	test_spoilt();
	test_full();
	test_crowd();
	test_many_names();
	test_long_rest();
	for (uint64_t seed = 1; seed <= 6; seed++)
		test_by_chance(seed);
	return tap_done();
}
