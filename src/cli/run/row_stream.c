#include "cli/run/row_stream.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/terminal/outlet.h"
#include "cli/terminal/side_thread.h"
#include "pavane/pavane.h"

/* So often the state is asked what is committed. */
#define LOOK_MS 200

/* So often, where nobody takes the lines, it is tried again; and so long is
 * waited for somebody at the end. */
#define STEP_MS 20
#define PATIENCE_MS 5000

struct pv_row_stream {
	struct pavane_row_stream *rows;
	struct pv_outlet *out;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t end;
	bool is_over;
	bool has_lost; /* nobody took a piece at the end */
};

static bool is_over(struct pv_row_stream *stream)
{
	pthread_mutex_lock(&stream->lock);
	bool is_over = stream->is_over;
	pthread_mutex_unlock(&stream->lock);
	return is_over;
}

/* Waits so long, or until it is over; whether it is. */
static bool wait_ms(struct pv_row_stream *stream, int ms)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += (long)ms * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&stream->lock);
	if (!stream->is_over)
		pthread_cond_timedwait(&stream->end, &stream->lock, &until);
	bool is_over = stream->is_over;
	pthread_mutex_unlock(&stream->lock);
	return is_over;
}

static bool take(void *ctx, const char *text, size_t len)
{
	struct pv_row_stream *stream = ctx;
	while (!pv_outlet_write(stream->out, text, len)) {
		if (pv_outlet_error(stream->out) || stream->has_lost)
			return false;
		if (!wait_ms(stream, STEP_MS))
			continue;
		/* At the end it is waited for a while. */
		pv_outlet_drain(stream->out, PATIENCE_MS);
		stream->has_lost = !pv_outlet_write(stream->out, text, len);
		return !stream->has_lost;
	}
	return true;
}

static void *run(void *ctx)
{
	struct pv_row_stream *stream = ctx;
	bool is_last = false;
	while (!is_last) {
		is_last = is_over(stream);
		pavane_row_stream_read(stream->rows, take, stream);
		if (!is_last)
			wait_ms(stream, LOOK_MS);
	}
	return NULL;
}

struct pv_row_stream *pv_row_stream_start(
    const char *directory, const char *kind)
{
	if (!kind)
		return NULL;
	struct pv_row_stream *stream = calloc(1, sizeof(*stream));
	if (!stream)
		pavane_out_of_memory(sizeof(*stream));
	pthread_mutex_init(&stream->lock, NULL);
	pthread_cond_init(&stream->end, NULL);
	stream->rows = pavane_row_stream_open(directory, kind);
	stream->out = pv_outlet_create(STDOUT_FILENO);
	stream->thread = pv_side_thread_start(run, stream);
	return stream;
}

void pv_row_stream_stop(struct pv_row_stream *stream)
{
	if (!stream)
		return;
	pthread_mutex_lock(&stream->lock);
	stream->is_over = true;
	pthread_cond_signal(&stream->end);
	pthread_mutex_unlock(&stream->lock);
	pthread_join(stream->thread, NULL);
	pv_outlet_drain(stream->out, PATIENCE_MS);
	pv_outlet_destroy(stream->out);
	pavane_row_stream_close(stream->rows);
	pthread_cond_destroy(&stream->end);
	pthread_mutex_destroy(&stream->lock);
	free(stream);
}
