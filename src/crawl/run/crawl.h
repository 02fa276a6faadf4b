#ifndef PAVANE_CRAWL_RUN_CRAWL_H
#define PAVANE_CRAWL_RUN_CRAWL_H

#include "base/why.h"
#include "crawl/progress/counters.h"
#include "pavane/pavane.h"
#include "schedule/scheduler.h"

/* A crawl: a policy, a directory, and a loop that carries the one out in the
 * other until it ends. All that happens in between is in the files of this
 * room (conductor.h names them). */
struct pv_crawl;
struct pv_policy;
struct pv_environment;

/* Opens the crawl's directory and all that is needed; NULL, with the reason, if
 * that cannot be done. The policy outlives it; options are copied, the
 * directory's name is not, and state_dir and sinks are needed only for the call.
 * Outside of tests its environment are the real ones (crawl/environment.h). */
struct pv_crawl *pv_crawl_open(const struct pv_policy *policy,
    const struct pavane_crawl_options *options,
    const struct pv_environment *around, struct pv_why *why);
void pv_crawl_close(struct pv_crawl *crawl);

/* The same for who ends: memory and connections are left as they are. */
void pv_crawl_leave(struct pv_crawl *crawl);

/* What a run takes along when its crawl is closed and opened again in the midst
 * of it: its rate, and all that it has counted. */
struct pv_crawl_course {
	struct pv_scheduler scheduler;
	struct pv_counters counters;
	int64_t paused_ms;
	int64_t run;  /* its number */
	int64_t wish; /* of a fleet's worker, as of an environment */
};

struct pv_crawl_course pv_crawl_course_of(const struct pv_crawl *crawl);
void pv_crawl_go_on(
    struct pv_crawl *crawl, const struct pv_crawl_course *course);

/* Whether it has ended in order to be opened again (settings.h). */
bool pv_crawl_has_changed(const struct pv_crawl *crawl);

#endif
