#include "server/server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "server/connection.h"
#include "server/inside.h"
#include "server/listener.h"
#include "server/receive.h"

#define LOG_MAX 262144
#define PIECE_MAX (1u << 20)

/* As many sockets as the system lets us have. */
static void raise_limit(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static void *run(void *ctx)
{
	struct server *server = ctx;
	loop_run(&server->loop);
	connections_close(server);
	return NULL;
}

/* Signals are for the thread that tests. */
static bool start_thread(struct server *server)
{
	sigset_t all;
	sigset_t before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	errno = pthread_create(&server->thread, NULL, run, server);
	bool is_started = errno == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return is_started;
}

static void release(struct server *server)
{
	listeners_close(server);
	tls_finish(&server->tls);
	pv_buf_finish(&server->piece);
	free(server->door_uses);
	loop_finish(&server->loop);
	visit_counts_finish(&server->counts);
	request_log_finish(&server->log);
	free(server);
}

static struct server *create(const struct server_plan *plan)
{
	struct server *server = pv_alloc(sizeof(*server));
	size_t log_max = plan->log_max ? plan->log_max : LOG_MAX;
	server->plan = *plan;
	server->port = plan->port;
	server->tls_port = plan->tls_port;
	server->door_uses =
	    pv_alloc_array(plan->door_count, sizeof(*server->door_uses));
	pv_buf_init(&server->piece, PIECE_MAX);
	request_log_init(&server->log, plan->is_unlogged ? 0 : log_max);
	visit_counts_init(&server->counts);
	return server;
}

static bool open_ports(struct server *server)
{
	if (!listeners_open(server, false, &server->port))
		return false;
	if (server->plan.has_tls &&
	    (!tls_init(&server->tls, &server->plan) ||
		!listeners_open(server, true, &server->tls_port)))
		return false;
	return listeners_watch(server);
}

struct server *server_start(const struct server_plan *plan)
{
	raise_limit();
	struct server *server = create(plan);
	if (loop_init(&server->loop) && open_ports(server)) {
		receive_warm_up();
		if (start_thread(server))
			return server;
	}
	fprintf(
	    stderr, "the test's server cannot start: %s\n", strerror(errno));
	release(server);
	return NULL;
}

uint16_t server_port(const struct server *server)
{
	return server->port;
}

uint16_t server_tls_port(const struct server *server)
{
	return server->tls_port;
}

const char *server_authority_path(const struct server *server)
{
	return server->tls.authority_path;
}

void server_stop(struct server *server)
{
	if (!server)
		return;
	loop_end(&server->loop);
	pthread_join(server->thread, NULL);
	release(server);
}

size_t server_log_count(struct server *server)
{
	pthread_mutex_lock(&server->log.mutex);
	size_t count = server->log.came;
	pthread_mutex_unlock(&server->log.mutex);
	return count;
}

size_t server_accept_count(struct server *server)
{
	pthread_mutex_lock(&server->log.mutex);
	size_t count = server->log.accepts_came;
	pthread_mutex_unlock(&server->log.mutex);
	return count;
}

bool server_log_get(
    struct server *server, size_t i, struct server_record *record)
{
	pthread_mutex_lock(&server->log.mutex);
	bool is_kept = i < server->log.kept;
	if (is_kept)
		*record = server->log.records[i];
	pthread_mutex_unlock(&server->log.mutex);
	return is_kept;
}

bool server_accept_get(
    struct server *server, size_t i, struct server_accept *accept)
{
	pthread_mutex_lock(&server->log.mutex);
	bool is_kept = i < server->log.accepts_kept;
	if (is_kept)
		*accept = server->log.accepts[i];
	pthread_mutex_unlock(&server->log.mutex);
	return is_kept;
}

struct server_record *server_log_copy(struct server *server, size_t *count)
{
	pthread_mutex_lock(&server->log.mutex);
	size_t kept = server->log.kept;
	struct server_record *records =
	    pv_alloc_array(kept + 1, sizeof(*records));
	if (kept)
		memcpy(records, server->log.records, kept * sizeof(*records));
	pthread_mutex_unlock(&server->log.mutex);
	*count = kept;
	return records;
}

bool server_wait(struct server *server, size_t requests, int timeout_ms)
{
	return request_log_wait(&server->log, requests, false, timeout_ms);
}

bool server_wait_idle(struct server *server, size_t requests, int timeout_ms)
{
	return request_log_wait(&server->log, requests, true, timeout_ms);
}
