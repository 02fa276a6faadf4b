#include "server/request_log.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/array.h"

void request_log_init(struct request_log *log, size_t max)
{
	pthread_condattr_t monotonic;
	*log = (struct request_log){.max = max};
	pv_arena_init(&log->texts);
	pthread_mutex_init(&log->mutex, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&log->has_changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

void request_log_finish(struct request_log *log)
{
	pthread_cond_destroy(&log->has_changed);
	pthread_mutex_destroy(&log->mutex);
	pv_arena_finish(&log->texts);
	free(log->records);
	free(log->accepts);
}

static size_t text_of(const struct server_record *record)
{
	return record->host.len + record->method.len + record->target.len +
	       record->headers.len;
}

/* With copies of the texts, one behind the other. */
static void keep_texts(struct request_log *log, struct server_record *record)
{
	size_t len = text_of(record);
	char *at = pv_arena_give(&log->texts, len + 1);
	struct pv_str *texts[] = {
	    &record->host, &record->method, &record->target, &record->headers};
	log->text_bytes += len;
	for (size_t i = 0; i < 4; i++) {
		memcpy(at, pv_str_bytes(*texts[i]), texts[i]->len);
		texts[i]->ptr = at;
		at += texts[i]->len;
	}
}

static bool has_room(
    const struct request_log *log, const struct server_record *record)
{
	return log->kept == log->came && log->kept < log->max &&
	       log->text_bytes + text_of(record) <= SERVER_LOG_TEXT_MAX;
}

static void tell(struct request_log *log)
{
	if (log->waiting)
		pthread_cond_broadcast(&log->has_changed);
}

size_t request_log_add(
    struct request_log *log, const struct server_record *record)
{
	size_t place = SERVER_LOG_NONE;
	pthread_mutex_lock(&log->mutex);
	if (has_room(log, record)) {
		place = log->kept;
		struct server_record *kept =
		    PV_ARRAY_PUSH(log->records, log->kept, log->size);
		*kept = *record;
		keep_texts(log, kept);
	}
	log->came++;
	tell(log);
	pthread_mutex_unlock(&log->mutex);
	return place;
}

void request_log_end(
    struct request_log *log, size_t place, const struct request_end *end)
{
	pthread_mutex_lock(&log->mutex);
	if (place != SERVER_LOG_NONE) {
		struct server_record *record = &log->records[place];
		record->status = end->status;
		record->end_us = end->at_us;
		record->sent = end->sent;
		record->is_complete = end->is_complete;
	}
	log->ended++;
	tell(log);
	pthread_mutex_unlock(&log->mutex);
}

size_t request_log_accept(
    struct request_log *log, const struct server_accept *accept)
{
	size_t place = SERVER_LOG_NONE;
	pthread_mutex_lock(&log->mutex);
	if (log->accepts_kept < log->max) {
		place = log->accepts_kept;
		*PV_ARRAY_PUSH(log->accepts, log->accepts_kept,
		    log->accepts_size) = *accept;
	}
	log->accepts_came++;
	tell(log);
	pthread_mutex_unlock(&log->mutex);
	return place;
}

void request_log_accept_end(
    struct request_log *log, size_t place, int64_t at_us)
{
	if (place == SERVER_LOG_NONE)
		return;
	pthread_mutex_lock(&log->mutex);
	log->accepts[place].end_us = at_us;
	pthread_mutex_unlock(&log->mutex);
}

static struct timespec deadline_in(int timeout_ms)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	time.tv_sec += timeout_ms / 1000;
	time.tv_nsec += timeout_ms % 1000 * 1000000L;
	if (time.tv_nsec >= 1000000000L) {
		time.tv_sec++;
		time.tv_nsec -= 1000000000L;
	}
	return time;
}

static bool is_reached(
    const struct request_log *log, size_t requests, bool is_idle)
{
	return log->came >= requests && (!is_idle || log->ended == log->came);
}

bool request_log_wait(
    struct request_log *log, size_t requests, bool is_idle, int timeout_ms)
{
	struct timespec deadline = deadline_in(timeout_ms);
	int status = 0;
	pthread_mutex_lock(&log->mutex);
	log->waiting++;
	while (!is_reached(log, requests, is_idle) && status != ETIMEDOUT)
		status = pthread_cond_timedwait(
		    &log->has_changed, &log->mutex, &deadline);
	log->waiting--;
	bool has_come = is_reached(log, requests, is_idle);
	pthread_mutex_unlock(&log->mutex);
	return has_come;
}
