#include "fleet/shares/share.h"

#include "policy/policy.h"
#include "random.h"
#include "tap.h"

static struct pv_rate rate_of(int64_t max_rate, int64_t concurrency)
{
	return (struct pv_rate){.max_rate = max_rate,
	    .interval_ms = 1000,
	    .burst = max_rate,
	    .concurrency = concurrency};
}

static struct pv_fleet_part part_of(
    int64_t of, int64_t rank, const struct pv_rate *whole)
{
	return pv_fleet_share_rate((struct pv_fleet_share){of, rank}, whole);
}

/* Three workers */

static void test_ten(void)
{
	struct pv_rate whole = rate_of(10, 20);
	int64_t rates[3], places[3];
	for (int i = 0; i < 3; i++) {
		struct pv_fleet_part part = part_of(3, i, &whole);
		rates[i] = part.max_rate;
		places[i] = part.concurrency;
	}
	ok(rates[0] == 4 && rates[1] == 3 && rates[2] == 3,
	    "of ten requests an interval three workers have 4, 3 and 3");
	ok(places[0] == 7 && places[1] == 7 && places[2] == 6,
	    "and of 20 places 7, 7 and 6");
	ok(part_of(3, 3, &whole).max_rate == 3,
	    "who has nothing of what does not divide has 3");
	ok(part_of(0, 0, &whole).max_rate == 0 &&
		part_of(0, 0, &whole).concurrency == 0,
	    "who has no share may ask nothing");
	ok(part_of(1, 0, &whole).max_rate == 10 &&
		part_of(1, 0, &whole).concurrency == 20,
	    "a worker alone has all");
}

static void test_bandwidth(void)
{
	struct pv_rate whole = rate_of(10, 20);
	whole.bandwidth = 10000000;
	ok(part_of(3, 0, &whole).bandwidth == 3333333 &&
		part_of(3, 2, &whole).bandwidth == 3333333,
	    "of ten megabytes a second three workers have a third each");
	ok(part_of(1, 0, &whole).bandwidth == 10000000,
	    "and a worker alone all of them");
	ok(!pv_fleet_share_is_within((struct pv_fleet_share){2, 0},
	       (struct pv_fleet_share){3, 0}, &whole),
	    "a half is more than a third");
	whole.bandwidth = 2;
	ok(part_of(3, 0, &whole).bandwidth == 1 &&
		part_of(0, 0, &whole).bandwidth == 1,
	    "a body that has begun comes to its end without any, too");
	whole.bandwidth = PV_NONE;
	ok(part_of(3, 0, &whole).bandwidth == PV_NONE &&
		part_of(0, 0, &whole).bandwidth == PV_NONE,
	    "where there is no limit nobody has one");
}

/* What share the one of that number is to take, and whether there is one. */
static void test_standby(void)
{
	struct pv_rate whole = rate_of(2, 30);
	struct pv_fleet_share all[4] = {{0, 0}};
	ok(pv_fleet_share_choose(all, 4, 1, &whole).of == 2 &&
		pv_fleet_share_choose(all, 4, 1, &whole).rank == 1,
	    "of four workers two have the two tokens of an interval");
	ok(!pv_fleet_share_is_free(all, 4, 2, &whole) &&
		!pv_fleet_share_choose(all, 4, 3, &whole).of,
	    "P1: the others are on standby");
	all[2] = (struct pv_fleet_share){2, 0};
	all[3] = (struct pv_fleet_share){2, 1};
	ok(!pv_fleet_share_is_free(all, 4, 0, &whole) &&
		pv_fleet_share_choose(all, 4, 3, &whole).rank == 1,
	    "who has a share keeps it, also where lower numbers want one");
	all[3] = PV_FLEET_NO_SHARE;
	ok(pv_fleet_share_choose(all, 4, 0, &whole).of == 2 &&
		!pv_fleet_share_is_free(all, 4, 1, &whole),
	    "which is for the lowest number when it is free");
	whole = rate_of(30, 1);
	ok(pv_fleet_share_choose(all, 4, 2, &whole).of == 1 &&
		!pv_fleet_share_is_free(all, 4, 0, &whole),
	    "so it is where there are fewer places than workers");
}

/* All that workers do, in any order */

#define WORKERS 12

struct fleet {
	struct pv_rate whole;
	struct {
		bool is_alive;
		struct pv_fleet_share written; /* what others see */
		struct pv_fleet_share used;
		bool knows[WORKERS]; /* who lives, when it last looked */
		struct pv_fleet_share seen[WORKERS];
	} workers[WORKERS];
};

static int64_t all_bytes(const struct fleet *fleet)
{
	int64_t bytes = 0;
	for (int i = 0; i < WORKERS; i++)
		bytes += fleet->workers[i].used.of
			     ? pv_fleet_share_rate(
				   fleet->workers[i].used, &fleet->whole)
				   .bandwidth
			     : 0;
	return bytes;
}

static bool is_exceeded(const struct fleet *fleet)
{
	struct pv_fleet_share used[WORKERS];
	size_t count = 0;
	for (int i = 0; i < WORKERS; i++)
		if (fleet->workers[i].used.of)
			used[count++] = fleet->workers[i].used;
	return (count && !pv_fleet_share_fits(
			     used[0], used + 1, count - 1, &fleet->whole)) ||
	       all_bytes(fleet) > fleet->whole.bandwidth;
}

static void look(struct fleet *fleet, int own)
{
	for (int i = 0; i < WORKERS; i++) {
		fleet->workers[own].knows[i] = fleet->workers[i].is_alive;
		fleet->workers[own].seen[i] = fleet->workers[i].written;
	}
}

static bool has_changed(const struct fleet *fleet, int own)
{
	for (int i = 0; i < WORKERS; i++) {
		struct pv_fleet_share now = fleet->workers[i].written;
		struct pv_fleet_share then = fleet->workers[own].seen[i];
		if (i != own && fleet->workers[i].is_alive &&
		    (!fleet->workers[own].knows[i] || now.of != then.of ||
			now.rank != then.rank))
			return true;
	}
	return false;
}

/* By what it saw a while ago. What is less holds at once and is written then; what
 * is more is written if nothing has changed since, and holds then. */
static void decide(struct fleet *fleet, int own)
{
	struct pv_fleet_share all[WORKERS];
	size_t count = 0, place = 0;
	for (int i = 0; i < WORKERS; i++) {
		if (i == own)
			place = count;
		if (i == own)
			all[count++] = fleet->workers[own].written;
		else if (fleet->workers[own].knows[i])
			all[count++] = fleet->workers[own].seen[i];
	}
	struct pv_fleet_share share =
	    pv_fleet_share_choose(all, count, place, &fleet->whole);
	if (pv_fleet_share_is_within(
		share, fleet->workers[own].written, &fleet->whole) ||
	    !has_changed(fleet, own)) {
		fleet->workers[own].written = share;
		fleet->workers[own].used = share;
	}
}

static void step(struct fleet *fleet, struct random *random)
{
	int own = (int)random_below(random, WORKERS);
	bool is_alive = fleet->workers[own].is_alive;
	switch (random_below(random, 8)) {
	case 0: /* it joins, or leaves, or is declared dead after its lease */
		memset(&fleet->workers[own], 0, sizeof(fleet->workers[own]));
		fleet->workers[own].is_alive = !is_alive;
		look(fleet, own);
		break;
	case 1:
	case 2:
	case 3:
		if (is_alive)
			look(fleet, own);
		break;
	default:
		if (is_alive)
			decide(fleet, own);
		break;
	}
}

/* Once nobody joins or leaves each has what is its own; and nobody has a share by
 * which nothing can be asked. */
static bool settles(struct fleet *fleet)
{
	int64_t rate = 0, places = 0;
	bool is_any = false, is_useless = false;
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < WORKERS; i++) {
			if (!fleet->workers[i].is_alive)
				continue;
			look(fleet, i);
			decide(fleet, i);
		}
	}
	for (int i = 0; i < WORKERS; i++) {
		struct pv_fleet_share used = fleet->workers[i].used;
		struct pv_fleet_part part =
		    pv_fleet_share_rate(used, &fleet->whole);
		is_any = is_any || fleet->workers[i].is_alive;
		is_useless = is_useless ||
			     (used.of && (!part.max_rate || !part.concurrency));
		rate += part.max_rate;
		places += part.concurrency;
	}
	return !is_any || (rate == fleet->whole.max_rate && !is_useless &&
			      places == fleet->whole.concurrency);
}

static void test_any_order(void)
{
	struct random random = random_of(25);
	unsigned exceeded = 0, unsettled = 0, crowded = 0;
	for (int run = 0; run < 2000; run++) {
		struct fleet fleet;
		memset(&fleet, 0, sizeof(fleet));
		fleet.whole = rate_of(1 + (int64_t)random_below(&random, 40),
		    1 + (int64_t)random_below(&random, 40));
		fleet.whole.burst += (int64_t)random_below(&random, 10);
		fleet.whole.bandwidth = 10000 + random_below(&random, 90000);
		for (int i = 0; i < 200; i++) {
			step(&fleet, &random);
			exceeded += is_exceeded(&fleet);
		}
		unsettled += !settles(&fleet);
		crowded += fleet.whole.max_rate < 6;
		exceeded += is_exceeded(&fleet);
	}
	ok(exceeded == 0,
	    "P1: whoever joins, leaves or dies, and however late others hear "
	    "of it, the sum never exceeds the whole (%u)",
	    exceeded);
	ok(unsettled == 0,
	    "and nothing of it is left unused, once all have heard (%u)",
	    unsettled);
	ok(crowded > 100, "with low rates, too (%u)", crowded);
}

/* Without the look at what has changed since, two that grow at a time would take
 * the same. */
static void test_both_grow(void)
{
	struct pv_rate whole = rate_of(6, 6);
	struct pv_fleet_share two[] = {{0, 0}, {3, 0}};
	struct pv_fleet_share all[] = {{2, 0}, {2, 1}, {0, 0}};
	ok(pv_fleet_share_choose(two, 2, 0, &whole).of == 2,
	    "of two each takes a half");
	ok(!pv_fleet_share_fits((struct pv_fleet_share){3, 2}, all, 2, &whole),
	    "P1: beside two halves there is nothing left for a third");
	ok(pv_fleet_share_choose(all, 3, 2, &whole).of == 0,
	    "so who joins begins with nothing");
	all[0].of = 3;
	ok(pv_fleet_share_choose(all, 3, 2, &whole).of == 6,
	    "until one of them has agreed to less: then with what that leaves");
}

int main(void)
{
	test_ten();
	test_bandwidth();
	test_standby();
	test_any_order();
	test_both_grow();
	return tap_done();
}
