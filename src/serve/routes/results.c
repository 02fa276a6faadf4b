#include "serve/routes/results.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/reader.h"
#include "serve/http/problem.h"
#include "serve/jobs/result_lengths.h"
#include "serve/routes/answer.h"
#include "serve/routes/order_body.h"
#include "serve/routes/query.h"
#include "serve/routes/result_stream.h"

/* Lines of a job that are committed: its journal's, or the rows of a kind of
 * pages. A cursor is FILE:GENERATION:OFFSET in the file itself, so that nothing is
 * kept twice, and who has it goes on exactly there. */

#define NAME_MAX_BYTES 200
#define JOURNAL "journal"

/* So much at a time: what is left comes by the next cursor. */
#define PIECE_MAX ((uint64_t)8 << 20)

/* Names of kinds are [a-z0-9_-], so that no path gets out of its directory. */
static bool is_name(struct pv_str of)
{
	bool is_right = of.len > 0 && of.len < NAME_MAX_BYTES;
	for (size_t i = 0; i < of.len && is_right; i++) {
		char byte = of.ptr[i];
		is_right = (byte >= 'a' && byte <= 'z') ||
			   (byte >= 'A' && byte <= 'Z') ||
			   (byte >= '0' && byte <= '9') || byte == '_' ||
			   byte == '-';
	}
	return is_right;
}

/* The cursor that comes with it must be of the same file. */
static bool read_cursor(struct pv_str cursor, struct pv_results_place *place)
{
	struct pv_reader reader = pv_reader_of(cursor);
	uint64_t generation;
	struct pv_str of = pv_reader_take_until(&reader, ':');
	return pv_str_equal(of, pv_buf_str(&place->of)) &&
	       pv_reader_accept(&reader, ':') &&
	       pv_reader_take_number(&reader, INT64_MAX, &generation) &&
	       !generation && pv_reader_accept(&reader, ':') &&
	       pv_reader_take_number(&reader, INT64_MAX, &place->offset) &&
	       !pv_reader_rest(&reader).len;
}

/* A browser that connects again says itself where it was. */
static bool find_cursor(const struct pv_exchange *exchange,
    struct pv_buf *cursor, struct pv_reply *reply)
{
	struct pv_str last = pv_exchange_header(exchange, "Last-Event-ID");
	if (!last.len)
		return pv_query_text(exchange, "after", cursor, reply);
	return pv_buf_append(cursor, last) ||
	       pv_order_refuse(reply, "Last-Event-ID",
		   "this is no cursor of these results");
}

static bool is_cursor_given(const struct pv_exchange *exchange)
{
	return pv_exchange_header(exchange, "Last-Event-ID").len ||
	       pv_exchange_has_argument(exchange, "after");
}

static bool read_start(const struct pv_exchange *exchange,
    struct pv_results_place *place, struct pv_reply *reply)
{
	struct pv_buf cursor;
	pv_buf_init(&cursor, NAME_MAX_BYTES + 64);
	bool is_right = find_cursor(exchange, &cursor, reply);
	if (is_right && is_cursor_given(exchange) &&
	    !read_cursor(pv_buf_str(&cursor), place))
		is_right = pv_order_refuse(
		    reply, "after", "this is no cursor of these results");
	pv_buf_finish(&cursor);
	return is_right;
}

bool pv_results_place_read(const struct pv_exchange *exchange,
    struct pv_results_place *place, struct pv_reply *reply)
{
	if (!pv_query_text(exchange, "of", &place->of, reply))
		return false;
	if (!pv_exchange_has_argument(exchange, "of"))
		pv_buf_append_text(&place->of, JOURNAL);
	if (!is_name(pv_buf_str(&place->of)))
		return pv_order_refuse(
		    reply, "of", "expected \"journal\" or a kind of pages");
	return read_start(exchange, place, reply);
}

/* Where the last whole line within the piece ends: the file's committed length
 * is the end of one. */
static uint64_t end_of_piece(int file, uint64_t offset, uint64_t length)
{
	char bytes[4096];
	uint64_t end = offset + PIECE_MAX;
	if (length - offset <= PIECE_MAX)
		return length;
	while (end > offset) {
		uint64_t from =
		    end - offset > sizeof(bytes) ? end - sizeof(bytes) : offset;
		ssize_t got =
		    pread(file, bytes, (size_t)(end - from), (off_t)from);
		if (got <= 0)
			return length;
		for (ssize_t i = got; i--;) {
			if (bytes[i] == '\n')
				return from + (uint64_t)i + 1;
		}
		end = from;
	}
	return length; /* one line is longer than a piece */
}

static bool is_stream_wanted(const struct pv_request *request)
{
	struct pv_str accepted =
	    pv_exchange_header(request->exchange, "Accept");
	struct pv_str events = PV_STR("text/event-stream");
	return accepted.len &&
	       memmem(accepted.ptr, accepted.len, events.ptr, events.len);
}

static void give(struct pv_request *request,
    const struct pv_results_place *place, const char *directory,
    const char *file_name, struct pv_reply *reply)
{
	uint64_t length = pv_result_length_now(directory, file_name);
	int file = -1;
	if (place->offset > length) {
		pv_problem_reply(reply, 410,
		    "after: the results do not reach that far: begin anew "
		    "without it");
		return;
	}
	if (is_stream_wanted(request)) {
		const struct pv_result_place from = {
		    .id = request->id,
		    .of = pv_buf_text(&place->of),
		    .file = file_name,
		    .directory = directory,
		    .offset = place->offset,
		};
		pv_result_stream_begin(request, &from, reply);
		return;
	}
	if (length > place->offset)
		file = open(pv_arena_format(
				request->arena, "%s/%s", directory, file_name),
		    O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	uint64_t end = file < 0 ? place->offset
				: end_of_piece(file, place->offset, length);
	reply->type = "application/x-ndjson";
	pv_reply_header(reply, "Pavane-Cursor",
	    pv_arena_format(request->arena, "%s:0:%llu",
		pv_buf_text(&place->of), (unsigned long long)end));
	if (file < 0)
		return;
	reply->file = file;
	reply->offset = place->offset;
	reply->length = end - place->offset;
}

void pv_route_results(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_jobs *jobs = request->service->jobs;
	struct pv_job_record job;
	struct pv_results_place place = {.offset = 0};
	struct pv_buf directory, file;
	pv_buf_init(&place.of, NAME_MAX_BYTES);
	pv_buf_init(&file, NAME_MAX_BYTES + 32);
	pv_buf_init(&directory, SIZE_MAX);
	if (pv_route_is_done(request,
		pv_jobs_get(
		    jobs, request->owner, request->id, request->arena, &job),
		reply) &&
	    pv_results_place_read(request->exchange, &place, reply)) {
		bool is_journal =
		    pv_str_equal(pv_buf_str(&place.of), PV_STR(JOURNAL));
		pv_buf_append_format(&file, "%s%s.jsonl",
		    is_journal ? "" : "fields/", pv_buf_text(&place.of));
		pv_jobs_write_directory(jobs, job.id, &directory);
		give(request, &place, pv_buf_text(&directory),
		    pv_buf_text(&file), reply);
	}
	pv_buf_finish(&directory);
	pv_buf_finish(&file);
	pv_buf_finish(&place.of);
}
