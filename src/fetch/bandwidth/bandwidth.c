#include "fetch/bandwidth/bandwidth.h"

#include <stdlib.h>

#include <uv.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/map.h"
#include "policy/values/value.h"

/* So many go on in a turn of the loop, which must not be held up by it. */
#define AT_ONCE 64

/* A timer that is due at once may go off again in the same turn. */
#define NEXT_TURN_MS 1

/* A valve on the loop. */
struct pv_throttle {
	struct pv_valve valve;
	struct pv_bandwidth *bandwidth;
	uv_timer_t timer;
	uint32_t place;   /* among those of hosts */
	uint32_t courses; /* on which it counts */
	struct pv_buf clock;
};

struct pv_bandwidth {
	struct uv_loop_s *loop;
	pv_course_fn go_on;
	struct pv_throttle *crawl;
	struct pv_throttle **hosts;
	size_t count;
	size_t size;
	size_t looked_at; /* whether it may go */
	struct pv_map by_clock;
};

static const struct pv_hash_key hash_key = {{0x62616e64, 0x77696474}};

static int64_t now_of(const struct pv_bandwidth *bandwidth)
{
	return (int64_t)uv_now(bandwidth->loop);
}

/* Throttles */

static void on_timer(uv_timer_t *timer);

static void arm(struct pv_throttle *throttle)
{
	int64_t wait_ms =
	    pv_valve_wait(&throttle->valve, now_of(throttle->bandwidth));
	if (wait_ms == PV_VALVE_NEVER)
		uv_timer_stop(&throttle->timer);
	else
		uv_timer_start(&throttle->timer, on_timer,
		    wait_ms > NEXT_TURN_MS ? (uint64_t)wait_ms : NEXT_TURN_MS,
		    0);
}

static void set_limit(struct pv_throttle *throttle, int64_t limit)
{
	if (throttle->valve.bucket.limit == limit)
		return;
	pv_byte_bucket_set_limit(
	    &throttle->valve.bucket, limit, now_of(throttle->bandwidth));
	arm(throttle);
}

static struct pv_throttle *create_throttle(
    struct pv_bandwidth *bandwidth, struct pv_str clock, int64_t limit)
{
	struct pv_throttle *throttle = pv_alloc(sizeof(*throttle));
	throttle->bandwidth = bandwidth;
	pv_buf_init(&throttle->clock, clock.len);
	pv_buf_append(&throttle->clock, clock);
	pv_valve_init(&throttle->valve, limit, now_of(bandwidth));
	uv_timer_init(bandwidth->loop, &throttle->timer);
	throttle->timer.data = throttle;
	return throttle;
}

static void free_throttle(uv_handle_t *timer)
{
	struct pv_throttle *throttle = timer->data;
	pv_buf_finish(&throttle->clock);
	free(throttle);
}

static void destroy_throttle(struct pv_throttle *throttle)
{
	if (throttle)
		uv_close((uv_handle_t *)&throttle->timer, free_throttle);
}

/* Courses */

/* Whether the valve lets so many bytes through that have not come yet. */
static bool is_paid(struct pv_throttle *throttle, struct pv_course *course,
    size_t bytes, size_t *paid)
{
	if (!throttle || *paid >= bytes)
		return true;
	if (!pv_valve_pass(&throttle->valve, &course->flow, bytes - *paid,
		now_of(throttle->bandwidth))) {
		arm(throttle);
		return false;
	}
	*paid = bytes;
	return true;
}

static bool is_through(struct pv_course *course, size_t bytes)
{
	course->asked = bytes;
	return is_paid(course->host, course, bytes, &course->paid_host) &&
	       is_paid(course->crawl, course, bytes, &course->paid_crawl);
}

static struct pv_course *course_of(struct pv_flow *flow)
{
	return (struct pv_course *)(void *)flow;
}

/* Its turn has come at a valve; there may be another. */
static void advance(struct pv_throttle *throttle, struct pv_course *course)
{
	if (throttle == course->host)
		course->paid_host += course->flow.wanted;
	else
		course->paid_crawl += course->flow.wanted;
	if (is_through(course, course->asked))
		throttle->bandwidth->go_on(course);
}

static void on_timer(uv_timer_t *timer)
{
	struct pv_throttle *throttle = timer->data;
	int64_t now = now_of(throttle->bandwidth);
	for (int i = 0; i < AT_ONCE; i++) {
		struct pv_flow *flow =
		    pv_valve_take_next(&throttle->valve, now);
		if (!flow)
			break;
		advance(throttle, course_of(flow));
	}
	pv_valve_end_turn(&throttle->valve);
	arm(throttle);
}

bool pv_bandwidth_pass(struct pv_course *course, size_t bytes)
{
	if (!is_through(course, bytes))
		return false;
	course->flow.passed += bytes;
	course->paid_host -= course->host ? bytes : 0;
	course->paid_crawl -= course->crawl ? bytes : 0;
	return true;
}

static void charge(struct pv_throttle *throttle, size_t bytes)
{
	if (throttle)
		pv_byte_bucket_charge(&throttle->valve.bucket, (int64_t)bytes,
		    now_of(throttle->bandwidth));
}

void pv_bandwidth_charge(struct pv_course *course, size_t bytes)
{
	charge(course->host, bytes);
	charge(course->crawl, bytes);
}

/* The throttles of hosts */

static void remove_host(
    struct pv_bandwidth *bandwidth, struct pv_throttle *throttle)
{
	struct pv_throttle *last = bandwidth->hosts[--bandwidth->count];
	bandwidth->hosts[throttle->place] = last;
	last->place = throttle->place;
	*pv_map_get(&bandwidth->by_clock, pv_buf_str(&last->clock)) =
	    last->place;
	pv_map_remove(&bandwidth->by_clock, pv_buf_str(&throttle->clock));
	destroy_throttle(throttle);
}

/* Two are looked at for each that comes, so that there are never many of which
 * none knows anything that a new one would not. */
static void remove_full(struct pv_bandwidth *bandwidth)
{
	for (int i = 0; i < 2 && bandwidth->count; i++) {
		size_t place = bandwidth->looked_at++ % bandwidth->count;
		struct pv_throttle *throttle = bandwidth->hosts[place];
		if (!throttle->courses &&
		    pv_byte_bucket_is_full(
			&throttle->valve.bucket, now_of(bandwidth)))
			remove_host(bandwidth, throttle);
	}
}

static struct pv_throttle *add_host(
    struct pv_bandwidth *bandwidth, struct pv_str clock, int64_t limit)
{
	struct pv_throttle *throttle = create_throttle(bandwidth, clock, limit);
	throttle->place = (uint32_t)bandwidth->count;
	*PV_ARRAY_PUSH(bandwidth->hosts, bandwidth->count, bandwidth->size) =
	    throttle;
	pv_map_add(&bandwidth->by_clock, pv_buf_str(&throttle->clock),
	    throttle->place);
	return throttle;
}

static struct pv_throttle *find_host(
    struct pv_bandwidth *bandwidth, struct pv_str clock, int64_t limit)
{
	remove_full(bandwidth);
	const uint32_t *place = pv_map_get(&bandwidth->by_clock, clock);
	if (!place)
		return add_host(bandwidth, clock, limit);
	set_limit(bandwidth->hosts[*place], limit);
	return bandwidth->hosts[*place];
}

void pv_bandwidth_join(struct pv_bandwidth *bandwidth, struct pv_course *course,
    struct pv_str clock, int64_t limit)
{
	*course = (struct pv_course){.crawl = bandwidth->crawl};
	if (limit > 0)
		course->host = find_host(bandwidth, clock, limit);
	if (course->host)
		course->host->courses++;
}

static void stop_counting(struct pv_throttle *throttle, size_t paid)
{
	if (!throttle)
		return;
	pv_byte_bucket_give_back(&throttle->valve.bucket, (int64_t)paid);
	arm(throttle);
}

void pv_bandwidth_leave(struct pv_course *course)
{
	if (!pv_course_is_limited(course))
		return;
	pv_valve_forget(&course->flow);
	stop_counting(course->host, course->paid_host);
	stop_counting(course->crawl, course->paid_crawl);
	if (course->host)
		course->host->courses--;
	*course = (struct pv_course){.host = NULL};
}

size_t pv_bandwidth_count(const struct pv_bandwidth *bandwidth)
{
	return bandwidth->count;
}

/* Life */

struct pv_bandwidth *pv_bandwidth_create(
    struct uv_loop_s *loop, int64_t limit, pv_course_fn go_on)
{
	struct pv_bandwidth *bandwidth = pv_alloc(sizeof(*bandwidth));
	bandwidth->loop = loop;
	bandwidth->go_on = go_on;
	pv_map_init(&bandwidth->by_clock, hash_key);
	if (limit != PV_NONE)
		bandwidth->crawl =
		    create_throttle(bandwidth, PV_STR(""), limit);
	return bandwidth;
}

void pv_bandwidth_set_limit(struct pv_bandwidth *bandwidth, int64_t limit)
{
	if (bandwidth->crawl)
		set_limit(bandwidth->crawl, limit);
}

void pv_bandwidth_destroy(struct pv_bandwidth *bandwidth)
{
	if (!bandwidth)
		return;
	destroy_throttle(bandwidth->crawl);
	for (size_t i = 0; i < bandwidth->count; i++)
		destroy_throttle(bandwidth->hosts[i]);
	free(bandwidth->hosts);
	pv_map_finish(&bandwidth->by_clock);
	free(bandwidth);
}
