#include "server/exchange.h"

#include <errno.h>
#include <sys/socket.h>

#include "server/connection.h"
#include "server/inside.h"
#include "server/receive.h"
#include "server/request.h"
#include "server/respond.h"
#include "server/tls.h"

/* What is made of an answer before it is sent, and how many such pieces before
 * others have their turn. */
#define PIECE 16384
#define PIECES_MAX 16

/* What an idle connection keeps of a buffer. */
#define IDLE_MAX 4096

/* How many bytes of the text the kernel took, now. False if the connection has
 * ended for it. */
static bool send_some(
    struct connection *connection, struct pv_str text, size_t *sent)
{
	size_t done = 0;
	while (done < text.len) {
		int64_t now_us = loop_now_us();
		ssize_t len = send(connection->watch.fd, text.ptr + done,
		    text.len - done, MSG_NOSIGNAL);
		if (len < 0 && errno == EAGAIN)
			break;
		if (len < 0) {
			connection_close(connection);
			return false;
		}
		done += (size_t)len;
		connection->out_us = now_us;
		if (!connection->tls)
			connection->sent += (uint64_t)len;
	}
	*sent = done;
	return true;
}

bool exchange_flush(struct connection *connection)
{
	size_t sent = 0;
	struct pv_buf *out = &connection->out;
	struct pv_str left = pv_str_from(pv_buf_str(out), connection->out_sent);
	if (!left.len)
		return true;
	if (!send_some(connection, left, &sent))
		return false;
	connection->out_sent += sent;
	if (sent < left.len) {
		connection_wait(connection, true);
		return false;
	}
	connection->out_sent = 0;
	pv_buf_finish(out);
	return true;
}

/* Requests */

static void log_request(
    struct connection *connection, const struct server_request *request)
{
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
	    .ready_us = connection->in_us,
	    .begin_wall_ms = receive_wall_ms(request->begin_us),
	};
	connection->log_place =
	    request_log_add(&connection->server->log, &record);
	connection->is_answering = true;
}

static void begin_answer(
    struct connection *connection, struct server_request *request)
{
	struct server *server = connection->server;
	request->address = connection->accept.address;
	request->connection = connection->number;
	request->is_tls = connection->accept.is_tls;
	request->begin_us = connection->begin_us;
	request->nth =
	    visit_counts_add(&server->counts, request->host, request->target);
	log_request(connection, request);
	connection->is_last = respond(server, request, &connection->stream);
	connection->status = connection->stream.answer.status
				 ? connection->stream.answer.status
				 : 200;
	connection->sent = 0;
	connection->out_us = connection->in_us;
	connection->state = CONNECTION_WRITING;
	connection->then = STREAM_MORE;
}

static void begin_malformed(struct connection *connection)
{
	respond_malformed(&connection->stream);
	pv_buf_clear(&connection->in);
	connection->is_last = true;
	connection->state = CONNECTION_WRITING;
	connection->then = STREAM_MORE;
}

/* The rest may be the next request already, which came no later than what came
 * last. */
static void take_off(struct connection *connection, size_t len)
{
	struct pv_buf *in = &connection->in;
	memmove(in->ptr, in->ptr + len, in->len - len);
	pv_buf_cut(in, in->len - len);
	if (!in->len && in->size > IDLE_MAX)
		pv_buf_finish(in);
	connection->begin_us = connection->in_us;
}

/* False if more bytes are needed. */
static bool read_request(struct connection *connection)
{
	struct server_request request;
	size_t len = 0;
	switch (request_read(pv_buf_str(&connection->in), &request, &len)) {
	case REQUEST_READ:
		begin_answer(connection, &request);
		take_off(connection, len);
		return true;
	case REQUEST_UNFINISHED:
		if (connection->in.len < CONNECTION_IN_MAX)
			return false;
		break;
	case REQUEST_MALFORMED:
		break;
	}
	begin_malformed(connection);
	return true;
}

/* Answers */

static void seal(struct connection *connection, struct pv_str plain)
{
	tls_seal(connection->tls, plain, &connection->out);
	if (connection->then == STREAM_END && connection->is_last)
		tls_seal_end(connection->tls, &connection->out);
	connection->sent += plain.len;
}

/* Makes a piece of the answer, in memory that all connections share, and sends
 * it; what the kernel does not take now is kept. False if the connection has
 * ended for it. */
static bool send_piece(struct connection *connection)
{
	struct pv_buf *piece = &connection->server->piece;
	size_t sent = 0;
	pv_buf_clear(piece);
	connection->then = stream_fill(
	    &connection->stream, piece, PIECE, &connection->pause_ms);
	struct pv_str text = pv_buf_str(piece);
	if (connection->tls) {
		seal(connection, text);
		return true;
	}
	if (!send_some(connection, text, &sent))
		return false;
	return pv_buf_append(&connection->out, pv_str_from(text, sent));
}

static void end_answer(struct connection *connection)
{
	/* Before it was sent: the other side may have had it, and asked again,
	 * before we look at the clock. */
	connection_end_request(connection, connection->out_us, true);
	if (connection->is_last)
		connection_leave(connection);
	else
		connection->state = CONNECTION_READING;
}

static void pause_answer(struct connection *connection)
{
	connection->state = CONNECTION_PAUSING;
	connection->then = STREAM_MORE;
	connection_wait(connection, false);
	loop_set(&connection->server->loop, &connection->timer,
	    loop_now_us() + connection->pause_ms * INT64_C(1000));
}

static void break_off(struct connection *connection)
{
	enum server_break kind = connection->stream.answer.fault.kind;
	if (kind == SERVER_STALL) {
		connection_fall_silent(connection);
		return;
	}
	connection_end_request(connection, loop_now_us(), true);
	if (kind == SERVER_RESET)
		connection_reset(connection);
	else
		connection_leave(connection);
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

void exchange_advance(struct connection *connection)
{
	for (int i = 0; i < PIECES_MAX; i++) {
		if (!exchange_flush(connection))
			return;
		if (connection->state == CONNECTION_READING &&
		    !read_request(connection)) {
			connection_wait(connection, false);
			return;
		}
		if (connection->state != CONNECTION_WRITING)
			return;
		if (connection->then == STREAM_MORE && !send_piece(connection))
			return;
		if (!exchange_flush(connection) || !act(connection))
			return;
	}
	connection_wait(connection, true);
}
