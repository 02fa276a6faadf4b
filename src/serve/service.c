#include "serve/service.h"

#include "base/system.h"
#include "serve/jobs/job_policy.h"

bool pv_service_admits(struct pv_service *service,
    const struct pv_exchange *exchange, unsigned scope, struct pv_who *who,
    struct pv_reply *reply)
{
	*who = pv_access_judge(service->access, exchange, scope,
	    pv_time_now().monotonic_ms, reply);
	return who->may;
}

bool pv_service_log_in(
    struct pv_service *service, struct pv_str token, struct pv_reply *reply)
{
	return pv_access_log_in(
	    service->access, token, pv_time_now().monotonic_ms, reply);
}

bool pv_service_is_draining(const struct pv_service *service)
{
	return atomic_load(&service->is_draining);
}

static const struct pv_profile *find_profile(
    const struct pv_service *service, struct pv_str name)
{
	return pv_service_config_profile(
	    service->config, name.len ? name : PV_STR("default"));
}

bool pv_service_has_profile(
    const struct pv_service *service, struct pv_str name)
{
	return find_profile(service, name);
}

struct pavane_policy *pv_service_load_policy(
    const struct pv_service *service, const struct pv_job_record *job)
{
	const struct pv_profile *profile = find_profile(service, job->profile);
	/* A profile that was removed from the configuration since then is
	 * replaced by the default one. */
	if (!profile)
		profile = find_profile(service, PV_STR(""));
	const struct pv_job_profile plan = {
	    .file = profile->file,
	    .policy = profile->policy,
	    .lent = &service->lent,
	    .config_dir = service->config_dir,
	};
	return pv_job_policy_load(&plan, job);
}

/* Of it nothing but the addresses themselves is wanted. */
struct pavane_policy *pv_service_load_standing(const struct pv_service *service,
    struct pv_str profile, struct pv_str first_url)
{
	const struct pv_job_record job = {
	    .profile = profile,
	    .policy = PV_STR(""),
	    .urls = first_url,
	    .settings = PV_STR("scope.depth=0"),
	    .labels = PV_STR(""),
	};
	return pv_service_load_policy(service, &job);
}
