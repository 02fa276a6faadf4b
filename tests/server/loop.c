#include "server/loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define EVENTS_MAX 256

int64_t loop_now_us(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static bool add(struct loop *loop, int fd, void *ptr, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = ptr};
	return epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

bool loop_init(struct loop *loop)
{
	*loop = (struct loop){.rings_at = INT64_MAX};
	pv_deadline_heap_init(&loop->times);
	loop->epoll = epoll_create1(EPOLL_CLOEXEC);
	loop->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	loop->clock =
	    timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return loop->epoll >= 0 && loop->bell >= 0 && loop->clock >= 0 &&
	       add(loop, loop->bell, &loop->bell, EPOLLIN) &&
	       add(loop, loop->clock, &loop->clock, EPOLLIN);
}

static void release_dropped(struct loop *loop)
{
	while (loop->dropped) {
		struct loop_watch *watch = loop->dropped;
		loop->dropped = watch->next_dropped;
		watch->release(watch);
	}
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

void loop_finish(struct loop *loop)
{
	release_dropped(loop);
	pv_deadline_heap_finish(&loop->times);
	close_if_open(loop->clock);
	close_if_open(loop->bell);
	close_if_open(loop->epoll);
}

bool loop_watch(struct loop *loop, struct loop_watch *watch, uint32_t events)
{
	watch->events = events;
	return add(loop, watch->fd, watch, events);
}

void loop_change(struct loop *loop, struct loop_watch *watch, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = watch};
	if (watch->events == events)
		return;
	watch->events = events;
	epoll_ctl(loop->epoll, EPOLL_CTL_MOD, watch->fd, &event);
}

static void hear_nothing(struct loop_watch *watch, uint32_t events)
{
	(void)watch;
	(void)events;
}

/* A process that is being started has all descriptors until it becomes another
 * program, so that events come even after ours is closed. */
void loop_drop(struct loop *loop, struct loop_watch *watch)
{
	epoll_ctl(loop->epoll, EPOLL_CTL_DEL, watch->fd, NULL);
	watch->on_event = hear_nothing;
	watch->next_dropped = loop->dropped;
	loop->dropped = watch;
}

void loop_set(struct loop *loop, struct loop_time *time, int64_t at_us)
{
	pv_deadline_set(&loop->times, &time->deadline, at_us);
}

void loop_unset(struct loop *loop, struct loop_time *time)
{
	pv_deadline_remove(&loop->times, &time->deadline);
}

static void set_clock(struct loop *loop)
{
	const struct pv_deadline *first = pv_deadline_first(&loop->times);
	int64_t at_us = first ? first->at : INT64_MAX;
	struct itimerspec when = {.it_value.tv_nsec = 0};
	if (loop->rings_at == at_us)
		return;
	loop->rings_at = at_us;
	if (first) {
		when.it_value.tv_sec = at_us / 1000000;
		when.it_value.tv_nsec = at_us % 1000000 * 1000;
	}
	timerfd_settime(loop->clock, TFD_TIMER_ABSTIME, &when, NULL);
}

static void tell_times(struct loop *loop)
{
	int64_t now_us = loop_now_us();
	struct pv_deadline *first = pv_deadline_first(&loop->times);
	while (first && first->at <= now_us) {
		struct loop_time *time = (struct loop_time *)first;
		pv_deadline_remove(&loop->times, first);
		time->on_time(time);
		first = pv_deadline_first(&loop->times);
	}
}

static void empty(int fd)
{
	uint64_t rings;
	while (read(fd, &rings, sizeof(rings)) > 0)
		continue;
}

/* False when the bell rang. */
static bool hear(struct loop *loop, const struct epoll_event *event)
{
	if (event->data.ptr == &loop->bell)
		return false;
	if (event->data.ptr == &loop->clock) {
		empty(loop->clock);
		loop->rings_at = INT64_MAX;
		return true;
	}
	struct loop_watch *watch = event->data.ptr;
	watch->on_event(watch, event->events);
	return true;
}

void loop_run(struct loop *loop)
{
	struct epoll_event events[EVENTS_MAX];
	bool is_over = false;
	while (!is_over) {
		set_clock(loop);
		int count = epoll_wait(loop->epoll, events, EVENTS_MAX, -1);
		for (int i = 0; i < count; i++)
			is_over = !hear(loop, &events[i]) || is_over;
		tell_times(loop);
		release_dropped(loop);
	}
}

void loop_end(struct loop *loop)
{
	uint64_t one = 1;
	while (write(loop->bell, &one, sizeof(one)) < 0)
		continue;
}
