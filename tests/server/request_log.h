#ifndef PAVANE_TESTS_SERVER_REQUEST_LOG_H
#define PAVANE_TESTS_SERVER_REQUEST_LOG_H

#include <pthread.h>

#include "base/arena.h"
#include "server/server.h"

/* What the server saw. Its thread writes, any thread reads; texts are copied
 * once and never move. Past `max` requests or SERVER_LOG_TEXT_MAX bytes of them
 * it counts and keeps no more. */
#define SERVER_LOG_TEXT_MAX (256u << 20)
#define SERVER_LOG_NONE SIZE_MAX

struct request_log {
	pthread_mutex_t mutex;
	pthread_cond_t has_changed;
	struct pv_arena texts;
	size_t text_bytes;
	size_t max;
	struct server_record *records;
	size_t kept;
	size_t size;
	size_t came;
	size_t ended;
	size_t waiting; /* threads */
	struct server_accept *accepts;
	size_t accepts_kept;
	size_t accepts_size;
	size_t accepts_came;
};

/* How an answer ended. */
struct request_end {
	int status;
	int64_t at_us;
	uint64_t sent;
	bool is_complete;
};

void request_log_init(struct request_log *log, size_t max);
void request_log_finish(struct request_log *log);

/* Its place, for the end of it; SERVER_LOG_NONE if it is not kept. */
size_t request_log_add(
    struct request_log *log, const struct server_record *record);
void request_log_end(
    struct request_log *log, size_t place, const struct request_end *end);

size_t request_log_accept(
    struct request_log *log, const struct server_accept *accept);
void request_log_accept_end(
    struct request_log *log, size_t place, int64_t at_us);

/* Waits for so many requests, and for their ends if `is_idle`. */
bool request_log_wait(
    struct request_log *log, size_t requests, bool is_idle, int timeout_ms);

#endif
