#include "serve/service.h"

#include "api/policy_object.h"
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

struct pv_setup *pv_service_take_setup(struct pv_service *service)
{
	pthread_mutex_lock(&service->mutex);
	struct pv_setup *setup = pv_setup_take(service->setup);
	pthread_mutex_unlock(&service->mutex);
	return setup;
}

static const struct pv_profile *find_profile(
    const struct pv_setup *setup, struct pv_str name)
{
	return pv_service_config_profile(
	    setup->config, name.len ? name : PV_STR("default"));
}

bool pv_service_has_profile(struct pv_service *service, struct pv_str name)
{
	struct pv_setup *setup = pv_service_take_setup(service);
	bool has_it = find_profile(setup, name);
	pv_setup_give(setup);
	return has_it;
}

static void give_back(void *setup)
{
	pv_setup_give(setup);
}

/* The policy borrows from the setup, which it gives back, as long as it is there. */
static struct pavane_policy *load_policy(const struct pv_service *service,
    struct pv_setup *setup, const struct pv_profile *profile,
    const struct pv_job_record *job)
{
	const struct pv_job_profile plan = {
	    .file = profile->file,
	    .policy = profile->policy,
	    .lent = &setup->lent,
	    .config_dir = service->config_dir,
	};
	struct pavane_policy *policy = pv_job_policy_load(&plan, job);
	policy->borrowed = setup;
	policy->give_back = give_back;
	return policy;
}

struct pavane_policy *pv_service_load_policy(
    struct pv_service *service, const struct pv_job_record *job)
{
	struct pv_setup *setup = pv_service_take_setup(service);
	const struct pv_profile *profile = find_profile(setup, job->profile);
	/* A profile that was removed from the configuration since then is
	 * replaced by the default one. */
	if (!profile)
		profile = find_profile(setup, PV_STR(""));
	return load_policy(service, setup, profile, job);
}

/* Of it nothing but the addresses themselves is wanted. It has no end, so that what
 * bounds a crawl as a whole would end all that come later; how many may be asked for
 * the queue bounds. */
struct pavane_policy *pv_service_load_standing(
    struct pv_service *service, struct pv_str profile_name, struct pv_str url)
{
	const struct pv_job_record job = {
	    .profile = profile_name,
	    .policy = PV_STR(""),
	    .urls = url,
	    .settings = PV_STR("scope.depth=0"),
	    .labels = PV_STR(""),
	};
	struct pv_setup *setup = pv_service_take_setup(service);
	const struct pv_profile *profile = find_profile(setup, profile_name);
	if (!profile) {
		pv_setup_give(setup);
		return NULL;
	}
	struct pavane_policy *loaded =
	    load_policy(service, setup, profile, &job);
	if (loaded->policy) {
		struct pv_limits *limits = &loaded->policy->limits;
		limits->pages = limits->bytes = limits->known = PV_NONE;
		limits->host_pages = limits->host_bytes = PV_NONE;
		limits->time_ms = limits->wait_ms = PV_NONE;
		/* Rows are read in these files. */
		loaded->policy->output.fields.forms |= PV_FIELDS_JSONL;
	}
	return loaded;
}
