#include <stdio.h>
#include <stdlib.h>

#include "base/address.h"
#include "base/alloc.h"
#include "base/array.h"
#include "schedule/gates.h"
#include "schedule/hours.h"
#include "schedule/oracle.h"
#include "schedule/schedule_host.h"
#include "schedule/scheduler.h"
#include "tap.h"

/* Crawls that are made up: hosts of many manners answer, fail and refuse at
 * random over simulated hours and days, the crawl ends, well or not, and goes
 * on, clocks are set, and an oracle that knows only the rules watches each
 * request. PAVANE_TEST_SEED chooses another course. */

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
	int restarts;      /* of so many rounds one; 0: none */
	int leaving;       /* of so many rounds one: some hosts come and go */
	bool has_jumps;    /* of the wall clock */
	bool has_hours;    /* some hosts have a Visit-time */
	bool has_wishes;   /* hosts tell when to come again, and some requests
			    are given up */
	bool has_storms; /* nearly all that is asked of a host fails at times */
	bool is_in_order; /* no address is shared: who waits longest is next */
	bool is_full;     /* there is always more to do than the rate allows */
};

/* All of a host and its address, reckoned with the least luck and with the
 * most. */
struct kept {
	struct door doors[2];
	struct house houses[2];
	struct pv_saved_clock saved;
	int64_t at;
	int64_t wall_ms;
	bool is_there;
};

struct guest { /* a host */
	struct pv_schedule_host *host;
	size_t door;
	size_t house;
	int64_t visits;
	int64_t lined_up_at;
	struct kept kept; /* what is written down of it */
};

struct event {
	int64_t at;
	uint32_t flight;
	bool is_end;
	struct pv_visit_end end;
};

struct trip {
	struct guest *guest; /* NULL: none of this run is under way */
	int64_t released_at;
	int64_t sent_at;
	size_t number; /* among the releases of its run */
	bool is_trial[2];
	bool is_probe;
};

#define NOT_RELEASED INT64_MIN

struct world {
	const struct scene *scene;
	struct pv_schedule *schedule;
	struct guest *guests;
	struct door *doors[2]; /* with the least luck, and with the most */
	struct house *houses[2];
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
	int64_t began_at;   /* this run: there its clock stood at RUN_BEGINS */
	int64_t wall_shift; /* how the wall clock was set */
	uint64_t runs;
	uint64_t all_releases; /* of all runs */
	uint64_t probes;
	uint64_t trials;
	uint64_t random;
	uint64_t trace; /* of all that was released */
	uint64_t happened;
	uint64_t too_early;
	uint64_t too_many;
	uint64_t not_probed; /* or probed without a need */
	uint64_t not_tried;  /* or tried */
	uint64_t out_of_hours;
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
    {100, PV_DELAY_FROM_START, 0, 0, 0, 6, PV_NONE, 1000, PV_NONE, 0,
	.backoff = {50, 100, 1.5, 600000, 60000}},
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

#define RUN_BEGINS 50
#define WALL_BEGINS (INT64_C(20000) * DAY)

/* What the schedule's clock says, which begins anew with each run. */
static int64_t told(const struct world *world, int64_t at)
{
	return at - world->began_at + RUN_BEGINS;
}

static int64_t meant(const struct world *world, int64_t at)
{
	return at == PV_NEVER ? NOT_NOW : at - RUN_BEGINS + world->began_at;
}

static int64_t now_of(const struct world *world)
{
	return told(world, world->now);
}

static struct pv_time time_of(const struct world *world)
{
	struct pv_time time = {
	    now_of(world), WALL_BEGINS + world->now + world->wall_shift};
	if (world->scene->has_jumps)
		time.wall_ms = (int64_t)(world->trace % (100 * DAY));
	return time;
}

static void push(struct world *world, struct guest *guest, int64_t count)
{
	if (!guest->visits)
		guest->lined_up_at = world->now;
	for (; count && guest->visits < (int64_t)PV_VISIT_HEAD_MAX; count--) {
		uint64_t visit = 1;
		guest->visits++;
		pv_schedule_push(world->schedule, guest->host,
		    &(struct pv_visit_batch){&visit, 1}, now_of(world));
	}
}

/* From 09:00 to 15:00 and from 22:00 to 03:00. */
static bool has_hours(const struct world *world, const struct guest *guest)
{
	return world->scene->has_hours && guest->door % 3 == 1;
}

static bool is_open_at(int64_t wall_ms)
{
	int64_t hour = wall_ms / HOUR % 24;
	return hour < 3 || (hour >= 9 && hour < 15) || hour >= 22;
}

/* Adds it as a new run does. */
static void add_to_schedule(struct world *world, struct guest *guest)
{
	struct pv_address address = {.bits = 32};
	struct pv_hours hours;
	char name[32];
	for (int byte = 0; byte < 4; byte++)
		address.bytes[byte] = (uint8_t)(guest->house >> (8 * byte));
	snprintf(name, sizeof(name), "%zu.test", guest->door);
	const struct pv_host_plan plan = {pv_str_of(name), &address,
	    world->doors[0][guest->door].manners, guest};
	guest->host =
	    pv_schedule_host_add(world->schedule, &plan, now_of(world));
	pv_schedule_host_crawl_delay(world->schedule, guest->host,
	    world->doors[0][guest->door].crawl_delay_ms);
	if (!has_hours(world, guest))
		return;
	pv_hours_init(&hours, NULL);
	pv_hours_add(&hours, 9 * 60, 15 * 60);
	pv_hours_add(&hours, 22 * 60, 3 * 60);
	pv_schedule_host_visit_time(
	    world->schedule, guest->host, &hours, now_of(world));
}

static struct door new_door(size_t number, int luck)
{
	return (struct door){
	    .manners = &kinds[number % KINDS],
	    .luck = luck,
	    .crawl_delay_ms = number % 11 ? 0 : 4000,
	    .sent_at = LONG_AGO,
	    .asked_before = LONG_AGO,
	    .ended_at = LONG_AGO,
	    .window_at = LONG_AGO,
	    .failed_at = LONG_AGO,
	};
}

static void add_guest(struct world *world, size_t i)
{
	const struct scene *scene = world->scene;
	struct guest *guest = &world->guests[i];
	guest->door = i / scene->sharing;
	guest->house = i % scene->addresses;
	for (int luck = 0; luck < 2; luck++) {
		struct door *door = &world->doors[luck][guest->door];
		struct house *house = &world->houses[luck][guest->house];
		*door = new_door(guest->door, luck);
		house->luck = luck;
		house->failed_at = house->sent_at = LONG_AGO;
		house->asked_before = LONG_AGO;
		house->ip_delay_ms =
		    later(house->ip_delay_ms, door->manners->ip_delay_ms);
	}
	add_to_schedule(world, guest);
	push(world, guest, scene->is_full ? 8 : (int64_t)draw(world, 6));
}

static void begin_run(struct world *world)
{
	const struct pv_schedule_plan plan = {
	    .rate = &world->scene->rate, .seed = world->random};
	world->began_at = world->now;
	world->schedule = pv_schedule_create(&plan, RUN_BEGINS);
	world->tokens = world->scene->rate.max_rate;
	world->next_tick = world->now + world->scene->rate.interval_ms;
	world->in_flight = 0;
	world->event_count = 0;
	world->runs++;
}

static void init(struct world *world, const struct scene *scene, uint64_t seed)
{
	*world = (struct world){.scene = scene, .random = seed * 2 + 1};
	world->guests = pv_alloc_array(scene->hosts, sizeof(*world->guests));
	for (int luck = 0; luck < 2; luck++) {
		world->doors[luck] =
		    pv_alloc_array(scene->hosts, sizeof(**world->doors));
		world->houses[luck] =
		    pv_alloc_array(scene->addresses, sizeof(**world->houses));
	}
	world->trips = pv_alloc_array(
	    (size_t)scene->rate.concurrency, sizeof(*world->trips));
	begin_run(world);
	for (size_t i = 0; i < scene->hosts; i++)
		add_guest(world, i);
}

static void finish(struct world *world)
{
	pv_schedule_destroy(world->schedule);
	free(world->guests);
	for (int luck = 0; luck < 2; luck++) {
		free(world->doors[luck]);
		free(world->houses[luck]);
	}
	free(world->trips);
	free(world->events);
	free(world->releases);
}

/* When a guest may be asked: never before `first`, surely from `last` on. */
struct turn {
	int64_t first;
	int64_t last;
};

/* The next hour of the day at which it may be asked. */
static int64_t at_its_hours(
    const struct world *world, const struct guest *guest, int64_t at)
{
	if (at == NOT_NOW || !has_hours(world, guest))
		return at;
	int64_t from = later(at, world->now);
	int64_t wall_ms = WALL_BEGINS + from + world->wall_shift;
	if (is_open_at(wall_ms))
		return at;
	while (!is_open_at(wall_ms))
		wall_ms += HOUR - wall_ms % HOUR;
	return wall_ms - WALL_BEGINS - world->wall_shift;
}

static struct turn turn_of(const struct world *world, const struct guest *guest)
{
	struct turn turn = {NOT_NOW, NOT_NOW};
	if (!guest->visits)
		return turn;
	turn.first = later(door_opens(&world->doors[0][guest->door]),
	    house_opens(&world->houses[0][guest->house]));
	turn.last = later(door_opens(&world->doors[1][guest->door]),
	    house_opens(&world->houses[1][guest->house]));
	turn.last = at_its_hours(world, guest, turn.last);
	return turn;
}

static void leave_out_given_back(struct world *world)
{
	size_t count = 0;
	for (size_t i = 0; i < world->release_count; i++) {
		if (world->releases[i] != NOT_RELEASED)
			world->releases[count++] = world->releases[i];
	}
	world->release_count = count;
}

/* In no span of so many intervals more than burst and what they bring. */
static void check_spans(struct world *world)
{
	static const int64_t spans[] = {0, 1, 2, 3, 10, 60, 3600};
	const struct pv_rate *rate = &world->scene->rate;
	leave_out_given_back(world);
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
	int64_t since = later(door_opens(&world->doors[0][released->door]),
	    released->lined_up_at);
	for (size_t i = 0; i < world->scene->hosts; i++) {
		const struct guest *guest = &world->guests[i];
		int64_t last = turn_of(world, guest).last;
		if (last != NOT_NOW && later(last, guest->lined_up_at) < since)
			world->out_of_turn++;
	}
}

/* How the next request of a guest will end. */
static struct pv_visit_end plan_end(
    struct world *world, const struct guest *guest)
{
	static const int bad[] = {0, 429, 500, 503, 200, 404};
	static const int odd[] = {301, 302, 308, 413};
	const struct scene *scene = world->scene;
	struct pv_visit_end end = {.status = 200, .retry_after_ms = PV_NONE};
	bool is_storm = scene->has_storms &&
			(world->now / HOUR + (int64_t)guest->door) % 5 == 0;
	int failures = is_storm ? 95 : scene->failures;
	if ((int)draw(world, 100) < failures) {
		end.status = bad[draw(world, 6)];
		end.is_unreachable = !end.status && draw(world, 2);
		end.is_broken = end.status == 200;
		end.is_repeat = draw(world, 3) == 0;
		if (is_overload(&end) && draw(world, 2))
			end.retry_after_ms = (int64_t)draw(world, HOUR);
	} else if (scene->has_wishes && !draw(world, 50)) {
		end.status = odd[draw(world, 4)];
		if (draw(world, 2))
			end.retry_after_ms = (int64_t)draw(world, 5 * MINUTE);
	}
	if (scene->has_wishes && !draw(world, 40))
		end.hint_ms = (int64_t)draw(world, 3 * HOUR / 2);
	if (scene->has_wishes && !draw(world, 60))
		end.is_given_up = true;
	if (scene->has_wishes && !draw(world, 5))
		end.asked =
		    draw(world, 2) ? PV_ASKED_ROBOTS : PV_ASKED_RESOURCE;
	if (scene->has_wishes && !draw(world, 10))
		end.held_ms = (int64_t)draw(world, (uint64_t)scene->slow_ms);
	return end;
}

/* What the next request of a released guest will be like. */
static void plan_trip(
    struct world *world, const struct guest *guest, uint32_t flight)
{
	int64_t connect_ms = draw(world, 4) ? 0 : (int64_t)draw(world, 3000);
	int64_t took_ms =
	    1 + (int64_t)draw(world, (uint64_t)world->scene->slow_ms);
	struct pv_visit_end end = plan_end(world, guest);
	int64_t sent_at = world->now + connect_ms;
	if (end.is_unreachable || (end.is_given_up && draw(world, 2))) {
		expect(world, (struct event){sent_at, flight, true, end});
		return;
	}
	expect(world, (struct event){sent_at, flight, false, end});
	expect(world, (struct event){sent_at + took_ms, flight, true, end});
}

static void check_release(struct world *world, const struct guest *guest,
    const struct pv_release *release)
{
	int64_t low = world->doors[0][guest->door].failures;
	int64_t high = world->doors[1][guest->door].failures;
	bool is_bad = world->doors[0][guest->door].is_in_doubt;
	bool may_be_bad = world->doors[1][guest->door].is_in_doubt;
	bool is_trial = release->trial != PV_TRIAL_NOT;
	bool is_probe = release->trial == PV_TRIAL_PROBE;
	int64_t wall_ms = time_of(world).wall_ms;
	struct turn turn = turn_of(world, guest);
	world->too_early += turn.first > world->now;
	world->too_many += !world->tokens--;
	world->too_many += ++world->in_flight > world->scene->rate.concurrency;
	world->out_of_hours += has_hours(world, guest) && !is_open_at(wall_ms);
	world->not_probed +=
	    low >= TRIES_IN_A_ROW && high >= TRIES_IN_A_ROW && !is_probe;
	world->not_probed +=
	    low < TRIES_IN_A_ROW && high < TRIES_IN_A_ROW && is_probe;
	world->probes += is_probe;
	world->not_tried +=
	    is_trial ? !is_bad && !may_be_bad : is_bad && may_be_bad;
	world->trials += is_trial;
	world->longest_wait = later(world->longest_wait,
	    world->now - later(turn.last, guest->lined_up_at));
	if (world->scene->is_in_order)
		check_order(world, guest);
}

static void on_release(struct world *world, const struct pv_release *release)
{
	struct guest *guest = pv_schedule_host_ctx(release->host);
	check_release(world, guest, release);
	struct trip *trip = &world->trips[release->flight];
	*trip = (struct trip){
	    .guest = guest,
	    .released_at = world->now,
	    .sent_at = -1,
	    .number = world->release_count,
	    .is_probe = release->trial == PV_TRIAL_PROBE,
	};
	for (int luck = 0; luck < 2; luck++) {
		trip->is_trial[luck] =
		    door_released(&world->doors[luck][guest->door]);
		world->houses[luck][guest->house].connecting++;
	}
	guest->visits--;
	guest->lined_up_at = world->now;
	*PV_ARRAY_PUSH(world->releases, world->release_count,
	    world->release_size) = world->now;
	world->all_releases++;
	world->trace = (world->trace ^ (uint64_t)world->now ^
			   (uint64_t)(guest - world->guests) << 40) *
		       0x9e3779b97f4a7c15;
	plan_trip(world, guest, release->flight);
}

static void on_sent(struct world *world, uint32_t flight)
{
	struct trip *trip = &world->trips[flight];
	trip->sent_at = world->now;
	for (int luck = 0; luck < 2; luck++) {
		struct house *house = &world->houses[luck][trip->guest->house];
		door_sent(&world->doors[luck][trip->guest->door], world->now);
		house->connecting--;
		house->sent_at = world->now;
	}
	pv_schedule_sent(world->schedule, flight, now_of(world));
}

/* What the schedule says of a host is written down, and what is true. */
static void keep(struct world *world, struct guest *guest)
{
	struct kept *kept = &guest->kept;
	struct pv_time time = time_of(world);
	kept->is_there = true;
	kept->at = world->now;
	kept->wall_ms = time.wall_ms;
	kept->saved = pv_schedule_host_save(guest->host, time);
	for (int luck = 0; luck < 2; luck++) {
		kept->doors[luck] = world->doors[luck][guest->door];
		kept->houses[luck] = world->houses[luck][guest->house];
	}
}

/* Nothing went out, so it is as if it had not been released; but what a tick
 * brings serves the requests after it. */
static void give_back(struct world *world, const struct trip *trip)
{
	const struct pv_rate *rate = &world->scene->rate;
	world->releases[trip->number] = NOT_RELEASED;
	if (trip->released_at >= world->next_tick - rate->interval_ms)
		world->tokens = sooner(world->tokens + 1, rate->burst);
}

static void on_end(
    struct world *world, uint32_t flight, const struct pv_visit_end *end)
{
	struct trip *trip = &world->trips[flight];
	struct guest *guest = trip->guest;
	for (int luck = 0; luck < 2; luck++) {
		const struct ended ended = {end, trip->released_at,
		    trip->sent_at, world->now, trip->is_trial[luck],
		    trip->is_probe};
		struct door *door = &world->doors[luck][guest->door];
		door_ended(door, &ended);
		house_ended(
		    &world->houses[luck][guest->house], door->manners, &ended);
	}
	if (end->is_given_up && trip->sent_at < 0)
		give_back(world, trip);
	trip->guest = NULL;
	world->in_flight--;
	pv_schedule_ended(world->schedule, flight, end, now_of(world));
	if (world->scene->restarts && draw(world, 4))
		keep(world, guest);
}

static void on_event(struct world *world, const struct event *event)
{
	struct guest *guest = world->trips[event->flight].guest;
	if (!event->is_end) {
		on_sent(world, event->flight);
		return;
	}
	on_end(world, event->flight, &event->end);
	if (world->scene->is_full)
		push(world, guest, 1);
	else
		push(world, &world->guests[draw(world, world->scene->hosts)],
		    (int64_t)draw(world, 4));
}

/* Another crawl on this machine wants a host, or an address, for a while. */
static void defer(struct world *world)
{
	struct guest *guest = &world->guests[draw(world, world->scene->hosts)];
	int64_t until = world->now + (int64_t)draw(world, MINUTE);
	bool is_address = draw(world, 2);
	for (int luck = 0; luck < 2; luck++) {
		if (is_address)
			world->houses[luck][guest->house].others_at = until;
		else
			world->doors[luck][guest->door].others_at = until;
	}
	if (is_address)
		pv_schedule_host_defer_address(world->schedule, guest->host,
		    told(world, until), world->now);
	else
		pv_schedule_host_defer_clock(world->schedule, guest->host,
		    told(world, until), world->now);
}

/* Another run */

static void forget_all(struct world *world)
{
	for (size_t i = 0; i < world->scene->hosts; i++) {
		struct guest *guest = &world->guests[i];
		for (int luck = 0; luck < 2; luck++) {
			struct house *house =
			    &world->houses[luck][guest->house];
			int64_t ip_delay_ms = house->ip_delay_ms;
			world->doors[luck][guest->door] =
			    new_door(guest->door, luck);
			*house = (struct house){.luck = luck,
			    .ip_delay_ms = ip_delay_ms,
			    .sent_at = LONG_AGO,
			    .asked_before = LONG_AGO,
			    .failed_at = LONG_AGO};
		}
	}
}

static void restore(struct world *world, struct guest *guest)
{
	static const struct pv_saved_clock nothing = {.left_ms = 0};
	const struct kept *kept = &guest->kept;
	struct pv_time time = time_of(world);
	const struct pause pause = {
	    kept->at, world->now, time.wall_ms - kept->wall_ms};
	pv_schedule_host_restore(world->schedule, guest->host,
	    kept->is_there ? &kept->saved : &nothing, time);
	for (int luck = 0; kept->is_there && luck < 2; luck++) {
		door_goes_on(&world->doors[luck][guest->door],
		    &kept->doors[luck], &pause);
		house_goes_on(&world->houses[luck][guest->house],
		    &kept->houses[luck], &pause);
	}
}

/* As if it had been asked just now. */
static void rest(struct world *world, struct guest *guest)
{
	pv_schedule_host_rest(world->schedule, guest->host, now_of(world));
	for (int luck = 0; luck < 2; luck++) {
		struct door *door = &world->doors[luck][guest->door];
		door->sent_at = door->ended_at = world->now;
		world->houses[luck][guest->house].sent_at = world->now;
	}
}

/* Whoever stops well gives up what is under way and writes all down. */
static void stop_well(struct world *world)
{
	static const struct pv_visit_end given_up = {
	    .is_given_up = true, .retry_after_ms = PV_NONE};
	for (int64_t i = 0; i < world->scene->rate.concurrency; i++) {
		if (world->trips[i].guest)
			on_end(world, (uint32_t)i, &given_up);
	}
	for (size_t i = 0; i < world->scene->hosts; i++)
		keep(world, &world->guests[i]);
}

static void restart(struct world *world)
{
	bool is_clean = draw(world, 2);
	if (is_clean)
		stop_well(world);
	pv_schedule_destroy(world->schedule);
	for (int64_t i = 0; i < world->scene->rate.concurrency; i++)
		world->trips[i].guest = NULL;
	world->release_count = 0;
	world->now += (int64_t)draw(world, draw(world, 2) ? MINUTE : 6 * HOUR);
	if (draw(world, 3) == 0)
		world->wall_shift += (int64_t)draw(world, 2 * DAY) - DAY;
	begin_run(world);
	forget_all(world);
	for (size_t i = 0; i < world->scene->hosts; i++) {
		struct guest *guest = &world->guests[i];
		int64_t visits = guest->visits;
		guest->visits = 0;
		add_to_schedule(world, guest);
		restore(world, guest);
		push(world, guest, visits);
	}
	for (size_t i = 0; !is_clean && i < world->scene->hosts; i++)
		rest(world, &world->guests[i]);
}

/* Hosts that come and go */

#define LEAVING 10
#define LEFT_OVER_MAX 6

static bool is_under_way(const struct world *world, const struct guest *guest)
{
	for (int64_t i = 0; i < world->scene->rate.concurrency; i++) {
		if (world->trips[i].guest == guest)
			return true;
	}
	return false;
}

/* Nothing is left of it but when it may be asked: not before all of that is
 * over, with what may be forgiven. */
static void forget_door(struct world *world, const struct guest *guest)
{
	for (int luck = 0; luck < 2; luck++) {
		struct door *door = &world->doors[luck][guest->door];
		int64_t at = door_opens(door);
		if (door->rest_ms)
			at = later(at, door->rest_until +
					   door->manners->backoff.forgive_ms);
		*door = new_door(guest->door, luck);
		door->restored_at = at;
	}
}

static void forget_house(struct world *world, const struct guest *guest)
{
	for (int luck = 0; luck < 2; luck++) {
		struct house *house = &world->houses[luck][guest->house];
		*house = (struct house){.luck = luck,
		    .ip_delay_ms = house->ip_delay_ms,
		    .sent_at = LONG_AGO,
		    .asked_before = LONG_AGO,
		    .failed_at = LONG_AGO,
		    .restored_at = house_opens(house)};
	}
}

static bool is_known(const struct pv_named_table *table, struct pv_str name)
{
	return pv_named_get(table, name) != NULL;
}

static void come_back(struct world *world, struct guest *guest)
{
	int64_t visits = guest->visits;
	char name[32];
	uint8_t address[4];
	for (int byte = 0; byte < 4; byte++)
		address[byte] = (uint8_t)(guest->house >> (8 * byte));
	snprintf(name, sizeof(name), "%zu.test", guest->door);
	if (!is_known(&world->schedule->clocks, pv_str_of(name)))
		forget_door(world, guest);
	if (!is_known(&world->schedule->addresses,
		(struct pv_str){(const char *)address, 4}))
		forget_house(world, guest);
	guest->visits = 0;
	add_to_schedule(world, guest);
	push(world, guest, visits);
}

static void come_and_go(struct world *world)
{
	struct guest *gone[LEAVING];
	size_t count = 0;
	for (int i = 0; i < LEAVING; i++) {
		struct guest *guest =
		    &world->guests[draw(world, world->scene->hosts)];
		if (!guest->host || is_under_way(world, guest))
			continue;
		pv_schedule_host_remove(world->schedule, guest->host);
		guest->host = NULL;
		gone[count++] = guest;
	}
	world->schedule->left_over_max = draw(world, LEFT_OVER_MAX);
	pv_gate_forget(world->schedule, now_of(world));
	for (size_t i = 0; i < count; i++)
		come_back(world, gone[i]);
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
	int64_t wake = meant(
	    world, pv_scheduler_next_wake(world->schedule, now_of(world)));
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
	struct pv_time time = time_of(world);
	size_t count;
	do {
		count = pv_scheduler_wake(world->schedule, time, releases, 64);
		for (size_t i = 0; i < count; i++)
			on_release(world, &releases[i]);
	} while (count == 64);
	if (world->happened++ % world->scene->look_every == 0)
		look_around(world);
}

static void sleep_until_something(struct world *world)
{
	int64_t wake = meant(
	    world, pv_scheduler_next_wake(world->schedule, now_of(world)));
	if (world->event_count)
		wake = sooner(wake, world->events[0].at);
	world->now = wake == NOT_NOW ? world->now + SECOND : wake;
	while (world->event_count && world->events[0].at <= world->now) {
		struct event event = take_event(world);
		on_event(world, &event);
		world->happened++;
	}
	if (!world->event_count)
		push(
		    world, &world->guests[draw(world, world->scene->hosts)], 1);
}

/* Sanitizers make it slow. */
static int64_t span_of(const struct scene *scene)
{
	return scene->span_ms / (scene->hosts < 100 ? SLOWER / 4 + 1 : SLOWER);
}

static void run(struct world *world)
{
	int64_t span_ms = span_of(world->scene);
	int restarts = world->scene->restarts;
	while (world->now < span_ms) {
		tick(world);
		release_all(world);
		sleep_until_something(world);
		if (world->scene->has_wishes && !draw(world, 100))
			defer(world);
		if (world->scene->leaving &&
		    !draw(world, (uint64_t)world->scene->leaving))
			come_and_go(world);
		if (restarts && !draw(world, (uint64_t)restarts)) {
			check_spans(world);
			restart(world);
		}
	}
	check_spans(world);
}

static void check_fullness(const struct world *world)
{
	const struct scene *scene = world->scene;
	int64_t ticks = span_of(scene) / scene->rate.interval_ms;
	ok((double)world->release_count >=
		0.999 * (double)(scene->rate.max_rate * ticks),
	    "%s: at least 99.9 %% of what the rate allows is released",
	    scene->name);
	int64_t round_ms = (int64_t)scene->hosts * scene->rate.interval_ms /
			   scene->rate.max_rate;
	ok(world->longest_wait <= 2 * round_ms + 10 * SECOND,
	    "%s: nobody is starved", scene->name);
}

static void check(const struct world *world)
{
	const struct scene *scene = world->scene;
	printf("# %s: %llu events, %llu requests, %llu trials, %llu probes, "
	       "%llu runs, the longest wait %lld ms\n",
	    scene->name, (unsigned long long)world->happened,
	    (unsigned long long)world->all_releases,
	    (unsigned long long)world->trials,
	    (unsigned long long)world->probes, (unsigned long long)world->runs,
	    (long long)world->longest_wait);
	ok(world->all_releases > 0 && !world->too_early,
	    "P1, P2, %s: never before the host's or its address's time",
	    scene->name);
	ok(!world->too_many,
	    "P1, %s: in no span too many, and never too many at once",
	    scene->name);
	ok(!world->not_probed && (!scene->has_storms || world->probes),
	    "P2, %s: who has failed five times in a row is probed, and nobody "
	    "else",
	    scene->name);
	ok(!world->not_tried && (world->trials || SLOWER > 1),
	    "P2, %s: after a failure one request tries a host, and others only "
	    "after a good answer",
	    scene->name);
	ok(!world->out_of_hours, "%s: nobody is asked out of hours",
	    scene->name);
	if (scene->sharing == 1 && !scene->leaving) {
		ok(!world->missed, "%s: tokens are used when there is work",
		    scene->name);
		ok(!world->overslept, "%s: nobody's turn is overslept",
		    scene->name);
	}
	if (scene->is_in_order)
		ok(!world->out_of_turn, "%s: who waits longest goes first",
		    scene->name);
	if (scene->restarts)
		ok(world->runs > 1, "P3, %s: through %llu runs", scene->name,
		    (unsigned long long)world->runs);
	if (scene->is_full)
		check_fullness(world);
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
    {.name = "a few hosts",
	.hosts = 40,
	.addresses = 25,
	.sharing = 1,
	.rate = {20, 1000, 50, 10, PV_NONE},
	.span_ms = 2 * DAY,
	.failures = 10,
	.slow_ms = 4000,
	.look_every = 1,
	.has_wishes = true},
    {.name = "shared clocks",
	.hosts = 60,
	.addresses = 20,
	.sharing = 3,
	.rate = {3, 500, 3, 5, PV_NONE},
	.span_ms = 2 * DAY,
	.failures = 10,
	.slow_ms = 9000,
	.look_every = 1,
	.has_wishes = true},
    {.name = "storms",
	.hosts = 40,
	.addresses = 25,
	.sharing = 1,
	.rate = {20, 1000, 50, 30, PV_NONE},
	.span_ms = 6 * DAY,
	.failures = 3,
	.slow_ms = 4000,
	.look_every = 1,
	.has_wishes = true,
	.has_storms = true},
    {.name = "hours",
	.hosts = 30,
	.addresses = 20,
	.sharing = 1,
	.rate = {20, 1000, 50, 30, PV_NONE},
	.span_ms = 4 * DAY,
	.failures = 5,
	.slow_ms = 4000,
	.look_every = 1,
	.has_wishes = true,
	.has_hours = true},
    {.name = "ends and beginnings",
	.hosts = 40,
	.addresses = 25,
	.sharing = 1,
	.rate = {20, 1000, 50, 30, PV_NONE},
	.span_ms = 60 * DAY,
	.failures = 5,
	.slow_ms = 4000,
	.look_every = 1,
	.has_wishes = true,
	.restarts = 600,
	.has_storms = true},
    {.name = "hosts that come and go",
	.hosts = 40,
	.addresses = 25,
	.sharing = 1,
	.rate = {20, 1000, 50, 30, PV_NONE},
	.span_ms = 20 * DAY,
	.failures = 5,
	.slow_ms = 4000,
	.look_every = 1,
	.has_wishes = true,
	.leaving = 40,
	.has_storms = true},
    {.name = "ends and beginnings of all together",
	.hosts = 45,
	.addresses = 11,
	.sharing = 3,
	.rate = {20, 1000, 50, 30, PV_NONE},
	.span_ms = 60 * DAY,
	.failures = 5,
	.slow_ms = 4000,
	.look_every = 1,
	.has_wishes = true,
	.restarts = 500,
	.has_hours = true,
	.has_storms = true},
    {.name = "turns",
	.hosts = 100,
	.addresses = 100,
	.sharing = 1,
	.rate = {10, 1000, 10, 30, PV_NONE},
	.span_ms = 6 * HOUR,
	.failures = 5,
	.slow_ms = 1500,
	.look_every = 1,
	.is_in_order = true},
    {.name = "a full crawl",
	.hosts = 1000,
	.addresses = 1000,
	.sharing = 1,
	.rate = {50, 1000, 50, 1000, PV_NONE},
	.span_ms = 6 * HOUR,
	.failures = 1,
	.slow_ms = 2000,
	.look_every = 1000,
	.is_full = true},
    {.name = "many hosts for days",
	.hosts = 100000,
	.addresses = 60000,
	.sharing = 1,
	.rate = {10, 1000, 20, 100, PV_NONE},
	.span_ms = DAY,
	.failures = 5,
	.slow_ms = 3000,
	.look_every = 400000,
	.is_full = true},
    {.name = "many hosts",
	.hosts = 100000,
	.addresses = 60000,
	.sharing = 1,
	.rate = {100, 1000, 200, 500, PV_NONE},
	.span_ms = HOUR,
	.failures = 5,
	.slow_ms = 3000,
	.look_every = 100000,
	.is_full = true},
};

static void test_jumps(uint64_t seed)
{
	static const struct scene even = {.name = "an even wall clock",
	    .hosts = 40,
	    .addresses = 25,
	    .sharing = 1,
	    .rate = {20, 1000, 50, 10, PV_NONE},
	    .span_ms = HOUR,
	    .failures = 10,
	    .slow_ms = 4000,
	    .look_every = 10,
	    .has_wishes = true};
	struct scene jumping = even;
	jumping.name = "a jumping wall clock";
	jumping.has_jumps = true;
	ok(play(&even, seed) == play(&jumping, seed),
	    "P8: jumps of the wall clock change nothing");
}

/* In these courses a host that rests for no time is ready in the same
 * millisecond as another that is passed over for it. */
static void test_ties(void)
{
	static const uint64_t seeds[] = {2, 4, 5};
	for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++) {
		for (size_t j = 0; scenes[i].is_in_order && j < 3; j++)
			play(&scenes[i], seeds[j]);
	}
}

int main(void)
{
	const char *wanted = getenv("PAVANE_TEST_SEED");
	uint64_t seed = wanted ? strtoull(wanted, NULL, 10) : 20261121;
	printf("# seed %llu\n", (unsigned long long)seed);
	for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++)
		play(&scenes[i], seed);
	test_jumps(seed);
	test_ties();
	return tap_done();
}
