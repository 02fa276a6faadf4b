#include "server/connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "server/door.h"
#include "server/exchange.h"
#include "server/inside.h"
#include "server/receive.h"
#include "server/tls.h"

#define OUT_MAX (16u << 20)
#define LEAVING_US 1000000

/* Ends */

static void release(struct loop_watch *watch)
{
	struct connection *connection = (struct connection *)watch;
	stream_finish(&connection->stream);
	pv_buf_finish(&connection->in);
	pv_buf_finish(&connection->out);
	tls_session_destroy(connection->tls);
	free(connection);
}

void connection_end_request(
    struct connection *connection, int64_t at_us, bool is_complete)
{
	struct request_end end = {
	    .status = connection->status,
	    .at_us = at_us,
	    .sent = connection->sent,
	    .is_complete = is_complete,
	};
	if (!connection->is_answering)
		return;
	connection->is_answering = false;
	request_log_end(&connection->server->log, connection->log_place, &end);
}

static void leave_list(struct connection *connection)
{
	if (connection->next)
		connection->next->previous = connection->previous;
	if (connection->previous)
		connection->previous->next = connection->next;
	else
		connection->server->connections = connection->next;
}

void connection_close(struct connection *connection)
{
	struct server *server = connection->server;
	int64_t now_us = loop_now_us();
	connection_end_request(connection, now_us, false);
	request_log_accept_end(&server->log, connection->accept_place, now_us);
	loop_unset(&server->loop, &connection->timer);
	leave_list(connection);
	loop_drop(&server->loop, &connection->watch);
	close(connection->watch.fd);
}

void connection_reset(struct connection *connection)
{
	struct linger at_once = {.l_onoff = 1};
	setsockopt(connection->watch.fd, SOL_SOCKET, SO_LINGER, &at_once,
	    sizeof(at_once));
	connection_close(connection);
}

void connection_leave(struct connection *connection)
{
	struct loop *loop = &connection->server->loop;
	connection->state = CONNECTION_LEAVING;
	pv_buf_finish(&connection->in);
	shutdown(connection->watch.fd, SHUT_WR);
	loop_change(loop, &connection->watch, EPOLLIN);
	loop_set(loop, &connection->timer, loop_now_us() + LEAVING_US);
}

void connection_fall_silent(struct connection *connection)
{
	connection->state = CONNECTION_SILENT;
	pv_buf_finish(&connection->in);
	connection_wait(connection, false);
}

void connection_wait(struct connection *connection, bool is_to_send)
{
	uint32_t events = EPOLLRDHUP;
	if (is_to_send)
		events |= EPOLLOUT;
	if (connection->in.len < CONNECTION_IN_MAX)
		events |= EPOLLIN;
	loop_change(&connection->server->loop, &connection->watch, events);
}

/* What comes */

static bool is_listening(const struct connection *connection)
{
	return connection->state != CONNECTION_SILENT &&
	       connection->state != CONNECTION_LEAVING;
}

/* As the plan says of this name. */
static void misbehave(struct connection *connection)
{
	static const char plain[] =
	    "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
	switch (connection->tls->kind) {
	case SERVER_TLS_RESETS:
		connection_reset(connection);
		return;
	case SERVER_TLS_STALLS:
		connection_fall_silent(connection);
		return;
	case SERVER_TLS_SPEAKS_PLAIN:
		pv_buf_clear(&connection->out);
		pv_buf_append_text(&connection->out, plain);
		if (exchange_flush(connection))
			connection_leave(connection);
		return;
	default:
		connection_leave(connection);
	}
}

/* False if the connection has ended for it. */
static bool unseal(struct connection *connection, struct pv_str received)
{
	switch (tls_open(
	    connection->tls, received, &connection->in, &connection->out)) {
	case TLS_GOES_ON:
		return true;
	case TLS_MISBEHAVES:
		misbehave(connection);
		return false;
	case TLS_FAILED:
		break;
	}
	if (exchange_flush(connection))
		connection_leave(connection);
	return false;
}

/* False if the connection has ended for it. */
static bool receive(struct connection *connection)
{
	struct server *server = connection->server;
	ssize_t len = receive_stamped(connection->watch.fd, server->in,
	    sizeof(server->in), &connection->in_us);
	if (len < 0 && errno == EAGAIN)
		return true;
	if (len <= 0) {
		connection_close(connection);
		return false;
	}
	if (!is_listening(connection))
		return false;
	if (!connection->in.len)
		connection->begin_us = connection->in_us;
	struct pv_str received = {server->in, (size_t)len};
	if (connection->tls)
		return unseal(connection, received);
	return pv_buf_append(&connection->in, received);
}

static void on_event(struct loop_watch *watch, uint32_t events)
{
	struct connection *connection = (struct connection *)watch;
	bool has_room = connection->in.len < CONNECTION_IN_MAX;
	if (events & (EPOLLERR | EPOLLHUP) ||
	    (!has_room && events & EPOLLRDHUP)) {
		connection_close(connection);
		return;
	}
	if (has_room && events & (EPOLLIN | EPOLLRDHUP) && !receive(connection))
		return;
	if (connection->state == CONNECTION_READING || events & EPOLLOUT)
		exchange_advance(connection);
	else if (connection->in.len >= CONNECTION_IN_MAX)
		connection_wait(connection, watch->events & EPOLLOUT);
}

static void on_time(struct loop_time *time)
{
	struct connection *connection =
	    (struct connection *)((char *)time -
				  offsetof(struct connection, timer));
	if (connection->state == CONNECTION_LEAVING) {
		connection_close(connection);
		return;
	}
	connection->state = CONNECTION_WRITING;
	exchange_advance(connection);
}

/* Beginnings */

static void go_through(
    struct connection *connection, const struct server_door *door)
{
	switch (door->kind) {
	case SERVER_DOOR_RESETS:
		connection_reset(connection);
		return;
	case SERVER_DOOR_CLOSES:
		connection_leave(connection);
		return;
	case SERVER_DOOR_NEVER_READS:
		connection->state = CONNECTION_SILENT;
		loop_change(&connection->server->loop, &connection->watch, 0);
		return;
	}
}

static struct connection *create(
    struct server *server, int fd, const struct server_accept *accept)
{
	struct connection *connection = pv_alloc(sizeof(*connection));
	*connection = (struct connection){
	    .watch = {.on_event = on_event, .release = release, .fd = fd},
	    .timer = {.on_time = on_time},
	    .server = server,
	    .accept = *accept,
	    .accept_place = request_log_accept(&server->log, accept),
	    .number = ++server->connection_count,
	    .next = server->connections,
	};
	stream_init(&connection->stream);
	pv_buf_init(
	    &connection->in, CONNECTION_IN_MAX + 2 * sizeof(server->in));
	pv_buf_init(&connection->out, OUT_MAX);
	if (accept->is_tls)
		connection->tls =
		    tls_session_create(&server->tls, accept->address);
	return connection;
}

void connection_open(
    struct server *server, int fd, const struct server_accept *accept)
{
	struct connection *connection = create(server, fd, accept);
	if (connection->next)
		connection->next->previous = connection;
	server->connections = connection;
	if (!loop_watch(
		&server->loop, &connection->watch, EPOLLIN | EPOLLRDHUP)) {
		connection_close(connection);
		return;
	}
	const struct server_door *door = door_find(server, &accept->address);
	if (door)
		go_through(connection, door);
}

void connections_close(struct server *server)
{
	while (server->connections)
		connection_close(server->connections);
}
