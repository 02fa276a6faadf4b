#include "server/connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "server/inside.h"
#include "server/receive.h"
#include "server/request.h"
#include "server/respond.h"

/* A request longer than this is malformed. */
#define IN_MAX 262144

/* What is made of an answer before it is sent, and how many such pieces before
 * others have their turn. */
#define PIECE 32768
#define PIECES_MAX 16
#define OUT_MAX (16u << 20)

#define LEAVING_US 1000000
#define IDLE_MAX 4096

static void release(struct loop_watch *watch)
{
	struct connection *connection = (struct connection *)watch;
	stream_finish(&connection->stream);
	pv_buf_finish(&connection->in);
	pv_buf_finish(&connection->out);
	free(connection);
}

static void end_request(struct connection *connection, bool is_complete)
{
	struct request_end end = {
	    .status = connection->status,
	    .at_us = loop_now_us(),
	    .sent = connection->sent,
	    .is_complete = is_complete,
	};
	if (!connection->is_answering)
		return;
	connection->is_answering = false;
	request_log_end(&connection->server->log, connection->log_place, &end);
}

static void unlink_connection(struct connection *connection)
{
	if (connection->next)
		connection->next->previous = connection->previous;
	if (connection->previous)
		connection->previous->next = connection->next;
	else
		connection->server->connections = connection->next;
}

static void close_now(struct connection *connection)
{
	struct server *server = connection->server;
	end_request(connection, false);
	request_log_accept_end(
	    &server->log, connection->accept_place, loop_now_us());
	loop_unset(&server->loop, &connection->timer);
	unlink_connection(connection);
	close(connection->watch.fd);
	loop_drop(&server->loop, &connection->watch);
}

/* What has not been sent is lost, and the other side hears of it. */
static void reset_now(struct connection *connection)
{
	struct linger at_once = {.l_onoff = 1};
	setsockopt(connection->watch.fd, SOL_SOCKET, SO_LINGER, &at_once,
	    sizeof(at_once));
	close_now(connection);
}

/* The other side has time to read what was sent: closing at once would reset
 * the connection if it had sent anything meanwhile. */
static void leave(struct connection *connection)
{
	struct loop *loop = &connection->server->loop;
	connection->state = CONNECTION_LEAVING;
	pv_buf_finish(&connection->in);
	shutdown(connection->watch.fd, SHUT_WR);
	loop_change(loop, &connection->watch, EPOLLIN);
	loop_set(loop, &connection->timer, loop_now_us() + LEAVING_US);
}

static void wants(struct connection *connection, bool is_writing)
{
	uint32_t events = is_writing ? EPOLLOUT : 0;
	if (connection->in.len < IN_MAX)
		events |= EPOLLIN;
	loop_change(
	    &connection->server->loop, &connection->watch, events | EPOLLRDHUP);
}

/* False if it would have to wait, or there is nobody to send to any more. */
static bool flush(struct connection *connection)
{
	struct pv_buf *out = &connection->out;
	while (connection->out_sent < out->len) {
		ssize_t len =
		    send(connection->watch.fd, out->ptr + connection->out_sent,
			out->len - connection->out_sent, MSG_NOSIGNAL);
		if (len < 0 && errno == EAGAIN) {
			wants(connection, true);
			return false;
		}
		if (len < 0) {
			close_now(connection);
			return false;
		}
		connection->out_sent += (size_t)len;
		connection->sent += (size_t)len;
	}
	connection->out_sent = 0;
	if (out->size > IDLE_MAX && connection->then != STREAM_MORE)
		pv_buf_finish(out);
	pv_buf_clear(out);
	return true;
}

/* Requests */

static void begin_answer(struct connection *connection, int64_t ready_us,
    struct server_request *request)
{
	struct server *server = connection->server;
	struct server_record record = {
	    .host = request->host,
	    .method = request->method,
	    .target = request->target,
	    .headers = request->headers,
	    .address = request->address,
	    .peer_port = connection->accept.peer_port,
	    .connection = connection->number,
	    .nth = request->nth,
	    .is_tls = request->is_tls,
	    .begin_us = request->begin_us,
	    .ready_us = ready_us,
	    .begin_wall_ms = receive_wall_ms(request->begin_us),
	};
	connection->log_place = request_log_add(&server->log, &record);
	connection->is_answering = true;
	connection->is_last = respond(server, request, &connection->stream);
	connection->status = connection->stream.answer.status
				 ? connection->stream.answer.status
				 : 200;
	connection->sent = 0;
	connection->state = CONNECTION_WRITING;
	connection->then = STREAM_MORE;
}

static void begin_malformed(struct connection *connection)
{
	respond_malformed(&connection->stream);
	connection->is_last = true;
	connection->state = CONNECTION_WRITING;
	connection->then = STREAM_MORE;
}

static void take_off(struct pv_buf *in, size_t len)
{
	memmove(in->ptr, in->ptr + len, in->len - len);
	pv_buf_cut(in, in->len - len);
	if (!in->len && in->size > IDLE_MAX)
		pv_buf_finish(in);
}

/* False if more bytes are needed. */
static bool read_request(struct connection *connection)
{
	struct server *server = connection->server;
	struct pv_buf *in = &connection->in;
	struct server_request request;
	size_t len = 0;
	switch (request_read(pv_buf_str(in), &request, &len)) {
	case REQUEST_UNFINISHED:
		if (in->len < IN_MAX)
			return false;
		begin_malformed(connection);
		return true;
	case REQUEST_MALFORMED:
		begin_malformed(connection);
		return true;
	case REQUEST_READ:
		break;
	}
	request.address = connection->accept.address;
	request.connection = connection->number;
	request.is_tls = connection->accept.is_tls;
	request.begin_us = connection->begin_us;
	request.nth =
	    visit_counts_add(&server->counts, request.host, request.target);
	begin_answer(connection, connection->in_us, &request);
	take_off(in, len);
	connection->begin_us = connection->in_us;
	return true;
}

/* Answers */

static void end_answer(struct connection *connection)
{
	end_request(connection, true);
	if (connection->is_last)
		leave(connection);
	else
		connection->state = CONNECTION_READING;
}

static void pause_answer(struct connection *connection)
{
	connection->state = CONNECTION_PAUSING;
	connection->then = STREAM_MORE;
	wants(connection, false);
	loop_set(&connection->server->loop, &connection->timer,
	    loop_now_us() + connection->pause_ms * INT64_C(1000));
}

static void break_off(struct connection *connection)
{
	enum server_break kind = connection->stream.answer.fault.kind;
	if (kind == SERVER_STALL) {
		connection->state = CONNECTION_SILENT;
		pv_buf_finish(&connection->in);
		wants(connection, false);
		return;
	}
	end_request(connection, true);
	if (kind == SERVER_RESET)
		reset_now(connection);
	else
		leave(connection);
}

/* What is to be done when all that was made is sent. False if there is nothing
 * to do now. */
static bool act(struct connection *connection)
{
	switch (connection->then) {
	case STREAM_MORE:
		return true;
	case STREAM_PAUSE:
		pause_answer(connection);
		return false;
	case STREAM_BREAK:
		break_off(connection);
		return false;
	case STREAM_END:
		end_answer(connection);
		return connection->state == CONNECTION_READING;
	}
	return false;
}

/* As far as it goes without waiting, and without keeping others waiting. */
static void advance(struct connection *connection)
{
	for (int i = 0; i < PIECES_MAX; i++) {
		if (connection->state == CONNECTION_READING &&
		    !read_request(connection)) {
			wants(connection, false);
			return;
		}
		if (connection->state != CONNECTION_WRITING)
			return;
		if (connection->then == STREAM_MORE && !connection->out.len)
			connection->then = stream_fill(&connection->stream,
			    &connection->out, PIECE, &connection->pause_ms);
		if (!flush(connection) || !act(connection))
			return;
	}
	wants(connection, true);
}

/* Events */

static bool is_listening(const struct connection *connection)
{
	return connection->state != CONNECTION_SILENT &&
	       connection->state != CONNECTION_LEAVING;
}

/* False if the other side is gone. */
static bool receive(struct connection *connection)
{
	struct server *server = connection->server;
	ssize_t len = receive_stamped(connection->watch.fd, server->in,
	    sizeof(server->in), &connection->in_us);
	if (len <= 0)
		return len < 0 && errno == EAGAIN;
	if (!is_listening(connection))
		return true;
	if (!connection->in.len)
		connection->begin_us = connection->in_us;
	pv_buf_append(
	    &connection->in, (struct pv_str){server->in, (size_t)len});
	return true;
}

static void on_event(struct loop_watch *watch, uint32_t events)
{
	struct connection *connection = (struct connection *)watch;
	bool is_gone = events & (EPOLLERR | EPOLLHUP);
	bool has_room = connection->in.len < IN_MAX;
	if (!is_gone && has_room && events & (EPOLLIN | EPOLLRDHUP))
		is_gone = !receive(connection);
	if (!has_room && events & EPOLLRDHUP)
		is_gone = true;
	if (is_gone)
		close_now(connection);
	else if (connection->state == CONNECTION_READING ||
		 (events & EPOLLOUT && connection->state == CONNECTION_WRITING))
		advance(connection);
	else if (is_listening(connection) && connection->in.len >= IN_MAX)
		wants(connection, watch->events & EPOLLOUT);
}

static void on_time(struct loop_time *time)
{
	struct connection *connection =
	    (struct connection *)((char *)time -
				  offsetof(struct connection, timer));
	if (connection->state == CONNECTION_LEAVING) {
		close_now(connection);
		return;
	}
	connection->state = CONNECTION_WRITING;
	advance(connection);
}

void connection_open(
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
	pv_buf_init(&connection->in, IN_MAX + sizeof(server->in));
	pv_buf_init(&connection->out, OUT_MAX);
	if (connection->next)
		connection->next->previous = connection;
	server->connections = connection;
	if (!loop_watch(
		&server->loop, &connection->watch, EPOLLIN | EPOLLRDHUP))
		close_now(connection);
}

void connections_close(struct server *server)
{
	while (server->connections)
		close_now(server->connections);
}
