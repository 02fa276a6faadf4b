#include "serve/routes/job_view.h"

#include <string.h>

#include "base/json/json.h"
#include "base/reader.h"
#include "serve/routes/answer.h"

#define PROGRESS_MAX ((size_t)1 << 20)

static void set_time(struct pv_json *view, const char *name, int64_t ms)
{
	if (ms)
		pv_json_set(view, name, pv_route_time(ms));
}

static void set_text(struct pv_json *view, const char *name, struct pv_str text)
{
	if (text.len)
		pv_json_set(view, name, pv_json_text(text));
}

static void set_lines(
    struct pv_json *view, const char *name, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_json *lines = pv_json_array();
	while (pv_reader_rest(&reader).len) {
		pv_json_add(
		    lines, pv_json_text(pv_reader_take_until(&reader, '\n')));
		pv_reader_accept(&reader, '\n');
	}
	if (pv_json_count(lines))
		pv_json_set(view, name, lines);
	else
		pv_json_destroy(lines);
}

struct pv_json *pv_job_view_brief(const struct pv_job_record *job)
{
	struct pv_json *view = pv_json_object();
	set_text(view, "id", job->id);
	pv_json_set_text(view, "state", pv_job_state_word(job->state));
	set_text(view, "owner", job->owner);
	set_text(view, "profile", job->profile);
	set_text(view, "webhook", job->webhook);
	struct pv_json *labels = pv_json_read(job->labels);
	if (labels)
		pv_json_set(view, "labels", labels);
	set_time(view, "created", job->created_ms);
	set_time(view, "started", job->started_ms);
	set_time(view, "ended", job->ended_ms);
	if (pv_job_state_is_end(job->state))
		set_text(view, "end", job->reason);
	return view;
}

static void append(void *ctx, const char *text, size_t len)
{
	pv_buf_append(ctx, (struct pv_str){text, len});
}

static void ignore(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	(void)line;
}

/* Of one that runs from its crawl; of another from its directory. */
static void write_progress(
    struct pv_jobs *jobs, const struct pv_job_record *job, struct pv_buf *json)
{
	struct pv_buf directory;
	pv_jobs_write_progress(jobs, job->id, json);
	if (json->len || !job->started_ms)
		return;
	pv_buf_init(&directory, SIZE_MAX);
	pv_jobs_write_directory(jobs, job->id, &directory);
	struct pavane_status *status =
	    pavane_status_read(pv_buf_text(&directory), ignore, NULL);
	if (status)
		pavane_progress_write_json(status->progress, append, json);
	pavane_status_destroy(status);
	pv_buf_finish(&directory);
}

/* What keeps it from its requests comes before what bounds its pace. */
static struct pv_str held_by(const struct pv_json *progress)
{
	struct pv_str note = pv_json_get_text(progress, "note");
	return note.len ? note : pv_json_get_text(progress, "held_by");
}

/* What a caller asks for first; all else is in its progress. */
static struct pv_json *counts_of(const struct pv_json *progress)
{
	static const char *const names[] = {"known", "pending", "done",
	    "refused", "failed", "requests", "pages", "bytes"};
	struct pv_json *counts = pv_json_object();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		pv_json_set(counts, names[i],
		    pv_json_integer(
			pv_json_get_integer(progress, names[i], 0)));
	return counts;
}

void pv_job_view_add_progress(
    struct pv_json *view, struct pv_jobs *jobs, const struct pv_job_record *job)
{
	struct pv_buf text;
	pv_buf_init(&text, PROGRESS_MAX);
	write_progress(jobs, job, &text);
	struct pv_json *progress = pv_json_read(pv_buf_str(&text));
	pv_buf_finish(&text);
	if (!progress)
		return;
	if (job->state == PV_JOB_RUNNING)
		set_text(view, "held_by", held_by(progress));
	pv_json_set(view, "counts", counts_of(progress));
	pv_json_set(view, "progress", progress);
}

struct pv_json *pv_job_view(
    struct pv_jobs *jobs, const struct pv_job_record *job)
{
	struct pv_json *view = pv_job_view_brief(job);
	set_text(view, "policy", job->policy);
	set_lines(view, "urls", job->urls);
	set_lines(view, "set", job->settings);
	pv_job_view_add_progress(view, jobs, job);
	return view;
}
