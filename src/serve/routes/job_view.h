#ifndef PAVANE_SERVE_ROUTES_JOB_VIEW_H
#define PAVANE_SERVE_ROUTES_JOB_VIEW_H

#include "serve/jobs/jobs.h"

/* A job as callers see it. */
struct pv_json;

/* All that is known of it: {id, state, profile, policy, urls, set, labels,
 * created, started, ended, end, progress, held_by}. */
struct pv_json *pv_job_view(
    struct pv_jobs *jobs, const struct pv_job_record *job);

/* The same for a list, without what was handed in and how far it is. */
struct pv_json *pv_job_view_brief(const struct pv_job_record *job);

/* Adds how far it is, as {progress, held_by}. Not while jobs are gone through. */
void pv_job_view_add_progress(struct pv_json *view, struct pv_jobs *jobs,
    const struct pv_job_record *job);

#endif
