#include "limiter/clock_waiters.h"

#include <pthread.h>
#include <stdatomic.h>

#include "tap.h"

static void count_wake(void *ctx)
{
	atomic_uint *wakes = ctx;
	atomic_fetch_add(wakes, 1);
}

#define CRAWLS 3

static struct pv_clock_waiters *waiters;
static struct pv_clock_party parties[CRAWLS];
static struct pv_clock_waiter hosts[CRAWLS];
static atomic_uint wakes[CRAWLS];

static void begin(void)
{
	waiters = pv_clock_waiters_create((struct pv_hash_key){{1, 2}});
	for (size_t i = 0; i < CRAWLS; i++) {
		hosts[i] = (struct pv_clock_waiter){.party = NULL};
		atomic_store(&wakes[i], 0);
		pv_clock_party_join(
		    &parties[i], waiters, count_wake, &wakes[i]);
	}
}

static void finish(void)
{
	for (size_t i = 0; i < CRAWLS; i++)
		pv_clock_party_leave(&parties[i]);
	pv_clock_waiters_destroy(waiters);
}

static uint64_t key_of(
    enum pv_limiter_clock clock, const char *name, uint16_t port)
{
	const struct pv_limiter_ask ask = {
	    .clock = clock, .name = pv_str_of(name), .port = port};
	return pv_clock_party_key(&parties[0], &ask);
}

static bool wait_at(size_t crawl, uint64_t clock, int64_t since)
{
	hosts[crawl].clock = clock;
	hosts[crawl].since = since;
	return pv_clock_party_wait(&parties[crawl], &hosts[crawl]);
}

static bool is_woken(size_t crawl)
{
	return pv_clock_party_take(&parties[crawl]) == &hosts[crawl];
}

static void test_keys(void)
{
	begin();
	uint64_t key = key_of(PV_LIMITER_HOST, "a.test", 0);
	ok(key && key == key_of(PV_LIMITER_HOST, "a.test", 0),
	    "a clock is known by its name");
	ok(key != key_of(PV_LIMITER_HOST, "b.test", 0) &&
		key != key_of(PV_LIMITER_ADDRESS, "a.test", 0) &&
		key != key_of(PV_LIMITER_HOST, "a.test", 80),
	    "its kind and its port");
	finish();
}

static void test_turns(void)
{
	begin();
	uint64_t a = key_of(PV_LIMITER_HOST, "a.test", 0);
	uint64_t b = key_of(PV_LIMITER_HOST, "b.test", 0);
	ok(!wait_at(1, a, 20),
	    "who waits while nobody of this process is at it asks again soon");
	pv_clock_party_stop_waiting(&hosts[1]);
	pv_clock_party_hold(&parties[0], a);
	ok(wait_at(1, a, 20) && wait_at(2, a, 10),
	    "who waits for a crawl of this process is told so");
	pv_clock_party_hold(&parties[0], b);
	pv_clock_party_let_go(&parties[0], b);
	ok(!wakes[1] && !wakes[2], "another clock wakes nobody");
	pv_clock_party_sent(&parties[0], a);
	ok(!wakes[1] && !wakes[2],
	    "nor does a request that is sent, of who may not overlap with it");
	pv_clock_party_let_go(&parties[0], a);
	ok(wakes[2] == 1 && !wakes[1],
	    "who has waited longest is woken, and nobody else");
	ok(is_woken(2) && !is_woken(2), "once");
	pv_clock_party_hold(&parties[2], a);
	pv_clock_party_let_go(&parties[2], a);
	ok(wakes[1] == 1 && wakes[2] == 1 && is_woken(1), "then the next one");
	finish();
}

static void test_overlap(void)
{
	begin();
	uint64_t a = key_of(PV_LIMITER_HOST, "a.test", 0);
	pv_clock_party_hold(&parties[0], a);
	hosts[1].may_overlap = true;
	wait_at(1, a, 20);
	pv_clock_party_sent(&parties[0], a);
	ok(wakes[1] == 1 && is_woken(1),
	    "who may overlap is woken when the request has been sent");
	pv_clock_party_let_go(&parties[0], a);
	finish();
}

static void test_leaving(void)
{
	begin();
	uint64_t a = key_of(PV_LIMITER_HOST, "a.test", 0);
	pv_clock_party_hold(&parties[0], a);
	wait_at(1, a, 10);
	wait_at(2, a, 20);
	pv_clock_party_stop_waiting(&hosts[1]);
	pv_clock_party_stop_waiting(&hosts[1]);
	pv_clock_party_let_go(&parties[0], a);
	ok(!wakes[1] && wakes[2] == 1,
	    "who does not wait any more is passed over");
	wait_at(1, a, 30);
	pv_clock_party_stop_waiting(&hosts[2]);
	ok(wakes[1] == 1 && is_woken(1),
	    "who was woken and has no use for it leaves its turn to the next");
	wait_at(2, a, 40);
	wait_at(1, a, 50);
	pv_clock_party_leave(&parties[2]);
	pv_clock_party_hold(&parties[0], a);
	pv_clock_party_let_go(&parties[0], a);
	ok(wakes[2] == 1 && wakes[1] == 2,
	    "a crawl that is closed waits for nothing");
	wait_at(1, a, 60);
	finish();
}

static void test_alone(void)
{
	struct pv_clock_party party;
	struct pv_clock_waiter host = {.party = NULL};
	pv_clock_party_join(&party, NULL, NULL, NULL);
	pv_clock_party_hold(&party, 1);
	host.clock = 1;
	ok(!pv_clock_party_wait(&party, &host) && !pv_clock_party_take(&party),
	    "who shares with nobody waits for nobody");
	pv_clock_party_sent(&party, 1);
	pv_clock_party_let_go(&party, 1);
	pv_clock_party_stop_waiting(&host);
	pv_clock_party_leave(&party);
	pv_clock_waiters_destroy(NULL);
}

/* Crawls on threads of their own, at one clock that one of them has at a time. */

#define ROUNDS 5000

static atomic_uint at_it;

static void *race(void *ctx)
{
	size_t crawl = (size_t)(uintptr_t)ctx;
	uint64_t clock = key_of(PV_LIMITER_HOST, "a.test", 0);
	for (unsigned i = 0; i < ROUNDS; i++) {
		unsigned nobody = 0;
		if (atomic_compare_exchange_strong(&at_it, &nobody, 1)) {
			pv_clock_party_hold(&parties[crawl], clock);
			atomic_store(&at_it, 0);
			pv_clock_party_let_go(&parties[crawl], clock);
			continue;
		}
		wait_at(crawl, clock, i);
		if (i % 2)
			pv_clock_party_take(&parties[crawl]);
		pv_clock_party_stop_waiting(&hosts[crawl]);
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t threads[CRAWLS];
	begin();
	for (size_t i = 0; i < CRAWLS; i++)
		pthread_create(&threads[i], NULL, race, (void *)(uintptr_t)i);
	for (size_t i = 0; i < CRAWLS; i++)
		pthread_join(threads[i], NULL);
	uint64_t clock = key_of(PV_LIMITER_HOST, "a.test", 0);
	ok(!wait_at(0, clock, 0), "threads leave nobody at a clock");
	atomic_store(&wakes[0], 0);
	pv_clock_party_hold(&parties[1], clock);
	pv_clock_party_let_go(&parties[1], clock);
	ok(wakes[0] == 1, "and nobody in front of who waits");
	finish();
}

int main(void)
{
	test_keys();
	test_turns();
	test_overlap();
	test_leaving();
	test_alone();
	test_threads();
	return tap_done();
}
