#include "scope/ports.h"

#include "policy/values/host_pattern.h"
#include "url/blocked_port.h"

/* Whoever writes seeds chooses their names: no stranger can make them
 * collide. */
static const struct pv_hash_key hash_key = {{0x70617661, 0x6e65}};

void pv_scope_ports_init(
    struct pv_scope_ports *ports, const struct pv_policy *policy)
{
	*ports = (struct pv_scope_ports){.policy = policy};
	pv_resolve_table_init(&ports->resolve, &policy->fetch.resolve);
	pv_map_init(&ports->seeds, hash_key);
	pv_arena_init(&ports->arena);
}

void pv_scope_ports_finish(struct pv_scope_ports *ports)
{
	pv_resolve_table_finish(&ports->resolve);
	pv_map_finish(&ports->seeds);
	pv_arena_finish(&ports->arena);
}

/* Of a host under two names, one with a dot at its end, they are one. */
static void write_authority(const struct pv_url *url, struct pv_buf *text)
{
	pv_buf_init(text, SIZE_MAX);
	pv_buf_append(text, pv_host_name_trim(pv_url_host(url)));
	pv_buf_append_format(text, ":%u", (unsigned)pv_url_port(url));
}

void pv_scope_ports_add_seed(
    struct pv_scope_ports *ports, const struct pv_url *url)
{
	struct pv_buf authority;
	if (!pv_port_is_blocked(pv_url_port(url)))
		return;
	write_authority(url, &authority);
	if (!pv_map_get(&ports->seeds, pv_buf_str(&authority)))
		pv_map_add(&ports->seeds,
		    pv_arena_copy(&ports->arena, pv_buf_str(&authority)), 0);
	pv_buf_finish(&authority);
}

static bool is_seed(
    const struct pv_scope_ports *ports, const struct pv_url *url)
{
	struct pv_buf authority;
	write_authority(url, &authority);
	bool is_there = pv_map_get(&ports->seeds, pv_buf_str(&authority));
	pv_buf_finish(&authority);
	return is_there;
}

bool pv_scope_ports_refuse(
    const struct pv_scope_ports *ports, const struct pv_url *url)
{
	struct pv_str host = pv_host_name_trim(pv_url_host(url));
	const struct pv_address *address = pv_url_address(url);
	return pv_port_is_blocked(pv_url_port(url)) && !is_seed(ports, url) &&
	       !pv_resolve_table_get(&ports->resolve, host, address) &&
	       !pv_domains_name(&ports->policy->domains, host, address);
}
