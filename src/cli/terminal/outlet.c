#include "cli/terminal/outlet.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/terminal/side_thread.h"
#include "pavane/pavane.h"

#define QUEUE_SIZE ((size_t)256 * 1024)

/* The thread takes at most this much at a time, out of the queue. */
#define PIECE_SIZE ((size_t)4096)

struct pv_outlet {
	int file;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	char *queue; /* QUEUE_SIZE bytes */
	size_t len;
	size_t piece_len; /* of the piece that is on its way */
	uint64_t moved;   /* bytes that have gone out, ever */
	bool is_broken;   /* nothing can be written any more ... */
	int error;        /* ... for that reason */
	bool is_ending;
	bool is_abandoned; /* it is the thread's own now, which is stuck and
			      releases it if it ever comes back */
	char piece[PIECE_SIZE]; /* the thread's own */
};

static void release(struct pv_outlet *outlet)
{
	pthread_cond_destroy(&outlet->changed);
	pthread_mutex_destroy(&outlet->lock);
	free(outlet->queue);
	free(outlet);
}

/* Writes what it can of the piece; 0 if nothing can be written any more. The
 * descriptor may be non-blocking, set so by another program. */
static size_t write_some(struct pv_outlet *outlet, size_t start)
{
	for (;;) {
		ssize_t written = write(outlet->file, outlet->piece + start,
		    outlet->piece_len - start);
		if (written > 0)
			return (size_t)written;
		if (written < 0 && errno == EAGAIN) {
			struct pollfd wanted = {outlet->file, POLLOUT, 0};
			poll(&wanted, 1, -1);
		} else if (written == 0 || errno != EINTR) {
			return 0;
		}
	}
}

/* With the lock held, which is given back meanwhile. */
static void write_piece(struct pv_outlet *outlet)
{
	size_t start = 0;
	while (start < outlet->piece_len && !outlet->is_broken &&
	       !outlet->is_abandoned) {
		pthread_mutex_unlock(&outlet->lock);
		errno = ENOSPC; /* in case that nothing is written, and no
				   reason given */
		size_t written = write_some(outlet, start);
		int error = errno;
		pthread_mutex_lock(&outlet->lock);
		start += written;
		outlet->moved += written;
		outlet->is_broken = !written;
		outlet->error = written ? 0 : error;
		pthread_cond_broadcast(&outlet->changed);
	}
	outlet->piece_len = 0;
	if (outlet->is_broken)
		outlet->len = 0;
	pthread_cond_broadcast(&outlet->changed);
}

static void take_piece(struct pv_outlet *outlet)
{
	size_t len = outlet->len < PIECE_SIZE ? outlet->len : PIECE_SIZE;
	memcpy(outlet->piece, outlet->queue, len);
	memmove(outlet->queue, outlet->queue + len, outlet->len - len);
	outlet->len -= len;
	outlet->piece_len = len;
}

static void *bring_out(void *ctx)
{
	struct pv_outlet *outlet = ctx;
	pthread_mutex_lock(&outlet->lock);
	while (!outlet->is_ending) {
		if (outlet->len) {
			take_piece(outlet);
			write_piece(outlet);
		} else {
			pthread_cond_wait(&outlet->changed, &outlet->lock);
		}
	}
	bool is_abandoned = outlet->is_abandoned;
	pthread_mutex_unlock(&outlet->lock);
	if (is_abandoned)
		release(outlet);
	return NULL;
}

struct pv_outlet *pv_outlet_create(int file)
{
	struct pv_outlet *outlet = calloc(1, sizeof(*outlet));
	pthread_condattr_t monotonic;
	if (!outlet)
		pavane_out_of_memory(sizeof(*outlet));
	outlet->file = file;
	outlet->queue = calloc(1, QUEUE_SIZE);
	if (!outlet->queue)
		pavane_out_of_memory(QUEUE_SIZE);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&outlet->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	pthread_mutex_init(&outlet->lock, NULL);
	outlet->thread = pv_side_thread_start(bring_out, outlet);
	return outlet;
}

bool pv_outlet_write(struct pv_outlet *outlet, const char *text, size_t len)
{
	pthread_mutex_lock(&outlet->lock);
	bool has_room = len <= QUEUE_SIZE - outlet->len;
	if (has_room && len && !outlet->is_broken) {
		memcpy(outlet->queue + outlet->len, text, len);
		outlet->len += len;
		pthread_cond_broadcast(&outlet->changed);
	}
	pthread_mutex_unlock(&outlet->lock);
	return has_room;
}

static bool is_all_out(const struct pv_outlet *outlet)
{
	return outlet->is_broken || (!outlet->len && !outlet->piece_len);
}

bool pv_outlet_is_behind(struct pv_outlet *outlet)
{
	pthread_mutex_lock(&outlet->lock);
	bool is_behind = outlet->len + outlet->piece_len > PIECE_SIZE;
	pthread_mutex_unlock(&outlet->lock);
	return is_behind;
}

static struct timespec after(int ms)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	time.tv_sec += ms / 1000;
	time.tv_nsec += (long)(ms % 1000) * 1000000;
	if (time.tv_nsec >= 1000000000) {
		time.tv_sec++;
		time.tv_nsec -= 1000000000;
	}
	return time;
}

void pv_outlet_drain(struct pv_outlet *outlet, int patience_ms)
{
	struct timespec until = after(patience_ms);
	int waited = 0;
	pthread_mutex_lock(&outlet->lock);
	uint64_t moved = outlet->moved;
	while (!is_all_out(outlet) && waited == 0) {
		waited = pthread_cond_timedwait(
		    &outlet->changed, &outlet->lock, &until);
		if (outlet->moved != moved) {
			moved = outlet->moved;
			until = after(patience_ms);
			waited = 0;
		}
	}
	pthread_mutex_unlock(&outlet->lock);
}

bool pv_outlet_is_gone_terminal(int file)
{
	return !isatty(file) && errno == EIO;
}

int pv_outlet_error(struct pv_outlet *outlet)
{
	pthread_mutex_lock(&outlet->lock);
	int error = outlet->error;
	pthread_mutex_unlock(&outlet->lock);
	return error;
}

void pv_outlet_destroy(struct pv_outlet *outlet)
{
	if (!outlet)
		return;
	pthread_mutex_lock(&outlet->lock);
	bool is_stuck = !is_all_out(outlet);
	pthread_t thread = outlet->thread;
	outlet->is_ending = true;
	outlet->is_abandoned = is_stuck;
	pthread_cond_broadcast(&outlet->changed);
	pthread_mutex_unlock(&outlet->lock);
	if (is_stuck) {
		pthread_detach(thread);
		return;
	}
	pthread_join(thread, NULL);
	release(outlet);
}
