#ifndef PAVANE_TESTS_SERVER_LOOP_H
#define PAVANE_TESTS_SERVER_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "schedule/deadline_heap.h"

/* A thread's wait for many sockets and many times at once. */
struct loop {
	int epoll;
	int clock; /* rings at the earliest time */
	int bell;  /* rings when the loop is to end */
	int64_t rings_at;
	struct pv_deadline_heap times;
	struct loop_watch *dropped; /* released after the round */
};

/* Is told what a socket is ready for; a part of what waits for it. */
struct loop_watch {
	void (*on_event)(struct loop_watch *watch, uint32_t events);
	void (*release)(struct loop_watch *watch);
	struct loop_watch *next_dropped;
	int fd;
	uint32_t events; /* EPOLLIN and so on */
};

/* Is told when it is time; a part of what waits for it. */
struct loop_time {
	struct pv_deadline deadline; /* the first member */
	void (*on_time)(struct loop_time *time);
};

/* Microseconds of the monotonic clock. */
int64_t loop_now_us(void);

/* False, with errno, if the system has no more of what it needs. */
bool loop_init(struct loop *loop);
void loop_finish(struct loop *loop);

bool loop_watch(struct loop *loop, struct loop_watch *watch, uint32_t events);

/* Waits for other events from now on; nothing happens if they are the same. */
void loop_change(struct loop *loop, struct loop_watch *watch, uint32_t events);

/* The watch hears nothing more, its descriptor may be closed, and it is released
 * when no event of this round can be meant for it. */
void loop_drop(struct loop *loop, struct loop_watch *watch);

void loop_set(struct loop *loop, struct loop_time *time, int64_t at_us);
void loop_unset(struct loop *loop, struct loop_time *time);

/* Until another thread calls loop_end. */
void loop_run(struct loop *loop);
void loop_end(struct loop *loop);

#endif
