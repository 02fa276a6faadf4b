#ifndef PAVANE_SERVE_FIGURES_FIGURES_H
#define PAVANE_SERVE_FIGURES_FIGURES_H

#include "base/str.h"
#include "pavane/progress.h"

/* What the crawls of a service have done, for /metrics: by job for some, and summed
 * up for the others.
 *
 * What is counted never becomes less while the process lives. A job has figures of
 * its own, over all its runs, as long as there is room: those that have ended for
 * good make room for new ones, the first of them first, and what they counted goes
 * to the others; so does that of a job that is removed. A run that begins when
 * there is no room is one of the others until it has ended. All functions may be
 * called in any thread.
 */
#define PV_FIGURES_JOBS_MAX 100

/* Statuses by their first digit; those of none that HTTP knows are at 0. */
#define PV_FIGURES_CLASSES 6

struct pv_counted {
	uint64_t requests;
	uint64_t pages;
	uint64_t bytes;
	uint64_t classes[PV_FIGURES_CLASSES];
	struct pavane_spread lateness;
	struct pavane_spread commit;
};

/* How things are at this moment; of a job without a run all is 0. */
struct pv_momentary {
	uint64_t pending;
	uint64_t done;
	uint64_t refused;
	uint64_t failed;
	uint64_t in_flight;
	uint64_t open;
	uint64_t hosts;
	uint64_t hosts_waiting;
	struct pavane_tallies waiting;
	struct pavane_tallies refusals;
};

struct pv_job_figures {
	struct pv_str job; /* its id; "other" for all others */
	struct pv_counted counted;
	struct pv_momentary now;
};

struct pv_figures;
struct pv_run_figures;

struct pv_figures *pv_figures_create(void);

/* When no run is left. NULL is fine. */
void pv_figures_destroy(struct pv_figures *figures);

/* A run of a job begins, tells, and has ended. NULL in the place of the figures
 * counts nothing, and gives NULL, which is fine below. */
struct pv_run_figures *pv_figures_begin(
    struct pv_figures *figures, struct pv_str job, struct pv_str owner);
void pv_figures_hear(
    struct pv_run_figures *run, const struct pavane_progress *progress);
void pv_figures_end(struct pv_run_figures *run);

/* The job has ended for good: no run of it begins any more. It was removed. */
void pv_figures_settle(struct pv_figures *figures, struct pv_str job);
void pv_figures_forget(struct pv_figures *figures, struct pv_str job);

/* Each job that has figures of its own, and then the others, if there are any, until
 * the function returns false. Of one owner's jobs alone, with those of everybody
 * else among the others; or with NULL of all. */
typedef bool (*pv_job_figures_fn)(
    void *ctx, const struct pv_job_figures *figures);
void pv_figures_each(struct pv_figures *figures, const struct pv_str *owner,
    pv_job_figures_fn fn, void *ctx);

#endif
