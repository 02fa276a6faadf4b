#include <stdio.h>
#include <stdlib.h>

#include "base/address.h"
#include "base/alloc.h"
#include "base/array.h"
#include "schedule/oracle.h"
#include "schedule/schedule_host.h"
#include "tap.h"

/* Crawls that are made up: hosts of many manners answer, fail and refuse at
 * random over simulated hours and days, and an oracle that knows only the
 * rules watches each request. PAVANE_TEST_SEED chooses another course. */

#if defined(__SANITIZE_ADDRESS__)
#define SLOWER 20
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOWER 20
#endif
#endif
#ifndef SLOWER
#define SLOWER 1
#endif

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

struct scene {
	const char *name;
	size_t hosts;
	size_t addresses;
	size_t sharing; /* so many hosts to a clock, which take turns even
			   where another's address would be free */
	struct pv_rate rate;
	int64_t span_ms;
	int failures;      /* of a hundred requests */
	int64_t slow_ms;   /* the longest answer */
	size_t look_every; /* releases between two looks at all hosts */
	bool has_jumps;    /* of the wall clock */
	bool is_in_order;  /* no address is shared: who waits longest is next */
	bool is_full;      /* there is always more to do than the rate allows */
};

struct guest { /* a host */
	struct pv_schedule_host *host;
	size_t door;
	size_t house;
	int64_t visits;
	int64_t lined_up_at;
};

struct event {
	int64_t at;
	uint32_t flight;
	bool is_end;
	struct pv_visit_end end;
};

struct trip {
	struct guest *guest;
	int64_t released_at;
	int64_t sent_at;
};

struct world {
	const struct scene *scene;
	struct pv_schedule *schedule;
	struct guest *guests;
	struct door *doors;
	struct house *houses;
	struct trip *trips;
	struct event *events; /* a binary heap */
	size_t event_count;
	size_t event_size;
	int64_t *releases; /* when each was */
	size_t release_count;
	size_t release_size;
	int64_t tokens;
	int64_t next_tick;
	int64_t in_flight;
	int64_t now;
	uint64_t random;
	uint64_t trace; /* of all that was released */
	uint64_t happened;
	uint64_t too_early;
	uint64_t too_many;
	uint64_t missed; /* could have been released and was not */
	uint64_t out_of_turn;
	uint64_t overslept;
	int64_t longest_wait;
};

static uint64_t draw(struct world *world, uint64_t below)
{
	world->random ^= world->random << 13;
	world->random ^= world->random >> 7;
	world->random ^= world->random << 17;
	return world->random % below;
}

/* Manners */

#define FAILURES                                             \
	{                                                    \
		5 * SECOND, 60 * SECOND, 2, DAY, 30 * MINUTE \
	}

static const struct pv_manners kinds[] = {
    {1000, PV_DELAY_FROM_END, 1, 30000, 0, 1, PV_NONE, 1000, PV_NONE, 250,
	.backoff = FAILURES},
    {1000, PV_DELAY_FROM_START, 1, 30000, 0, 1, PV_NONE, 1000, PV_NONE, 250,
	.backoff = FAILURES},
    {200, PV_DELAY_FROM_START, 0, 0, 0, 4, PV_NONE, 1000, PV_NONE, 250,
	.backoff = FAILURES},
    {3000, PV_DELAY_FROM_END, 5, 20000, 0, 2, PV_NONE, 1000, PV_NONE, 500,
	.backoff = {100, 2000, 3, 600000, 60000}},
    {500, PV_DELAY_FROM_END, 1, 30000, 0.5, 1, PV_NONE, 1000, PV_NONE, 250,
	.backoff = FAILURES},
    {0, PV_DELAY_FROM_START, 0, 0, 0, 3, 30, 60000, PV_NONE, 0,
	.backoff = FAILURES},
    {10000, PV_DELAY_FROM_END, 1, 30000, 2, 1, 3, 60000, PV_NONE, 1000,
	.backoff = FAILURES},
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))

/* Events, the earliest first */

static void swap(struct event *a, struct event *b)
{
	struct event kept = *a;
	*a = *b;
	*b = kept;
}

static void expect(struct world *world, struct event event)
{
	size_t i = world->event_count;
	*PV_ARRAY_PUSH(world->events, world->event_count, world->event_size) =
	    event;
	for (; i && world->events[(i - 1) / 2].at > event.at; i = (i - 1) / 2)
		swap(&world->events[i], &world->events[(i - 1) / 2]);
}

static struct event take_event(struct world *world)
{
	struct event first = world->events[0];
	size_t i = 0;
	world->events[0] = world->events[--world->event_count];
	for (;;) {
		size_t least = i;
		for (size_t j = 2 * i + 1; j <= 2 * i + 2; j++) {
			if (j < world->event_count &&
			    world->events[j].at < world->events[least].at)
				least = j;
		}
		if (least == i)
			return first;
		swap(&world->events[i], &world->events[least]);
		i = least;
	}
}

/* The world */

static void push(struct world *world, struct guest *guest, int64_t count)
{
	if (!guest->visits)
		guest->lined_up_at = world->now;
	for (; count && guest->visits < (int64_t)PV_VISIT_HEAD_MAX; count--) {
		uint64_t visit = 1;
		guest->visits++;
		pv_schedule_push(world->schedule, guest->host,
		    &(struct pv_visit_batch){&visit, 1, false}, world->now);
	}
}

static void add_guest(struct world *world, size_t i)
{
	const struct scene *scene = world->scene;
	struct guest *guest = &world->guests[i];
	struct pv_address address = {.bits = 32};
	char name[32];
	guest->door = i / scene->sharing;
	guest->house = i % scene->addresses;
	const struct pv_manners *manners = &kinds[guest->door % KINDS];
	for (int byte = 0; byte < 4; byte++)
		address.bytes[byte] = (uint8_t)(guest->house >> (8 * byte));
	snprintf(name, sizeof(name), "%zu.test", guest->door);
	const struct pv_host_plan plan = {
	    pv_str_of(name), &address, manners, guest};
	guest->host = pv_schedule_host_add(world->schedule, &plan, 0);
	struct door *door = &world->doors[guest->door];
	struct house *house = &world->houses[guest->house];
	door->manners = manners;
	door->sent_at = door->ended_at = door->window_at = LONG_AGO;
	door->failed_at = house->failed_at = LONG_AGO;
	house->sent_at = LONG_AGO;
	house->ip_delay_ms = later(house->ip_delay_ms, manners->ip_delay_ms);
	door->crawl_delay_ms = guest->door % 11 ? 0 : 4000;
	pv_schedule_host_crawl_delay(
	    world->schedule, guest->host, door->crawl_delay_ms);
	push(world, guest, scene->is_full ? 8 : (int64_t)draw(world, 6));
}

static void init(struct world *world, const struct scene *scene, uint64_t seed)
{
	const struct pv_schedule_plan plan = {&scene->rate, seed, NULL};
	*world = (struct world){.scene = scene, .random = seed * 2 + 1};
	world->schedule = pv_schedule_create(&plan, 0);
	world->guests = pv_alloc_array(scene->hosts, sizeof(*world->guests));
	world->doors = pv_alloc_array(scene->hosts, sizeof(*world->doors));
	world->houses =
	    pv_alloc_array(scene->addresses, sizeof(*world->houses));
	world->trips = pv_alloc_array(
	    (size_t)scene->rate.concurrency, sizeof(*world->trips));
	world->tokens = scene->rate.max_rate;
	world->next_tick = scene->rate.interval_ms;
	for (size_t i = 0; i < scene->hosts; i++)
		add_guest(world, i);
}

static void finish(struct world *world)
{
	pv_schedule_destroy(world->schedule);
	free(world->guests);
	free(world->doors);
	free(world->houses);
	free(world->trips);
	free(world->events);
	free(world->releases);
}

/* When a guest may be asked: never before `first`, surely from `last` on. */
struct turn {
	int64_t first;
	int64_t last;
};

static struct turn turn_of(const struct world *world, const struct guest *guest)
{
	const struct door *door = &world->doors[guest->door];
	int64_t house = house_opens(&world->houses[guest->house]);
	if (!guest->visits)
		return (struct turn){NOT_NOW, NOT_NOW};
	return (struct turn){
	    later(door_opens(door, 0), house),
	    later(door_opens(door, door->manners->jitter), house),
	};
}

/* In no span of so many intervals more than burst and what they bring. */
static void check_spans(struct world *world)
{
	static const int64_t spans[] = {0, 1, 2, 3, 10, 60, 3600};
	const struct pv_rate *rate = &world->scene->rate;
	for (size_t i = 0; i < sizeof(spans) / sizeof(*spans); i++) {
		int64_t most = rate->burst + rate->max_rate * spans[i];
		size_t first = 0;
		for (size_t last = 0; last < world->release_count; last++) {
			int64_t from = world->releases[last] -
				       spans[i] * rate->interval_ms;
			while (world->releases[first] < from)
				first++;
			world->too_many += (int64_t)(last - first + 1) > most;
		}
	}
}

static void check_order(struct world *world, const struct guest *released)
{
	int64_t since = later(door_opens(&world->doors[released->door], 0),
	    released->lined_up_at);
	for (size_t i = 0; i < world->scene->hosts; i++) {
		const struct guest *guest = &world->guests[i];
		int64_t last = turn_of(world, guest).last;
		if (last != NOT_NOW && later(last, guest->lined_up_at) < since)
			world->out_of_turn++;
	}
}

/* What the next request of a released guest will be like. */
static void plan_trip(struct world *world, uint32_t flight)
{
	int64_t connect_ms = draw(world, 4) ? 0 : (int64_t)draw(world, 3000);
	int64_t took_ms =
	    1 + (int64_t)draw(world, (uint64_t)world->scene->slow_ms);
	struct pv_visit_end end = {.status = 200, .retry_after_ms = PV_NONE};
	if ((int)draw(world, 100) < world->scene->failures) {
		static const int statuses[] = {0, 429, 500, 503, 200, 404};
		end.status = statuses[draw(world, 6)];
		end.is_unreachable = !end.status && draw(world, 2);
		end.is_broken = end.status == 200;
		if (end.status == 429 && draw(world, 2))
			end.retry_after_ms = (int64_t)draw(world, HOUR);
	}
	int64_t sent_at = world->now + connect_ms;
	if (!end.is_unreachable)
		expect(world, (struct event){sent_at, flight, false, end});
	else
		expect(world, (struct event){sent_at, flight, true, end});
	if (!end.is_unreachable)
		expect(world,
		    (struct event){sent_at + took_ms, flight, true, end});
}

static void on_release(struct world *world, const struct pv_release *release)
{
	struct guest *guest = pv_schedule_host_ctx(release->host);
	struct door *door = &world->doors[guest->door];
	struct turn turn = turn_of(world, guest);
	world->too_early += turn.first > world->now;
	world->too_many += !world->tokens--;
	world->too_many += ++world->in_flight > world->scene->rate.concurrency;
	if (world->scene->is_in_order)
		check_order(world, guest);
	world->longest_wait = later(world->longest_wait,
	    world->now - later(later(turn.first, 0), guest->lined_up_at));
	world->trips[release->flight] = (struct trip){guest, world->now, -1};
	door->is_connecting = true;
	door->open++;
	world->houses[guest->house].connecting++;
	guest->visits--;
	guest->lined_up_at = world->now;
	*PV_ARRAY_PUSH(world->releases, world->release_count,
	    world->release_size) = world->now;
	world->trace = (world->trace ^ (uint64_t)world->now ^
			   (uint64_t)(guest - world->guests) << 40) *
		       0x9e3779b97f4a7c15;
	plan_trip(world, release->flight);
}

static void on_event(struct world *world, const struct event *event)
{
	struct trip *trip = &world->trips[event->flight];
	struct guest *guest = trip->guest;
	struct door *door = &world->doors[guest->door];
	struct house *house = &world->houses[guest->house];
	if (!event->is_end) {
		trip->sent_at = world->now;
		door_sent(door, world->now);
		house->connecting--;
		house->sent_at = world->now;
		pv_schedule_sent(world->schedule, event->flight, world->now);
		return;
	}
	door_ended(
	    door, &event->end, trip->released_at, trip->sent_at, world->now);
	house_ended(house, door->manners, &event->end, trip->released_at,
	    trip->sent_at, world->now);
	world->in_flight--;
	pv_schedule_ended(
	    world->schedule, event->flight, &event->end, world->now);
	if (world->scene->is_full)
		push(world, guest, 1);
	else
		push(world, &world->guests[draw(world, world->scene->hosts)],
		    (int64_t)draw(world, 4));
}

static void tick(struct world *world)
{
	const struct pv_rate *rate = &world->scene->rate;
	for (; world->next_tick <= world->now;
	     world->next_tick += rate->interval_ms)
		world->tokens =
		    sooner(rate->burst, world->tokens + rate->max_rate);
}

/* After all releases: if there is a token and a place, nobody's turn has
 * come; and who sleeps until the next wake misses nobody's. */
static void look_around(struct world *world)
{
	int64_t wake = pv_schedule_next_wake(world->schedule, world->now);
	int64_t turn = NOT_NOW;
	for (size_t i = 0; i < world->scene->hosts; i++)
		turn = sooner(turn, turn_of(world, &world->guests[i]).last);
	if (world->in_flight >= world->scene->rate.concurrency)
		return;
	if (!world->tokens && turn != NOT_NOW)
		turn = later(turn, world->next_tick);
	world->missed += turn <= world->now;
	world->overslept += wake > turn;
}

static void release_all(struct world *world)
{
	struct pv_release releases[64];
	struct pv_time now = {world->now, world->now};
	size_t count;
	if (world->scene->has_jumps)
		now.wall_ms = (int64_t)(world->trace % (100 * DAY));
	do {
		count = pv_schedule_release(world->schedule, now, releases, 64);
		for (size_t i = 0; i < count; i++)
			on_release(world, &releases[i]);
	} while (count == 64);
	if (world->happened++ % world->scene->look_every == 0)
		look_around(world);
}

static void run(struct world *world)
{
	int64_t span_ms = world->scene->span_ms / SLOWER;
	while (world->now < span_ms) {
		tick(world);
		release_all(world);
		int64_t wake =
		    pv_schedule_next_wake(world->schedule, world->now);
		if (world->event_count)
			wake = sooner(wake, world->events[0].at);
		if (wake == NOT_NOW)
			wake = world->now + SECOND;
		world->now = wake;
		while (
		    world->event_count && world->events[0].at <= world->now) {
			struct event event = take_event(world);
			on_event(world, &event);
			world->happened++;
		}
		if (!world->event_count)
			push(world,
			    &world->guests[draw(world, world->scene->hosts)],
			    1);
	}
	check_spans(world);
}

static void check(const struct world *world)
{
	const struct scene *scene = world->scene;
	int64_t ticks = scene->span_ms / SLOWER / scene->rate.interval_ms;
	printf("# %s: %llu events, %zu requests, the longest wait %lld ms\n",
	    scene->name, (unsigned long long)world->happened,
	    world->release_count, (long long)world->longest_wait);
	ok(world->release_count > 0 && !world->too_early,
	    "P1, P2, %s: never before the host's or its address's time",
	    scene->name);
	ok(!world->too_many,
	    "P1, %s: in no span too many, and never too many at once",
	    scene->name);
	if (scene->sharing == 1) {
		ok(!world->missed, "%s: tokens are used when there is work",
		    scene->name);
		ok(!world->overslept, "%s: nobody's turn is overslept",
		    scene->name);
	}
	if (scene->is_in_order)
		ok(!world->out_of_turn, "%s: who waits longest goes first",
		    scene->name);
	if (!scene->is_full)
		return;
	ok((double)world->release_count >=
		0.999 * (double)(scene->rate.max_rate * ticks),
	    "%s: at least 99.9 %% of what the rate allows is released",
	    scene->name);
	int64_t round_ms = (int64_t)scene->hosts * scene->rate.interval_ms /
			   scene->rate.max_rate;
	ok(world->longest_wait <= 2 * round_ms + 10 * SECOND,
	    "%s: nobody is starved", scene->name);
}

static uint64_t play(const struct scene *scene, uint64_t seed)
{
	struct world world;
	init(&world, scene, seed);
	run(&world);
	check(&world);
	uint64_t trace = world.trace;
	finish(&world);
	return trace;
}

static const struct scene scenes[] = {
    {"a few hosts", 40, 25, 1, {20, 1000, 50, 10, PV_NONE}, 2 * DAY, 10, 4000,
	1, false, false, false},
    {"shared clocks", 60, 20, 3, {3, 500, 3, 5, PV_NONE}, 2 * DAY, 10, 9000, 1,
	false, false, false},
    {"turns", 100, 100, 1, {10, 1000, 10, 30, PV_NONE}, 6 * HOUR, 5, 1500, 1,
	false, true, false},
    {"a full crawl", 1000, 1000, 1, {50, 1000, 50, 1000, PV_NONE}, 6 * HOUR, 1,
	2000, 1000, false, false, true},
    {"many hosts for days", 100000, 60000, 1, {10, 1000, 20, 100, PV_NONE},
	2 * DAY, 5, 3000, 400000, false, false, true},
    {"many hosts", 100000, 60000, 1, {100, 1000, 200, 500, PV_NONE}, 3 * HOUR,
	5, 3000, 100000, false, false, true},
};

static void test_jumps(uint64_t seed)
{
	static const struct scene even = {"an even wall clock", 40, 25, 1,
	    {20, 1000, 50, 10, PV_NONE}, HOUR, 10, 4000, 10, false, false,
	    false};
	struct scene jumping = even;
	jumping.name = "a jumping wall clock";
	jumping.has_jumps = true;
	ok(play(&even, seed) == play(&jumping, seed),
	    "P8: jumps of the wall clock change nothing");
}

int main(void)
{
	const char *wanted = getenv("PAVANE_TEST_SEED");
	uint64_t seed = wanted ? strtoull(wanted, NULL, 10) : 20261121;
	printf("# seed %llu\n", (unsigned long long)seed);
	for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++)
		play(&scenes[i], seed);
	test_jumps(seed);
	return tap_done();
}
