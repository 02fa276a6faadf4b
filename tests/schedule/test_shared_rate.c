#include "schedule/shared_rate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "tap.h"

#define INTERVAL 1000

static void count_wake(void *ctx)
{
	atomic_uint *wakes = ctx;
	atomic_fetch_add(wakes, 1);
}

static int64_t take_all(struct pv_rate_share *share, int64_t now)
{
	int64_t count = 0;
	while (count < 1000000 && pv_rate_share_take(share, now))
		count++;
	return count;
}

static struct pv_shared_rate *make(int64_t max_rate, int64_t interval_ms)
{
	struct pv_shared_rate *rate = pv_shared_rate_create();
	pv_shared_rate_change(rate, max_rate, interval_ms);
	return rate;
}

static void test_alone(void)
{
	struct pv_rate_share share;
	atomic_uint wakes = 0;
	pv_rate_share_join(&share, NULL, NULL, NULL);
	ok(take_all(&share, 0) == 1000000 && !pv_rate_share_next(&share),
	    "who shares with nobody always has a token");
	pv_rate_share_leave(&share);
	struct pv_shared_rate *rate = pv_shared_rate_create();
	pv_rate_share_join(&share, rate, count_wake, &wakes);
	ok(take_all(&share, 0) == 1000000, "so do all where there is no rate");
	pv_shared_rate_change(rate, 5, INTERVAL);
	ok(take_all(&share, 100) == 5,
	    "one crawl alone has all tokens of an interval, and no more");
	ok(pv_rate_share_next(&share) == 100 + INTERVAL &&
		pv_rate_share_look(&share) == 100 + INTERVAL,
	    "it is told when the next tick is");
	ok(!pv_rate_share_take(&share, 1099), "before that it has none");
	ok(take_all(&share, 1100) == 5, "then it has as many again");
	pv_rate_share_want_none(&share, 1100);
	ok(!pv_rate_share_next(&share), "who wants none waits for nothing");
	ok(take_all(&share, 100000) == 5,
	    "P2: idle time earns no credit, however long it is");
	ok(pv_rate_share_next(&share) == 100100,
	    "and the ticks stay where they were");
	ok(!wakes, "nobody is woken at a tick who has been told of it");
	pv_rate_share_leave(&share);
	pv_shared_rate_destroy(rate);
	pv_shared_rate_destroy(NULL);
}

static void test_equal_parts(void)
{
	struct pv_shared_rate *rate = make(10, INTERVAL);
	struct pv_rate_share a, b, c;
	atomic_uint wakes[3] = {0, 0, 0};
	pv_rate_share_join(&a, rate, count_wake, &wakes[0]);
	pv_rate_share_join(&b, rate, count_wake, &wakes[1]);
	pv_rate_share_join(&c, rate, count_wake, &wakes[2]);
	ok(take_all(&a, 0) == 10, "what the others do not want one takes");
	ok(!take_all(&b, 1), "another one waits then");
	ok(take_all(&a, 1000) == 5 && take_all(&b, 1003) == 5,
	    "at the next tick both have equal parts, whoever comes first");
	ok(!take_all(&c, 1004), "a third one waits as well");
	int64_t had[3] = {0};
	for (int64_t now = 2000; now < 32000; now += INTERVAL) {
		had[0] += take_all(&a, now);
		had[1] += take_all(&b, now + 1);
		had[2] += take_all(&c, now + 2);
	}
	ok(had[0] == 100 && had[1] == 100 && had[2] == 100,
	    "what cannot be divided goes round: %lld, %lld, %lld",
	    (long long)had[0], (long long)had[1], (long long)had[2]);
	pv_rate_share_take(&a, 32000);
	pv_rate_share_want_none(&a, 32000);
	ok(take_all(&b, 32000) + take_all(&c, 32000) == 9,
	    "what one was dealt and does not want the others have");
	pv_rate_share_leave(&a);
	pv_rate_share_leave(&b);
	pv_rate_share_leave(&c);
	pv_shared_rate_destroy(rate);
}

static void test_wakes(void)
{
	struct pv_shared_rate *rate = make(2, INTERVAL);
	struct pv_rate_share a, b, c;
	atomic_uint wakes[3] = {0, 0, 0};
	pv_rate_share_join(&a, rate, count_wake, &wakes[0]);
	pv_rate_share_join(&b, rate, count_wake, &wakes[1]);
	pv_rate_share_join(&c, rate, count_wake, &wakes[2]);
	pv_rate_share_take(&a, 0);
	pv_rate_share_take(&a, 0);
	ok(!pv_rate_share_take(&b, 10) && !pv_rate_share_take(&c, 10),
	    "two crawls wait");
	pv_rate_share_next(&b);
	pv_rate_share_next(&c);
	pv_rate_share_give_back(&a, 0, 20);
	ok(wakes[1] == 1 && !wakes[2],
	    "a token that served no request wakes who has waited longest, and "
	    "nobody else");
	ok(!pv_rate_share_take(&a, 20), "it is nobody else's");
	ok(pv_rate_share_take(&b, 30), "who was woken has it");
	pv_rate_share_give_back(&b, 30, 40);
	ok(wakes[2] == 1 && pv_rate_share_take(&c, 40), "then the next one");
	pv_rate_share_want_none(&a, 50);
	pv_rate_share_give_back(&a, 0, 60);
	pv_rate_share_want_none(&c, 60);
	pv_rate_share_want_none(&b, 60);
	pv_rate_share_give_back(&a, 0, 60);
	pv_rate_share_give_back(&a, 0, 60);
	ok(take_all(&b, 60) == 2, "no more comes back than an interval has");
	ok(take_all(&b, 1000) == 2, "the next interval has as many");
	pv_rate_share_give_back(&a, 999, 1000);
	ok(!pv_rate_share_take(&b, 1000),
	    "to which a token of the one before adds nothing");
	pv_rate_share_leave(&a);
	pv_rate_share_leave(&b);
	pv_rate_share_leave(&c);
	pv_shared_rate_destroy(rate);
}

static void test_absent(void)
{
	struct pv_shared_rate *rate = make(4, INTERVAL * 100);
	struct pv_rate_share a, b;
	atomic_uint wakes[2] = {0, 0};
	pv_rate_share_join(&a, rate, count_wake, &wakes[0]);
	pv_rate_share_join(&b, rate, count_wake, &wakes[1]);
	take_all(&a, 0);
	take_all(&b, 0);
	ok(take_all(&b, 100000) == 2, "a part is kept for who is to come");
	ok(!pv_rate_share_take(&b, 100999), "for a while");
	ok(take_all(&b, 101000) == 2,
	    "who does not come in a second loses it to the others");
	ok(!take_all(&a, 101001) && take_all(&a, 200000) == 2,
	    "and has its part at the next tick, if it has come back");
	pv_rate_share_take(&b, 200000);
	pv_rate_share_leave(&b);
	ok(take_all(&a, 200000) == 1,
	    "what a crawl was dealt that is closed is there for the others");
	pv_rate_share_leave(&a);
	pv_shared_rate_destroy(rate);
}

static void test_change(void)
{
	struct pv_shared_rate *rate = make(4, INTERVAL);
	struct pv_rate_share a, b;
	atomic_uint wakes[2] = {0, 0};
	pv_rate_share_join(&a, rate, count_wake, &wakes[0]);
	pv_rate_share_join(&b, rate, count_wake, &wakes[1]);
	take_all(&a, 0);
	take_all(&b, 0);
	pv_rate_share_next(&b);
	pv_shared_rate_change(rate, 6, 100);
	ok(wakes[0] && wakes[1] && pv_rate_share_next(&b) == 100,
	    "at another rate who waits is woken, and told of another tick");
	ok(take_all(&a, 100) + take_all(&b, 100) == 6,
	    "which brings that many");
	pv_rate_share_want_none(&a, 200);
	pv_rate_share_want_none(&b, 200);
	pv_rate_share_take(&a, 200);
	pv_shared_rate_change(rate, 2, 100);
	ok(take_all(&a, 200) == 2, "a smaller one holds at once");
	wakes[0] = wakes[1] = 0;
	pv_rate_share_take(&b, 200);
	pv_shared_rate_change(rate, 0, 0);
	ok(wakes[0] == 1 && wakes[1] == 1 && !pv_rate_share_next(&a) &&
		take_all(&a, 200) == 1000000,
	    "without one nobody waits any more");
	pv_shared_rate_change(rate, 1, 100);
	ok(take_all(&a, 200) == 1 && !take_all(&b, 200),
	    "and there may be one again");
	pv_rate_share_leave(&a);
	pv_rate_share_leave(&b);
	pv_shared_rate_destroy(rate);
}

/* Crawls in simulated time, each of which turns when its timer says so or when it
 * is woken, and always has something to request. */

#define MANY 1000

struct crawl {
	struct pv_rate_share share;
	int64_t turns_at;
	unsigned turns;
	unsigned taken;
};

static int64_t now_of_all;

static void turn_now(void *ctx)
{
	struct crawl *crawl = ctx;
	crawl->turns_at = now_of_all;
}

static void turn(struct crawl *crawl, int64_t now)
{
	crawl->turns++;
	while (pv_rate_share_take(&crawl->share, now))
		crawl->taken++;
	crawl->turns_at = pv_rate_share_next(&crawl->share);
}

static void test_many(void)
{
	struct pv_shared_rate *rate = make(20, INTERVAL);
	struct crawl *crawls = calloc(MANY, sizeof(*crawls));
	unsigned turns = 0, least = UINT32_MAX, most = 0, taken = 0;
	for (size_t i = 0; i < MANY; i++)
		pv_rate_share_join(
		    &crawls[i].share, rate, turn_now, &crawls[i]);
	for (now_of_all = 0; now_of_all < 200 * INTERVAL; now_of_all += 50) {
		for (size_t i = 0; i < MANY; i++) {
			if (crawls[i].turns_at <= now_of_all)
				turn(&crawls[i], now_of_all);
		}
	}
	for (size_t i = 0; i < MANY; i++) {
		unsigned count = crawls[i].taken;
		turns += crawls[i].turns;
		taken += count;
		least = count < least ? count : least;
		most = count > most ? count : most;
		pv_rate_share_leave(&crawls[i].share);
	}
	ok(taken == 20 * 200, "of 1,000 crawls no token is left unused (%u)",
	    taken);
	ok(least >= 3, "each has its turn again and again (%u to %u)", least,
	    most);
	ok(turns <= MANY + 2 * taken,
	    "and nobody turns in vain: %u turns for %u requests", turns, taken);
	free(crawls);
	pv_shared_rate_destroy(rate);
}

/* Random crawls */

#define CRAWLS 7
#define STEPS 20000

static uint64_t draw(uint64_t *state, uint64_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (*state >> 33) % below;
}

/* Whether another crawl that came now would be given a token. */
static bool has_token(struct pv_shared_rate *rate, int64_t now)
{
	struct pv_rate_share stranger;
	atomic_uint wakes = 0;
	pv_rate_share_join(&stranger, rate, count_wake, &wakes);
	bool has_it = pv_rate_share_take(&stranger, now);
	if (has_it)
		pv_rate_share_give_back(&stranger, now, now);
	pv_rate_share_leave(&stranger);
	return has_it;
}

static bool is_anybody_waiting(const struct pv_rate_share *shares)
{
	bool is_waiting = false;
	for (size_t i = 0; i < CRAWLS; i++)
		is_waiting =
		    is_waiting || shares[i].standing == PV_RATE_WAITING;
	return is_waiting;
}

static void test_random(void)
{
	struct pv_shared_rate *rate = make(9, 40);
	struct pv_rate_share shares[CRAWLS];
	int64_t spent_at[CRAWLS], now = 0, began = -1;
	int64_t in_interval = 0, most = 0, all = 0;
	unsigned idle = 0, waits = 0;
	uint64_t state = 1;
	atomic_uint wakes = 0;
	for (size_t i = 0; i < CRAWLS; i++) {
		pv_rate_share_join(&shares[i], rate, count_wake, &wakes);
		spent_at[i] = -1;
	}
	for (unsigned step = 0; step < STEPS; step++) {
		size_t i = draw(&state, CRAWLS);
		now += (int64_t)draw(&state, 5) == 0;
		if (now / 40 != began) {
			began = now / 40;
			in_interval = 0;
		}
		if (draw(&state, 10) == 0) {
			pv_rate_share_want_none(&shares[i], now);
		} else if (draw(&state, 8) == 0 && spent_at[i] >= 0) {
			pv_rate_share_give_back(&shares[i], spent_at[i], now);
			in_interval -= spent_at[i] / 40 == began;
			spent_at[i] = -1;
		} else if (pv_rate_share_take(&shares[i], now)) {
			spent_at[i] = now;
			in_interval++;
			all++;
		}
		most = in_interval > most ? in_interval : most;
		bool is_waiting = is_anybody_waiting(shares);
		waits += is_waiting;
		idle += is_waiting && has_token(rate, now);
	}
	ok(most == 9, "P1: no interval has more than the rate (%lld of 9)",
	    (long long)most);
	ok(!idle && waits > STEPS / 20,
	    "nobody waits while a token lies there (%u times)", waits);
	ok(all > now / 40 * 7, "and nearly all are used (%lld in %lld ms)",
	    (long long)all, (long long)now);
	for (size_t i = 0; i < CRAWLS; i++)
		pv_rate_share_leave(&shares[i]);
	pv_shared_rate_destroy(rate);
}

/* Threads */

struct racer {
	struct pv_rate_share share;
	atomic_int_least64_t *now;
	int64_t taken;
	atomic_uint wakes;
};

static void *race(void *ctx)
{
	struct racer *racer = ctx;
	for (unsigned i = 0; i < 20000; i++) {
		int64_t now = atomic_fetch_add(racer->now, 1) / 8;
		if (i % 16 == 0)
			pv_rate_share_want_none(&racer->share, now);
		else if (!pv_rate_share_take(&racer->share, now))
			pv_rate_share_next(&racer->share);
		else if (i % 5)
			racer->taken++;
		else
			pv_rate_share_give_back(&racer->share, now, now);
	}
	return NULL;
}

static void test_threads(void)
{
	struct pv_shared_rate *rate = make(5, 10);
	struct racer racers[4];
	pthread_t threads[4];
	atomic_int_least64_t now = 0;
	int64_t taken = 0;
	for (size_t i = 0; i < 4; i++) {
		racers[i] = (struct racer){.now = &now};
		pv_rate_share_join(
		    &racers[i].share, rate, count_wake, &racers[i].wakes);
	}
	for (size_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, race, &racers[i]);
	for (size_t i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		taken += racers[i].taken;
		pv_rate_share_leave(&racers[i].share);
	}
	int64_t ticks = now / 8 / 10 + 1;
	ok(taken <= 5 * ticks && taken > ticks,
	    "threads never have more than there are, and leave few (%lld in "
	    "%lld ticks)",
	    (long long)taken, (long long)ticks);
	pv_shared_rate_destroy(rate);
}

int main(void)
{
	test_alone();
	test_equal_parts();
	test_wakes();
	test_absent();
	test_change();
	test_many();
	test_random();
	test_threads();
	return tap_done();
}
