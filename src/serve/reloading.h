#ifndef PAVANE_SERVE_RELOADING_H
#define PAVANE_SERVE_RELOADING_H

#include "serve/service.h"

/* What a service takes from its configuration, when it is opened and whenever the
 * file is read again (pavane_service_reload).
 *
 * A file with mistakes changes nothing. The directory and where the service listens
 * stay as they were; all else holds for what comes from then on: jobs that run keep
 * the policy that they began with. */
struct pavane_service {
	struct pv_service inside;
};

struct pv_config_sources pv_reloading_sources(
    const struct pavane_serve_options *options);

/* Each problem, to on_line. */
void pv_reloading_tell(
    const struct pavane_serve_options *options, const struct pv_why *why);

/* The tokens that the setup names; false, with the reason, if they cannot be read,
 * or there is none where there has to be. */
bool pv_reloading_read_tokens(const struct pv_service *service,
    const struct pv_setup *setup, struct pv_tokens *tokens, struct pv_why *why);

/* The names of the service, borrowed from the setup and from that with which it was
 * opened. */
struct pv_host_names pv_reloading_names(
    const struct pv_service *service, const struct pv_setup *setup);

/* Fills in the limits, and tells where the system holds them lower. */
void pv_reloading_limits(const struct pv_service *service,
    const struct pv_setup *setup, struct pv_jobs_plan *plan);
struct pv_fetches_limits pv_reloading_fetch_limits(
    const struct pv_setup *setup);

#endif
