#ifndef PAVANE_SCOPE_GROUND_H
#define PAVANE_SCOPE_GROUND_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/map.h"
#include "policy/policy.h"
#include "url/url.h"

/* The ground that the seeds stand on: their hosts, sites, directories and
 * credentials, as far as the policy asks for them.
 *
 * Seeds are added before anybody asks. Where a seed redirects to becomes known
 * while others ask, and may be added by any thread; it costs nobody a lock as
 * long as there is none. The memory is that of distinct hosts and directories,
 * which are the policy's choice.
 */
struct pv_ground_set {
	struct pv_map hosts; /* with how far their seeds lead */
	struct pv_map sites;
	struct pv_map directories; /* "example.org:8080/a/" */
	struct pv_map ports;       /* "example.org:8080" */
	size_t longest_directory;
	struct pv_map logins; /* "https://user:password@example.org" */
	struct pv_arena arena;
};

struct pv_ground {
	const struct pv_scope_policy *policy; /* outlives the ground */
	struct pv_ground_set seeds;
	struct pv_ground_set redirects;
	struct pv_ground_set heard; /* the same, from a fleet; by one thread */
	uint32_t reach;             /* the furthest of all seeds' */
	atomic_bool has_redirects;
	pthread_rwlock_t lock; /* of redirects */
};

void pv_ground_init(
    struct pv_ground *ground, const struct pv_scope_policy *policy);
void pv_ground_finish(struct pv_ground *ground);

/* `reach` is how many links a crawl may go from it; UINT32_MAX: as many as it
 * likes. */
void pv_ground_add_seed(
    struct pv_ground *ground, const struct pv_url *url, uint32_t reach);

/* Before anything is asked. */
void pv_ground_add_login(struct pv_ground *ground, const struct pv_url *url);

/* Its credentials, which a server chose, are not taken for the seeds'. */
void pv_ground_add_redirect(struct pv_ground *ground, const struct pv_url *url);

/* The same of one that a fleet has told of (fleet/taking/widening.h), on one thread
 * only; whether it is the first that makes the ground wider in that way. */
bool pv_ground_hear_redirect(
    struct pv_ground *ground, const struct pv_url *url);

/* How far the seeds on that host lead; where there are none, all seeds. */
uint32_t pv_ground_reach(
    const struct pv_ground *ground, const struct pv_url *url);

/* Whether a seed has this host. */
bool pv_ground_has_host(struct pv_ground *ground, const struct pv_url *url);

/* Whether a seed's host is of the same site. */
bool pv_ground_has_site(struct pv_ground *ground, const struct pv_url *url);

/* Whether it lies below a seed's path: on its host and port, and below the
 * last slash of the path. */
bool pv_ground_has_above(struct pv_ground *ground, const struct pv_url *url);

/* Whether seeds have its host, but each at another port: not asked of hosts
 * that the policy lists, nor where all are in scope. */
bool pv_ground_has_other_port(
    struct pv_ground *ground, const struct pv_url *url);

/* Whether its credentials are a seed's, for the same scheme, host and port. */
bool pv_ground_has_login(struct pv_ground *ground, const struct pv_url *url);

#endif
