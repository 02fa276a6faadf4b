#include "fleet/line/pipeline.h"

#include "fleet/line/request_parts.h"
#include "fleet/line/url.h"

/* What the loop can spare in one turn: some milliseconds. */
#define WRITE_BYTES_MAX ((size_t)1 << 20)
#define WRITE_REQUESTS_MAX 64
#define READ_REQUESTS_MAX 64

/* After so many deadlocks somebody else has to look at it. */
#define REPEATS_MAX 8
#define REPEAT_FIRST_MS 10
#define REPEAT_MAX_MS 1000

/* libpq ends each answer with a NULL. Several in a row mean that it expects none
 * where we do. */
#define NULLS_MAX 3

void pv_fleet_pipeline_init(struct pv_fleet_pipeline *pipeline,
    struct pv_fleet_connection *connection,
    const struct pv_fleet_statement *statements, uint64_t random)
{
	*pipeline = (struct pv_fleet_pipeline){.connection = connection,
	    .statements = statements,
	    .rest = {random, REPEAT_FIRST_MS, REPEAT_MAX_MS, 0}};
}

static struct pv_fleet_request *first_of(const struct pv_line *line)
{
	return line->first
		   ? PV_WHOLE(struct pv_fleet_request, link, line->first)
		   : NULL;
}

/* Out of its line and out of the sum. */
static struct pv_fleet_request *take_first(
    struct pv_fleet_pipeline *pipeline, struct pv_line *line)
{
	struct pv_fleet_request *request = first_of(line);
	if (request) {
		pv_line_remove(line, &request->link);
		pipeline->bytes -= pv_fleet_request_bytes(request);
	}
	return request;
}

static void destroy_all(
    struct pv_fleet_pipeline *pipeline, struct pv_line *line)
{
	struct pv_fleet_request *request;
	while ((request = take_first(pipeline, line)))
		pv_fleet_request_destroy(request);
}

void pv_fleet_pipeline_finish(struct pv_fleet_pipeline *pipeline)
{
	pipeline->is_up = false;
	destroy_all(pipeline, &pipeline->waiting);
	destroy_all(pipeline, &pipeline->sent);
	destroy_all(pipeline, &pipeline->resting);
	destroy_all(pipeline, &pipeline->lost);
}

void pv_fleet_pipeline_add(
    struct pv_fleet_pipeline *pipeline, struct pv_fleet_request *request)
{
	request->repeats = 0;
	pipeline->bytes += pv_fleet_request_bytes(request);
	pv_line_add(&pipeline->waiting, &request->link);
}

static enum pv_fleet_flow broken(
    const struct pv_fleet_pipeline *pipeline, struct pv_buf *why)
{
	const char *message = PQerrorMessage(pipeline->connection->pg);
	pv_fleet_message_append(
	    why, *message ? message
			  : "the server answers something else than "
			    "what it was asked");
	return PV_FLEET_FLOW_BROKEN;
}

/* All statements of a request up to its Sync, which makes them one transaction:
 * there is no moment at which the server waits for us within it. */
static bool send_request(
    const struct pv_fleet_pipeline *pipeline, struct pv_fleet_request *request)
{
	PGconn *pg = pipeline->connection->pg;
	pv_fleet_request_clear(request);
	for (size_t i = 0; i < request->step_count; i++) {
		if (!pv_fleet_request_send_step(
			request, i, pg, pipeline->statements))
			return false;
	}
	return PQpipelineSync(pg);
}

enum pv_fleet_flow pv_fleet_pipeline_write(
    struct pv_fleet_pipeline *pipeline, struct pv_buf *why)
{
	size_t bytes = 0;
	for (unsigned count = 0;; count++) {
		int left = PQflush(pipeline->connection->pg);
		struct pv_fleet_request *request = first_of(&pipeline->waiting);
		if (left < 0)
			return broken(pipeline, why);
		if (left > 0)
			return PV_FLEET_FLOW_BLOCKED;
		if (!request)
			return PV_FLEET_FLOW_IDLE;
		if (bytes > WRITE_BYTES_MAX || count >= WRITE_REQUESTS_MAX)
			return PV_FLEET_FLOW_MORE;
		bytes += pv_fleet_request_bytes(request);
		pv_line_remove(&pipeline->waiting, &request->link);
		pv_line_add(&pipeline->sent, &request->link);
		if (!send_request(pipeline, request))
			return broken(pipeline, why);
	}
}

/* Deadlocks and serialization failures are nobody's fault: the same again may
 * well succeed. */
static bool is_to_be_repeated(const struct pv_fleet_request *request)
{
	const char *sqlstate =
	    PQresultErrorField(request->error, PG_DIAG_SQLSTATE);
	return sqlstate && request->repeats < REPEATS_MAX &&
	       (strcmp(sqlstate, "40P01") == 0 ||
		   strcmp(sqlstate, "40001") == 0);
}

static void complete(struct pv_fleet_pipeline *pipeline, int64_t now_ms)
{
	struct pv_fleet_request *request = first_of(&pipeline->sent);
	pipeline->answers++;
	if (is_to_be_repeated(request)) {
		pipeline->rest.tries = request->repeats++;
		request->due_ms = now_ms + pv_fleet_rest_draw(&pipeline->rest);
		pv_line_remove(&pipeline->sent, &request->link);
		pv_line_add(&pipeline->resting, &request->link);
		return;
	}
	take_first(pipeline, &pipeline->sent);
	pv_fleet_request_answer(
	    request, request->error ? PV_FLEET_REFUSED : PV_FLEET_OK);
}

/* Keeps a result of the request that is first in line. False if it is none that
 * belongs there. */
static bool keep(struct pv_fleet_request *request, PGresult *result)
{
	struct pv_fleet_results *results = &request->results;
	switch (PQresultStatus(result)) {
	case PGRES_TUPLES_OK:
	case PGRES_COMMAND_OK:
	case PGRES_EMPTY_QUERY:
		if (results->count == request->step_count)
			break;
		results->items[results->count++] = result;
		return true;
	case PGRES_FATAL_ERROR:
		if (request->error)
			break;
		request->error = result;
		return true;
	case PGRES_PIPELINE_ABORTED:
		PQclear(result);
		return true;
	default:
		break;
	}
	PQclear(result);
	return false;
}

/* What a sync means for the request before it: it is not known what became of it
 * where the server did not wait for its standby. */
static bool end_request(
    struct pv_fleet_pipeline *pipeline, int64_t now_ms, struct pv_buf *why)
{
	const struct pv_fleet_request *request = first_of(&pipeline->sent);
	bool is_whole =
	    request->error || request->results.count == request->step_count;
	if (pipeline->connection->is_in_doubt) {
		pv_buf_append_text(why,
		    "the server gave up waiting for its standby: what it has "
		    "committed may be lost in a failover");
		return false;
	}
	if (is_whole)
		complete(pipeline, now_ms);
	else
		broken(pipeline, why);
	return is_whole;
}

/* One result that is there; false if the connection is broken. `nulls` counts
 * those in a row. */
static bool read_result(struct pv_fleet_pipeline *pipeline, int64_t now_ms,
    unsigned *nulls, struct pv_buf *why)
{
	PGresult *result = PQgetResult(pipeline->connection->pg);
	bool is_good;
	*nulls = result ? 0 : *nulls + 1;
	if (!result) {
		is_good = *nulls < NULLS_MAX;
	} else if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) {
		PQclear(result);
		return end_request(pipeline, now_ms, why);
	} else {
		is_good = keep(first_of(&pipeline->sent), result);
	}
	if (!is_good)
		broken(pipeline, why);
	return is_good;
}

enum pv_fleet_flow pv_fleet_pipeline_read(
    struct pv_fleet_pipeline *pipeline, int64_t now_ms, struct pv_buf *why)
{
	unsigned nulls = 0;
	if (!PQconsumeInput(pipeline->connection->pg))
		return broken(pipeline, why);
	for (unsigned ended = 0; ended < READ_REQUESTS_MAX;) {
		const struct pv_line_link *first = pipeline->sent.first;
		if (PQisBusy(pipeline->connection->pg) || !first)
			return PV_FLEET_FLOW_IDLE;
		if (!read_result(pipeline, now_ms, &nulls, why))
			return PV_FLEET_FLOW_BROKEN;
		if (!pipeline->is_up)
			return PV_FLEET_FLOW_IDLE;
		ended += pipeline->sent.first != first;
	}
	return PV_FLEET_FLOW_MORE;
}

int64_t pv_fleet_pipeline_due(const struct pv_fleet_pipeline *pipeline)
{
	int64_t due_ms = -1;
	struct pv_line_link *link = pipeline->resting.first;
	for (; link; link = link->behind) {
		const struct pv_fleet_request *request =
		    PV_WHOLE(struct pv_fleet_request, link, link);
		if (due_ms < 0 || request->due_ms < due_ms)
			due_ms = request->due_ms;
	}
	return due_ms;
}

void pv_fleet_pipeline_wake(struct pv_fleet_pipeline *pipeline, int64_t now_ms)
{
	struct pv_line_link *link = pipeline->resting.first;
	while (link) {
		const struct pv_fleet_request *request =
		    PV_WHOLE(struct pv_fleet_request, link, link);
		struct pv_line_link *next = link->behind;
		if (request->due_ms <= now_ms) {
			pv_line_remove(&pipeline->resting, link);
			pv_line_add(&pipeline->waiting, link);
		}
		link = next;
	}
}

static void move_all(struct pv_line *from, struct pv_line *to)
{
	while (from->first) {
		struct pv_line_link *link = from->first;
		pv_line_remove(from, link);
		pv_line_add(to, link);
	}
}

/* What is sent within a callback waits for the next time. */
void pv_fleet_pipeline_lose(struct pv_fleet_pipeline *pipeline)
{
	struct pv_fleet_request *request;
	pipeline->is_up = false;
	move_all(&pipeline->sent, &pipeline->lost);
	move_all(&pipeline->resting, &pipeline->lost);
	move_all(&pipeline->waiting, &pipeline->lost);
	while ((request = take_first(pipeline, &pipeline->lost)))
		pv_fleet_request_answer(request, PV_FLEET_LOST);
}
