#include "serve/routes/result_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "serve/jobs/journal_end.h"
#include "serve/jobs/result_lengths.h"
#include "serve/routes/event_stream.h"

#define PIECE_BYTES ((size_t)64 << 10)
#define LINE_BYTES_MAX ((size_t)64 << 20)

struct results {
	struct pv_jobs *jobs;
	struct pv_buf id;
	struct pv_buf of;
	struct pv_buf path;
	struct pv_buf directory;
	struct pv_buf file;
	struct pv_journal_place at;
	struct pv_job_watch *watch;
	struct pv_job_watch_news news; /* that was heard last */
	uint64_t looked; /* at its state, after so many changes of it */
	bool is_due;     /* to look again, though there is no news */
};

/* A job whose state does not change can be removed, so that without news its state
 * is looked at once a second. */
static bool has_ended(struct results *results)
{
	if (results->looked == results->news.changes && !results->is_due)
		return false;
	results->looked = results->news.changes;
	results->is_due = false;
	struct pv_arena arena;
	struct pv_job_record job;
	pv_arena_init(&arena);
	bool is_there =
	    pv_jobs_get(results->jobs, NULL, pv_buf_str(&results->id), &arena,
		&job) == PV_JOBS_DONE;
	bool is_over = !is_there || pv_job_state_is_end(job.state);
	pv_arena_finish(&arena);
	return is_over;
}

static void write_event(
    struct results *results, struct pv_str line, struct pv_buf *events)
{
	results->at.offset += line.len + 1;
	pv_buf_append_format(events,
	    "id: %s:%llu:%llu\ndata: ", pv_buf_text(&results->of),
	    (unsigned long long)results->at.generation,
	    (unsigned long long)results->at.offset);
	pv_buf_append(events, line);
	pv_buf_append_text(events, "\n\n");
}

/* Whole lines of what is committed; of one that is longer than a piece, all. False
 * if the file is not there any more. */
static bool read_lines(
    struct results *results, uint64_t length, struct pv_buf *events)
{
	uint64_t left = length - results->at.offset;
	size_t size = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
	struct pv_buf text;
	int file = open(
	    pv_buf_text(&results->path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool is_there = file >= 0 || errno != ENOENT;
	pv_buf_init(&text, LINE_BYTES_MAX);
	while (file >= 0) {
		char *room = pv_buf_reserve(&text, size - text.len);
		ssize_t got = room ? pread(file, room, size - text.len,
					 (off_t)(results->at.offset + text.len))
				   : -1;
		if (got <= 0)
			break;
		text.len += (size_t)got;
		if (memchr(text.ptr, '\n', text.len) || size == left)
			break;
		size = size * 2 < left ? size * 2 : (size_t)left;
	}
	if (file >= 0)
		close(file);
	struct pv_str rest = pv_buf_str(&text);
	size_t end;
	while ((end = pv_str_find(rest, '\n')) != PV_NOT_FOUND) {
		write_event(results, pv_str_head(rest, end), events);
		rest = pv_str_from(rest, end + 1);
	}
	pv_buf_finish(&text);
	return is_there;
}

static void name_file(struct results *results, const char *file)
{
	pv_buf_clear(&results->file);
	pv_buf_clear(&results->path);
	pv_buf_append_text(&results->file, file);
	pv_buf_append_format(
	    &results->path, "%s/%s", pv_buf_text(&results->directory), file);
}

static uint64_t length_of(struct results *results, bool is_over)
{
	const char *directory = pv_buf_text(&results->directory);
	const char *file = pv_buf_text(&results->file);
	return is_over ? pv_result_length_now(directory, file)
		       : pv_jobs_result_length(results->jobs, directory, file,
			     results->news.number);
}

/* Goes on with the journal's next file, once there is something in it: then the one
 * before has its last length, which is looked at once more. */
static uint64_t turn(struct results *results, bool is_over, uint64_t length)
{
	char name[PV_JOURNAL_NAME_MAX];
	struct pv_journal_end end;
	if (!pv_str_equal(pv_buf_str(&results->of), PV_STR("journal")) ||
	    length > results->at.offset)
		return length;
	pv_journal_name_write(results->at.generation + 1, name);
	name_file(results, name);
	uint64_t next_length = length_of(results, is_over);
	if (next_length && pv_journal_end_now(pv_buf_text(&results->directory),
			       results->at.generation, &end)) {
		length = end.length;
		if (length == results->at.offset) {
			results->at = (struct pv_journal_place){
			    .generation = results->at.generation + 1};
			return next_length;
		}
	}
	pv_journal_name_write(results->at.generation, name);
	name_file(results, name);
	return length;
}

static bool fill(void *ctx, struct pv_buf *events)
{
	struct results *results = ctx;
	bool is_over = has_ended(results); /* before the length is looked at */
	uint64_t length = turn(results, is_over, length_of(results, is_over));
	if (length > results->at.offset && !read_lines(results, length, events))
		return false; /* who asks again hears that they are gone */
	results->is_due = results->is_due || is_over; /* to be told the end */
	if (events->len || !is_over)
		return true;
	pv_buf_append_text(events, "event: end\ndata: {}\n\n");
	return false;
}

static void wait_for_job(void *ctx, int64_t most_ms)
{
	struct results *results = ctx;
	uint64_t seen = results->news.number;
	results->news = pv_job_watches_wait(
	    pv_jobs_watches(results->jobs), results->watch, seen, most_ms);
	results->is_due = results->is_due || results->news.number == seen;
}

static void close_results(void *ctx)
{
	struct results *results = ctx;
	pv_job_watches_give(pv_jobs_watches(results->jobs), results->watch);
	struct pv_buf *bufs[] = {&results->id, &results->of, &results->path,
	    &results->directory, &results->file};
	for (size_t i = 0; i < sizeof(bufs) / sizeof(*bufs); i++)
		pv_buf_finish(bufs[i]);
	free(results);
}

static void copy(struct pv_buf *buf, struct pv_str text)
{
	pv_buf_init(buf, SIZE_MAX);
	pv_buf_append(buf, text);
}

void pv_result_stream_begin(struct pv_request *request,
    const struct pv_result_place *place, struct pv_reply *reply)
{
	struct results *results = pv_alloc(sizeof(*results));
	const struct pv_event_source source = {
	    .fill = fill,
	    .wait = wait_for_job,
	    .close = close_results,
	    .ctx = results,
	};
	results->jobs = request->service->jobs;
	results->at = place->at;
	results->is_due = true;
	results->watch =
	    pv_job_watches_take(pv_jobs_watches(results->jobs), place->id);
	results->news = pv_job_watches_wait(
	    pv_jobs_watches(results->jobs), results->watch, 0, 0);
	copy(&results->id, place->id);
	copy(&results->of, pv_str_of(place->of));
	copy(&results->directory, pv_str_of(place->directory));
	pv_buf_init(&results->file, SIZE_MAX);
	pv_buf_init(&results->path, SIZE_MAX);
	name_file(results, place->file);
	pv_event_stream_begin(request, &source, reply);
}
