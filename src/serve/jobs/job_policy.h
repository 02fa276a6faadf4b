#ifndef PAVANE_SERVE_JOBS_JOB_POLICY_H
#define PAVANE_SERVE_JOBS_JOB_POLICY_H

#include "base/why.h"
#include "policy/values/private_list.h"
#include "store/service/job_store.h"

/* The policy of a job: the owner's profile, and over it what the caller has
 * handed in, as far as a caller may (policy/checks/guest_check.h). */
struct pavane_policy;

struct pv_job_profile {
	const char *file; /* of the owner's policy; NULL: the defaults */
	const struct pv_policy *policy; /* the same, loaded */
	const struct pv_private_list *lent;
	const char *config_dir; /* of the owner, with never.txt; NULL */
};

/* There is always an answer, to be destroyed, which tells its problems; the
 * profile outlives it. */
struct pavane_policy *pv_job_policy_load(
    const struct pv_job_profile *profile, const struct pv_job_record *job);

#endif
