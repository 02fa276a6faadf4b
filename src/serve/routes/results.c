#include "serve/routes/results.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/reader.h"
#include "serve/http/problem.h"
#include "serve/jobs/journal_end.h"
#include "serve/jobs/result_lengths.h"
#include "serve/routes/answer.h"
#include "serve/routes/order_body.h"
#include "serve/routes/query.h"
#include "serve/routes/result_stream.h"
#include "store/state_look.h"
#include "store/tables/kind_names.h"

/* Lines of a job that are committed: its journal's, or the rows of a kind of
 * pages. A cursor is FILE:GENERATION:OFFSET in the file itself, so that nothing is
 * kept twice, and who has it goes on exactly there; the generation is that of the
 * journal's file (record/journal_name.h), and 0 of all else. */

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
	struct pv_str of = pv_reader_take_until(&reader, ':');
	return pv_str_equal(of, pv_buf_str(&place->of)) &&
	       pv_reader_accept(&reader, ':') &&
	       pv_reader_take_number(
		   &reader, INT64_MAX, &place->at.generation) &&
	       (place->is_journal || !place->at.generation) &&
	       pv_reader_accept(&reader, ':') &&
	       pv_reader_take_number(&reader, INT64_MAX, &place->at.offset) &&
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
	if (is_right && !place->is_beginning &&
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
	place->is_journal =
	    pv_str_equal(pv_buf_str(&place->of), PV_STR(JOURNAL));
	place->is_beginning = !is_cursor_given(exchange);
	if (!is_name(pv_buf_str(&place->of)))
		return pv_order_refuse(
		    reply, "of", "expected \"journal\" or a kind of pages");
	return read_start(exchange, place, reply);
}

/* Where to go on */

static bool refuse(struct pv_reply *reply, const char *why)
{
	pv_problem_reply(reply, 410, "after: %s: begin anew without it", why);
	return false;
}

static void name_file(struct pv_results_place *place)
{
	char name[PV_JOURNAL_NAME_MAX];
	pv_buf_clear(&place->file);
	pv_journal_name_write(place->at.generation, name);
	if (place->is_journal)
		pv_buf_append_text(&place->file, name);
	else
		pv_buf_append_format(
		    &place->file, "fields/%s.jsonl", pv_buf_text(&place->of));
}

static bool is_stored(
    const char *directory, const struct pv_results_place *place)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(
	    &path, "%s/%s", directory, pv_buf_text(&place->file));
	bool is_there = access(pv_buf_text(&path), F_OK) == 0;
	pv_buf_finish(&path);
	return is_there;
}

/* Of a journal with several files: the one in which what follows stands. False
 * where that is not kept any more. */
static bool find_file(struct pv_results_place *place, const char *directory,
    struct pv_journal_end *end, struct pv_reply *reply)
{
	for (;;) {
		*end = (struct pv_journal_end){.length = 0};
		pv_journal_end_now(directory, place->at.generation, end);
		name_file(place);
		bool is_kept = !end->has_next || is_stored(directory, place);
		if (!is_kept && !place->is_beginning)
			return refuse(
			    reply, "these results are not kept any more");
		if (!end->has_next ||
		    (is_kept && place->at.offset != end->length))
			return true;
		if (end->next != place->at.generation + 1 &&
		    !place->is_beginning)
			return refuse(
			    reply, "these results are not kept any more");
		place->at = (struct pv_journal_place){.generation = end->next};
	}
}

/* A crawl that was never begun has no kinds yet, and may come to have any. */
static bool is_kind_known(const char *directory, struct pv_str kind)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_database *database = pv_state_look(directory, &why);
	bool is_known = !database || pv_kind_names_have(database, kind);
	pv_database_close(database);
	pv_why_finish(&why);
	return is_known;
}

/* How much of its file is committed; false if the cursor leads nowhere. */
static bool find_length(struct pv_results_place *place, const char *directory,
    uint64_t *length, struct pv_reply *reply)
{
	struct pv_journal_end end;
	name_file(place);
	if (place->is_journal) {
		if (!find_file(place, directory, &end, reply))
			return false;
		*length = end.length;
	} else {
		*length =
		    pv_result_length_now(directory, pv_buf_text(&place->file));
		if (!*length &&
		    !is_kind_known(directory, pv_buf_str(&place->of))) {
			pv_problem_reply(reply, 404,
			    "of: this job's policy has no kind of pages called "
			    "\"%s\"",
			    pv_buf_text(&place->of));
			return false;
		}
	}
	return (place->at.offset <= *length &&
		   (!place->is_journal || place->at.generation <= end.last)) ||
	       refuse(reply, "the results do not reach that far");
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

static void give(struct pv_request *request, struct pv_results_place *place,
    const char *directory, struct pv_reply *reply)
{
	uint64_t length = 0, offset;
	int file = -1;
	if (!find_length(place, directory, &length, reply))
		return;
	offset = place->at.offset;
	if (is_stream_wanted(request)) {
		const struct pv_result_place from = {
		    .id = request->id,
		    .of = pv_buf_text(&place->of),
		    .file = pv_buf_text(&place->file),
		    .directory = directory,
		    .at = place->at,
		};
		pv_result_stream_begin(request, &from, reply);
		return;
	}
	if (length > offset)
		file = open(pv_arena_format(request->arena, "%s/%s", directory,
				pv_buf_text(&place->file)),
		    O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	uint64_t end = file < 0 ? offset : end_of_piece(file, offset, length);
	reply->type = "application/x-ndjson";
	pv_reply_header(reply, "Pavane-Cursor",
	    pv_arena_format(request->arena, "%s:%llu:%llu",
		pv_buf_text(&place->of),
		(unsigned long long)place->at.generation,
		(unsigned long long)end));
	if (file < 0)
		return;
	reply->file = file;
	reply->offset = offset;
	reply->length = end - offset;
}

void pv_route_results(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_jobs *jobs = request->service->jobs;
	struct pv_job_record job;
	struct pv_results_place place = {.is_journal = false};
	struct pv_buf directory;
	pv_buf_init(&place.of, NAME_MAX_BYTES);
	pv_buf_init(&place.file, NAME_MAX_BYTES + 32);
	pv_buf_init(&directory, SIZE_MAX);
	if (pv_route_is_done(request,
		pv_jobs_get(
		    jobs, request->owner, request->id, request->arena, &job),
		reply) &&
	    pv_results_place_read(request->exchange, &place, reply)) {
		pv_jobs_write_directory(jobs, job.id, &directory);
		give(request, &place, pv_buf_text(&directory), reply);
	}
	pv_buf_finish(&directory);
	pv_buf_finish(&place.file);
	pv_buf_finish(&place.of);
}
