#include "serve/fetches/disk_limit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "policy/policy.h"
#include "serve/fetches/fetch_course.h"
#include "serve/jobs/job_files.h"

/* Between two looks: at least so long, and so many times as long as one took. */
#define REST_MS 5000
#define REST_TIMES 20

bool pv_disk_limit_admits(
    const struct pv_fetches *fetches, struct pv_str profile)
{
	for (size_t i = 0; i < fetches->full_count; i++) {
		if (pv_str_equal(pv_str_of(fetches->full[i]), profile))
			return false;
	}
	return true;
}

void pv_disk_limit_forget(struct pv_fetches *fetches)
{
	for (size_t i = 0; i < fetches->full_count; i++)
		free(fetches->full[i]);
	fetches->full_count = 0;
}

static void note_full(struct pv_fetches *fetches, struct pv_str profile)
{
	char *name = pv_alloc(profile.len + 1);
	memcpy(name, pv_str_bytes(profile), profile.len);
	*PV_ARRAY_PUSH(fetches->full, fetches->full_count, fetches->full_size) =
	    name;
}

/* The crawl is the keeper's, which drops it once it has ended. */
static void end(struct pv_fetches *fetches, struct pv_standing *standing)
{
	struct pv_buf why, line;
	pv_buf_init(&why, SIZE_MAX);
	pv_buf_init(&line, SIZE_MAX);
	pv_buf_append_format(&why,
	    "the crawl of its profile takes more than the %lld bytes that "
	    "jobs.disk allows",
	    (long long)fetches->plan.limits.disk);
	pv_buf_append_format(&line,
	    "%.*s takes more than the %lld bytes that jobs.disk allows: it takes "
	    "no further addresses until that is raised and the configuration is "
	    "read again",
	    PV_STR_ARG(pv_job_run_id(standing->run)),
	    (long long)fetches->plan.limits.disk);
	note_full(fetches, standing->profile);
	standing->is_outdated = true;
	pv_job_run_stop(standing->run);
	pv_fetch_course_fail_all(
	    fetches, standing->profile, false, pv_buf_str(&why));
	pthread_mutex_unlock(&fetches->mutex);
	fetches->plan.on_line(
	    fetches->plan.line_ctx, PAVANE_WARNING, pv_buf_text(&line));
	pthread_mutex_lock(&fetches->mutex);
	pv_buf_finish(&line);
	pv_buf_finish(&why);
}

/* Only the keeper adds and removes crawls, so that these stay as they are. */
static void look_at(struct pv_fetches *fetches, struct pv_standing *standing)
{
	pthread_mutex_unlock(&fetches->mutex);
	uint64_t bytes = pv_files_bytes(pv_buf_text(&standing->directory));
	pthread_mutex_lock(&fetches->mutex);
	int64_t disk = fetches->plan.limits.disk;
	if (disk != PV_NONE && bytes > (uint64_t)disk &&
	    !fetches->is_draining && !standing->is_outdated &&
	    pv_disk_limit_admits(fetches, standing->profile))
		end(fetches, standing);
}

void pv_disk_limit_look(struct pv_fetches *fetches)
{
	int64_t now_ms = fetches->plan.ticks_ms(fetches->plan.ctx);
	if (fetches->plan.limits.disk == PV_NONE || now_ms < fetches->look_ms)
		return;
	for (size_t i = 0; i < fetches->standing_count; i++)
		look_at(fetches, fetches->standing[i]);
	int64_t end_ms = fetches->plan.ticks_ms(fetches->plan.ctx);
	fetches->look_ms = end_ms + REST_MS + REST_TIMES * (end_ms - now_ms);
}
