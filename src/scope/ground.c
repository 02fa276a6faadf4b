#include "scope/ground.h"

#include "policy/values/host_pattern.h"
#include "url/site.h"

/* Only texts from seeds are in the maps: the author of the policy chooses them.
 */
static const struct pv_hash_key hash_key = {{0x70617661, 0x6e65}};

static void init_set(struct pv_ground_set *set)
{
	pv_map_init(&set->hosts, hash_key);
	pv_map_init(&set->sites, hash_key);
	pv_map_init(&set->directories, hash_key);
	pv_map_init(&set->ports, hash_key);
	pv_map_init(&set->logins, hash_key);
	pv_arena_init(&set->arena);
}

static void finish_set(struct pv_ground_set *set)
{
	pv_map_finish(&set->hosts);
	pv_map_finish(&set->sites);
	pv_map_finish(&set->directories);
	pv_map_finish(&set->ports);
	pv_map_finish(&set->logins);
	pv_arena_finish(&set->arena);
}

void pv_ground_init(
    struct pv_ground *ground, const struct pv_scope_policy *policy)
{
	*ground = (struct pv_ground){.policy = policy};
	init_set(&ground->seeds);
	init_set(&ground->redirects);
	init_set(&ground->heard);
	pthread_rwlock_init(&ground->lock, NULL);
}

void pv_ground_finish(struct pv_ground *ground)
{
	pthread_rwlock_destroy(&ground->lock);
	finish_set(&ground->heard);
	finish_set(&ground->redirects);
	finish_set(&ground->seeds);
}

/* What the questions are asked with. */

static struct pv_str host_of(const struct pv_url *url)
{
	return pv_host_name_trim(pv_url_host(url));
}

static struct pv_str directory_of(const struct pv_url *url)
{
	size_t end = pv_str_find_last(pv_url_path(url), '/') + 1;
	return pv_url_between(url, url->parts.host, url->parts.path + end);
}

/* A port that the scheme means anyhow is not in it. */
static struct pv_str port_of(const struct pv_url *url)
{
	return pv_url_between(url, url->parts.host, url->parts.path);
}

static struct pv_str login_of(const struct pv_url *url)
{
	return pv_url_between(url, 0, url->parts.path);
}

/* Adding. */

/* False if it is there already. */
static bool add(
    struct pv_ground_set *set, struct pv_map *map, struct pv_str text)
{
	return !pv_map_get(map, text) &&
	       pv_map_add(map, pv_arena_copy(&set->arena, text), 0);
}

static bool add_directory(struct pv_ground_set *set, struct pv_str directory)
{
	if (set->longest_directory < directory.len)
		set->longest_directory = directory.len;
	return add(set, &set->directories, directory);
}

/* Whether anything of it is new. */
static bool add_place(struct pv_ground_set *set,
    const struct pv_scope_policy *policy, const struct pv_url *url)
{
	enum pv_scope_hosts hosts = policy->hosts.kind;
	bool is_by_host = hosts == PV_HOSTS_SAME || hosts == PV_HOSTS_SITE;
	bool is_new = is_by_host && add(set, &set->hosts, host_of(url));
	if (is_new && hosts == PV_HOSTS_SITE)
		add(set, &set->sites, pv_site_of(host_of(url)));
	if (policy->below) {
		is_new = add_directory(set, directory_of(url)) || is_new;
		is_new = add(set, &set->ports, port_of(url)) || is_new;
	}
	return is_new;
}

static void extend_reach(uint32_t *known, uint32_t reach)
{
	if (reach > *known)
		*known = reach;
}

void pv_ground_add_seed(
    struct pv_ground *ground, const struct pv_url *url, uint32_t reach)
{
	add_place(&ground->seeds, ground->policy, url);
	extend_reach(&ground->reach, reach);
	uint32_t *of_host = pv_map_get(&ground->seeds.hosts, host_of(url));
	if (of_host)
		extend_reach(of_host, reach);
	pv_ground_add_login(ground, url);
}

void pv_ground_add_login(struct pv_ground *ground, const struct pv_url *url)
{
	if (pv_url_has_credentials(url))
		add(&ground->seeds, &ground->seeds.logins, login_of(url));
}

void pv_ground_add_redirect(struct pv_ground *ground, const struct pv_url *url)
{
	pthread_rwlock_wrlock(&ground->lock);
	add_place(&ground->redirects, ground->policy, url);
	atomic_store(&ground->has_redirects, true);
	pthread_rwlock_unlock(&ground->lock);
}

/* Whether a seed says all that its address does. */
static bool is_of_seeds(
    const struct pv_ground *ground, const struct pv_url *url)
{
	const struct pv_ground_set *seeds = &ground->seeds;
	if (ground->policy->below &&
	    (!pv_map_get(&seeds->directories, directory_of(url)) ||
		!pv_map_get(&seeds->ports, port_of(url))))
		return false;
	return pv_map_get(&seeds->hosts, host_of(url)) ||
	       (ground->policy->hosts.kind != PV_HOSTS_SAME &&
		   ground->policy->hosts.kind != PV_HOSTS_SITE);
}

bool pv_ground_hear_redirect(struct pv_ground *ground, const struct pv_url *url)
{
	pv_ground_add_redirect(ground, url);
	return add_place(&ground->heard, ground->policy, url) &&
	       !is_of_seeds(ground, url);
}

/* Asking. */

static bool has_host(const struct pv_ground_set *set, const struct pv_url *url)
{
	return pv_map_get(&set->hosts, host_of(url)) != NULL;
}

/* Longer names have no site but themselves. */
#define SITE_MAX_BYTES ((size_t)253)

/* Of the sites that the name ends in, only the longest can be its own. */
static bool has_site(const struct pv_ground_set *set, const struct pv_url *url)
{
	struct pv_str host = host_of(url), end = host;
	if (has_host(set, url))
		return true;
	while (end.len > SITE_MAX_BYTES || !pv_map_get(&set->sites, end)) {
		size_t dot = pv_str_find(end, '.');
		if (dot == PV_NOT_FOUND)
			return false;
		end = pv_str_from(end, dot + 1);
	}
	return pv_site_holds(end, host);
}

static bool has_port(const struct pv_ground_set *set, const struct pv_url *url)
{
	return pv_map_get(&set->ports, port_of(url)) != NULL;
}

/* From the longest directory that can be a seed's to the root. */
static bool has_above(const struct pv_ground_set *set, const struct pv_url *url)
{
	struct pv_str directory = directory_of(url);
	size_t root = url->parts.path - url->parts.host + 1;
	if (directory.len > set->longest_directory)
		directory.len = set->longest_directory;
	while (directory.len >= root) {
		directory.len = pv_str_find_last(directory, '/') + 1;
		if (pv_map_get(&set->directories, directory))
			return true;
		directory.len--;
	}
	return false;
}

static bool has_either(struct pv_ground *ground, const struct pv_url *url,
    bool (*has)(const struct pv_ground_set *, const struct pv_url *))
{
	if (has(&ground->seeds, url))
		return true;
	if (!atomic_load(&ground->has_redirects))
		return false;
	pthread_rwlock_rdlock(&ground->lock);
	bool is_there = has(&ground->redirects, url);
	pthread_rwlock_unlock(&ground->lock);
	return is_there;
}

uint32_t pv_ground_reach(
    const struct pv_ground *ground, const struct pv_url *url)
{
	const uint32_t *of_host =
	    pv_map_get(&ground->seeds.hosts, host_of(url));
	return of_host ? *of_host : ground->reach;
}

bool pv_ground_has_host(struct pv_ground *ground, const struct pv_url *url)
{
	return has_either(ground, url, has_host);
}

bool pv_ground_has_site(struct pv_ground *ground, const struct pv_url *url)
{
	return has_either(ground, url, has_site);
}

bool pv_ground_has_above(struct pv_ground *ground, const struct pv_url *url)
{
	return has_either(ground, url, has_above);
}

bool pv_ground_has_other_port(
    struct pv_ground *ground, const struct pv_url *url)
{
	return pv_ground_has_host(ground, url) &&
	       !has_either(ground, url, has_port);
}

bool pv_ground_has_login(struct pv_ground *ground, const struct pv_url *url)
{
	return pv_map_get(&ground->seeds.logins, login_of(url)) != NULL;
}
