#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/reader.h"
#include "record/journal_name.h"
#include "serve/http/problem.h"
#include "serve/routes/answer.h"
#include "url/percent.h"

/* What a job has stored: journal, changes, rows and the mirror. A stranger wrote
 * what is in the mirror, so that a browser is told to run nothing of it. */

#define PATH_MAX_BYTES ((size_t)16384)

static const char *const tops[] = {"changes.jsonl", "fields", "site", NULL};

static bool is_top(struct pv_str part)
{
	uint64_t generation;
	if (pv_journal_name_read(part, &generation))
		return true;
	for (size_t i = 0; tops[i]; i++) {
		if (pv_str_equal(part, pv_str_of(tops[i])))
			return true;
	}
	return false;
}

/* A part of the path: empty if it is none that a file may have. */
static const char *name_of(struct pv_str part, struct pv_arena *arena)
{
	bool is_right = part.len && !memchr(part.ptr, '\0', part.len) &&
			!pv_str_equal(part, PV_STR(".")) &&
			!pv_str_equal(part, PV_STR(".."));
	return is_right ? pv_arena_text(arena, part) : "";
}

/* Part by part, so that no link leads out. Negative if there is no such file. */
static int open_parts(
    const char *directory, struct pv_str path, struct pv_arena *arena)
{
	struct pv_reader reader = pv_reader_of(path);
	int place = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool is_first = true;
	while (place >= 0 && pv_reader_rest(&reader).len) {
		struct pv_str part = pv_reader_take_until(&reader, '/');
		bool is_last = !pv_reader_accept(&reader, '/');
		const char *name = name_of(part, arena);
		int below = -1;
		if (*name && (!is_first || is_top(pv_str_of(name))))
			below = openat(place, name,
			    O_CLOEXEC | O_NOFOLLOW |
				(is_last ? O_RDONLY | O_NONBLOCK
					 : O_PATH | O_DIRECTORY));
		close(place);
		place = below;
		is_first = false;
	}
	if (is_first && place >= 0) {
		close(place);
		return -1;
	}
	return place;
}

/* The slashes may be encoded as well: programs that were made of our description
 * send a path as one parameter. */
static int open_below(
    const char *directory, struct pv_str path, struct pv_arena *arena)
{
	struct pv_buf decoded;
	pv_buf_init(&decoded, PATH_MAX_BYTES);
	pv_percent_decode(&decoded, path);
	int file = decoded.is_full
		       ? -1
		       : open_parts(directory, pv_buf_str(&decoded), arena);
	pv_buf_finish(&decoded);
	return file;
}

static void give(int file, const char *name, struct pv_reply *reply)
{
	struct stat facts;
	if (file < 0 || fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
		if (file >= 0)
			close(file);
		pv_problem_reply(reply, 404, "there is no such file");
		return;
	}
	reply->file = file;
	reply->length = (uint64_t)facts.st_size;
	reply->type = "application/octet-stream";
	pv_reply_header(
	    reply, "Content-Security-Policy", "sandbox; default-src 'none'");
	pv_reply_header(reply, "Content-Disposition", name);
}

void pv_route_give_file(struct pv_request *request, const char *directory,
    struct pv_str path, struct pv_reply *reply)
{
	give(open_below(directory, path, request->arena), "attachment", reply);
}

void pv_route_files(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_jobs *jobs = request->service->jobs;
	struct pv_job_record job;
	struct pv_buf directory;
	if (!pv_route_is_done(request,
		pv_jobs_get(
		    jobs, request->owner, request->id, request->arena, &job),
		reply))
		return;
	pv_buf_init(&directory, SIZE_MAX);
	pv_jobs_write_directory(jobs, job.id, &directory);
	pv_route_give_file(
	    request, pv_buf_text(&directory), request->rest, reply);
	pv_buf_finish(&directory);
}
