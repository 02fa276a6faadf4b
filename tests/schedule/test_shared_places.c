#include "schedule/shared_places.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "tap.h"

static void count_wake(void *ctx)
{
	atomic_uint *wakes = ctx;
	atomic_fetch_add(wakes, 1);
}

static size_t take_all(struct pv_place_share *share)
{
	size_t count = 0;
	while (pv_place_share_take(share))
		count++;
	return count;
}

static void test_alone(void)
{
	struct pv_place_share share = {NULL};
	pv_place_share_join(&share, NULL, NULL, NULL);
	ok(pv_place_share_take(&share) && !pv_place_share_is_denied(&share),
	    "who shares with nobody always has a place");
	pv_place_share_give(&share);
	pv_place_share_leave(&share);
	struct pv_shared_places *places = pv_shared_places_create(8);
	atomic_uint wakes = 0;
	pv_place_share_join(&share, places, count_wake, &wakes);
	ok(take_all(&share) == 8 && pv_place_share_is_denied(&share),
	    "one crawl alone has all places, and no more");
	pv_place_share_give(&share);
	ok(wakes == 1 && !pv_place_share_is_denied(&share),
	    "it is woken when one is free again");
	pv_place_share_give(&share);
	ok(wakes == 1, "once, until it has looked");
	pv_place_share_leave(&share);
	ok(!pv_shared_places_taken(places), "what it held is given back");
	pv_shared_places_destroy(places);
}

static void test_two(void)
{
	struct pv_shared_places *places = pv_shared_places_create(8);
	struct pv_place_share a, b;
	atomic_uint wakes[2] = {0, 0};
	pv_place_share_join(&a, places, count_wake, &wakes[0]);
	pv_place_share_join(&b, places, count_wake, &wakes[1]);
	ok(take_all(&a) == 8, "what the other does not want one takes");
	ok(!pv_place_share_take(&b) && pv_place_share_is_denied(&b),
	    "the other waits then");
	for (unsigned i = 0; i < 3; i++)
		pv_place_share_give(&a);
	ok(wakes[1] == 1 && !pv_place_share_take(&a),
	    "what becomes free is kept for it, though it has not looked yet");
	ok(take_all(&b) == 3, "and it takes that");
	pv_place_share_give(&a);
	ok(!pv_place_share_take(&a) && pv_place_share_take(&b),
	    "until it has its equal part");
	pv_place_share_give(&a);
	ok(pv_place_share_take(&a) && !pv_place_share_take(&b),
	    "beyond which nothing is kept for it");
	pv_place_share_want_none(&b);
	ok(!pv_place_share_is_denied(&b), "it may want no more");
	ok(!pv_place_share_take(&a), "a waits");
	pv_place_share_give(&b);
	ok(pv_place_share_take(&a), "and takes what b has no use for");
	pv_place_share_leave(&b);
	ok(wakes[0] >= 1 && take_all(&a) == 3,
	    "who leaves gives all places to who is left");
	pv_place_share_leave(&a);
	pv_shared_places_destroy(places);
}

static void test_want_none(void)
{
	struct pv_shared_places *places = pv_shared_places_create(2);
	struct pv_place_share a, b;
	atomic_uint wakes[2] = {0, 0};
	pv_place_share_join(&a, places, count_wake, &wakes[0]);
	pv_place_share_join(&b, places, count_wake, &wakes[1]);
	take_all(&a);
	pv_place_share_take(&b);
	pv_place_share_give(&a);
	ok(!pv_place_share_take(&a), "a place is kept for who waits");
	pv_place_share_want_none(&b);
	ok(wakes[0] == 1 && pv_place_share_take(&a),
	    "whoever else waits is told when that one wants none any more");
	pv_place_share_leave(&a);
	pv_place_share_leave(&b);
	pv_shared_places_destroy(places);
}

static void test_more_than_places(void)
{
	struct pv_shared_places *places = pv_shared_places_create(2);
	struct pv_place_share shares[5];
	atomic_uint wakes = 0;
	unsigned had[5] = {0};
	for (size_t i = 0; i < 5; i++)
		pv_place_share_join(&shares[i], places, count_wake, &wakes);
	for (unsigned round = 0; round < 50; round++) {
		for (size_t i = 0; i < 5; i++) {
			size_t turn = (i + round) % 5;
			if (shares[turn].held)
				pv_place_share_give(&shares[turn]);
			else if (pv_place_share_take(&shares[turn]))
				had[turn]++;
		}
	}
	ok(pv_shared_places_taken(places) <= 2,
	    "more crawls than places take no more than there are");
	ok(had[0] && had[1] && had[2] && had[3] && had[4],
	    "and each has its turn (%u %u %u %u %u)", had[0], had[1], had[2],
	    had[3], had[4]);
	for (size_t i = 0; i < 5; i++)
		pv_place_share_leave(&shares[i]);
	pv_shared_places_destroy(places);
}

/* One on a thread of its own, which takes and gives as fast as it can, until it
 * has had one. */
struct racer {
	struct pv_place_share share;
	struct pv_shared_places *places;
	uintptr_t number;
	unsigned taken;
	unsigned over; /* times that the ceiling was passed */
	atomic_uint wakes;
};

static void *race(void *ctx)
{
	struct racer *racer = ctx;
	for (unsigned i = 0; i < 20000 || !racer->taken; i++) {
		if (i % 3 != racer->number % 3 &&
		    pv_place_share_take(&racer->share))
			racer->taken++;
		else if (racer->share.held)
			pv_place_share_give(&racer->share);
		racer->over += pv_shared_places_taken(racer->places) > 5;
	}
	while (racer->share.held)
		pv_place_share_give(&racer->share);
	return NULL;
}

static void test_threads(void)
{
	struct pv_shared_places *places = pv_shared_places_create(5);
	struct racer racers[4];
	pthread_t threads[4];
	unsigned over = 0;
	bool has_each = true;
	for (size_t i = 0; i < 4; i++) {
		racers[i] = (struct racer){.places = places, .number = i};
		pv_place_share_join(
		    &racers[i].share, places, count_wake, &racers[i].wakes);
	}
	for (size_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, race, &racers[i]);
	for (size_t i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		over += racers[i].over;
		has_each = has_each && racers[i].taken;
		pv_place_share_leave(&racers[i].share);
	}
	ok(!over && has_each, "threads never pass the ceiling (%u)", over);
	ok(!pv_shared_places_taken(places), "and leave nothing taken");
	pv_shared_places_destroy(places);
}

int main(void)
{
	test_alone();
	test_two();
	test_want_none();
	test_more_than_places();
	test_threads();
	return tap_done();
}
