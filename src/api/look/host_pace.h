#ifndef PAVANE_API_LOOK_HOST_PACE_H
#define PAVANE_API_LOOK_HOST_PACE_H

#include "api/look/explained.h"
#include "api/policy_object.h"

/* The clocks of a host in a crawl that runs or does not, whatever address is asked
 * for: what lies between two requests, and what holds the host until when, each
 * with where it comes from, as `pavane explain` says it of one address. It reads the
 * crawl's directory and the policy, which does not change; from any thread. */

/* Adds the lines. `authority` is the host with its scheme and port, such as
 * "https://example.org:8443". False if there is no crawl in the directory, or it
 * cannot be read. */
bool pv_host_pace_explain(const struct pavane_policy *policy,
    const char *directory, struct pv_str authority, int64_t wall_ms,
    struct pv_explained *explained);

#endif
