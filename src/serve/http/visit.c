#include "serve/http/visit.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/reader.h"
#include "serve/http/problem.h"

/* How much of a reply is read at a time. */
#define PIECE_BYTES ((size_t)32 << 10)

struct visit {
	struct pv_visits *visits;
	struct pv_connection *connection;
	struct pv_exchange exchange;
	struct pv_reply reply;
	struct pv_buf body;
	char *target;
	struct pv_head_field *fields;
	size_t field_count;
	size_t fields_size;
	size_t too_many; /* bytes of the body that were not kept */
	bool has_head;
};

static struct pv_connection *connection_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
	    connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	return info ? info->socket_context : NULL;
}

static void limit(const struct visit *visit, int64_t ms)
{
	pv_connections_limit(visit->visits->connections, visit->connection, ms);
}

static bool is_over(const void *ctx)
{
	const struct visit *visit = ctx;
	return pv_connections_is_over(
	    visit->visits->connections, visit->connection);
}

/* libmicrohttpd changes the target where it stands, so it is copied first. */
void *pv_visit_begin(
    void *ctx, const char *target, struct MHD_Connection *connection)
{
	struct visit *visit = pv_alloc(sizeof(*visit));
	size_t size = strlen(target) + 1;
	visit->visits = ctx;
	visit->connection = connection_of(connection);
	visit->target = memcpy(pv_alloc(size), target, size);
	pv_reply_init(&visit->reply);
	pv_buf_init(&visit->body, visit->visits->plan.body_bytes);
	return visit;
}

void pv_visit_end(void *ctx, struct MHD_Connection *connection, void **place,
    enum MHD_RequestTerminationCode reason)
{
	struct visit *visit = *place;
	(void)ctx;
	(void)connection;
	(void)reason;
	if (!visit)
		return;
	pv_connections_on_end(
	    visit->visits->connections, visit->connection, NULL, NULL);
	limit(visit, visit->visits->plan.head_ms);
	pv_reply_finish(&visit->reply);
	pv_buf_finish(&visit->body);
	free(visit->fields);
	free(visit->target);
	free(visit);
	*place = NULL;
}

/* Sending */

static ssize_t read_file(
    const struct pv_reply *reply, uint64_t at, char *bytes, size_t size)
{
	uint64_t left = reply->length - at;
	ssize_t len = pread(reply->file, bytes, size < left ? size : left,
	    (off_t)(reply->offset + at));
	/* A file that has become shorter must not look whole. */
	return len > 0 ? len : -1;
}

static ssize_t read_body(
    const struct pv_reply *reply, uint64_t at, char *bytes, size_t size)
{
	size_t left = reply->body.len - at;
	size_t len = size < left ? size : left;
	memcpy(bytes, reply->body.ptr + at, len);
	return (ssize_t)len;
}

/* A piece has to be sent within some time; making it may take any. */
static ssize_t read_piece(void *ctx, uint64_t at, char *bytes, size_t size)
{
	struct visit *visit = ctx;
	struct pv_reply *reply = &visit->reply;
	ssize_t len;
	limit(visit, PV_NO_DEADLINE);
	if (reply->stream.read)
		len = reply->stream.read(reply->stream.ctx, bytes, size);
	else if (reply->file >= 0)
		len = read_file(reply, at, bytes, size);
	else
		len = read_body(reply, at, bytes, size);
	limit(visit, visit->visits->plan.send_ms);
	if (len > 0)
		return len;
	return len ? MHD_CONTENT_READER_END_WITH_ERROR
		   : MHD_CONTENT_READER_END_OF_STREAM;
}

static uint64_t size_of(const struct pv_reply *reply)
{
	if (reply->stream.read)
		return MHD_SIZE_UNKNOWN;
	return reply->file >= 0 ? reply->length : reply->body.len;
}

static void add_headers(
    struct MHD_Response *response, const struct pv_reply *reply)
{
	for (size_t i = 0; i < reply->header_count; i++)
		MHD_add_response_header(
		    response, reply->headers[i].name, reply->headers[i].value);
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	if (!pv_reply_header_get(reply, "Cache-Control"))
		MHD_add_response_header(response, "Cache-Control", "no-store");
	if (reply->type)
		MHD_add_response_header(response, "Content-Type", reply->type);
	if (reply->is_last)
		MHD_add_response_header(response, "Connection", "close");
}

static enum MHD_Result send_reply(
    struct visit *visit, struct MHD_Connection *connection)
{
	struct pv_reply *reply = &visit->reply;
	struct MHD_Response *response = MHD_create_response_from_callback(
	    size_of(reply), PIECE_BYTES, read_piece, visit, NULL);
	if (!response)
		return MHD_NO;
	add_headers(response, reply);
	if (reply->stream.read && reply->stream.wake)
		pv_connections_on_end(visit->visits->connections,
		    visit->connection, reply->stream.wake, reply->stream.ctx);
	limit(visit, visit->visits->plan.send_ms);
	enum MHD_Result result =
	    MHD_queue_response(connection, reply->status, response);
	MHD_destroy_response(response);
	return result;
}

/* Receiving */

/* What has six parameters here, and eight below, is called by that library. */
static enum MHD_Result note_field(void *ctx, enum MHD_ValueKind kind,
    const char *name, size_t name_len, const char *value, size_t value_len)
{
	struct visit *visit = ctx;
	(void)kind;
	*PV_ARRAY_PUSH(visit->fields, visit->field_count, visit->fields_size) =
	    (struct pv_head_field){{name, name_len}, {value, value_len}};
	return MHD_YES;
}

static void read_head(struct visit *visit, struct MHD_Connection *connection,
    const char *method, const char *version)
{
	struct pv_exchange *exchange = &visit->exchange;
	MHD_get_connection_values_n(
	    connection, MHD_HEADER_KIND, note_field, visit);
	exchange->head = (struct pv_head){
	    .method = pv_str_of(method),
	    .target = pv_str_of(visit->target),
	    .version = pv_str_of(version),
	    .fields = visit->fields,
	    .field_count = visit->field_count,
	};
	exchange->peer = pv_connection_peer(visit->connection);
	exchange->is_over = is_over;
	exchange->ctx = visit;
	pv_exchange_read_head(exchange);
}

static size_t head_size(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
	    connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
	return info ? info->header_size : 0;
}

static bool is_body_too_large(const struct visit *visit)
{
	struct pv_str length =
	    pv_exchange_header(&visit->exchange, "Content-Length");
	struct pv_reader reader = pv_reader_of(length);
	uint64_t number;
	return length.ptr && !pv_reader_take_number(&reader,
				 visit->visits->plan.body_bytes, &number);
}

static void refuse_body(struct visit *visit)
{
	pv_problem_reply(&visit->reply, 413,
	    "the body of a request has at most %zu bytes",
	    visit->visits->plan.body_bytes);
	visit->reply.is_last = true;
}

/* Whether the head is refused, with a reply. */
static bool refuse_head(struct visit *visit, size_t size)
{
	size_t size_max = visit->visits->plan.head_bytes;
	const char *fault = pv_head_vet(&visit->exchange.head);
	visit->reply.is_last = true;
	if (size > size_max)
		pv_problem_reply(&visit->reply, 431,
		    "the head of a request has at most %zu bytes", size_max);
	else if (fault)
		pv_problem_reply(&visit->reply, 400, "%s", fault);
	else if (is_body_too_large(visit))
		refuse_body(visit);
	else
		visit->reply.is_last = false;
	return visit->reply.is_last;
}

static enum MHD_Result take_head(
    struct visit *visit, struct MHD_Connection *connection)
{
	visit->has_head = true;
	if (refuse_head(visit, head_size(connection)))
		return send_reply(visit, connection);
	limit(visit, visit->visits->plan.body_ms);
	return MHD_YES;
}

/* A reply can be sent only behind the body. Who sends a little too much gets
 * it; who sends more is cut off. */
static enum MHD_Result take_piece(struct visit *visit, struct pv_str piece)
{
	if (visit->too_many || !pv_buf_append(&visit->body, piece))
		visit->too_many += piece.len;
	return visit->too_many <= visit->visits->plan.body_bytes ? MHD_YES
								 : MHD_NO;
}

static enum MHD_Result answer(
    struct visit *visit, struct MHD_Connection *connection)
{
	const struct pv_http_plan *plan = &visit->visits->plan;
	limit(visit, PV_NO_DEADLINE);
	visit->exchange.body = pv_buf_str(&visit->body);
	if (visit->too_many)
		refuse_body(visit);
	else
		plan->answer(plan->ctx, &visit->exchange, &visit->reply);
	return send_reply(visit, connection);
}

enum MHD_Result pv_visit_go_on(void *ctx, struct MHD_Connection *connection,
    const char *path, const char *method, const char *version,
    const char *bytes, size_t *len, void **place)
{
	struct visit *visit = *place;
	(void)ctx;
	(void)path;
	if (!visit->has_head) {
		read_head(visit, connection, method, version);
		return take_head(visit, connection);
	}
	if (*len) {
		struct pv_str piece = {bytes, *len};
		*len = 0;
		return take_piece(visit, piece);
	}
	return answer(visit, connection);
}
