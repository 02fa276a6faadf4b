#include "scope/ports.h"

#include <stddef.h>

#include "policy/values/host_pattern.h"

/* The author of the seeds chooses their names: no stranger can make them
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

/* In their order. */
static const uint16_t blocked[] = {0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22,
    23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
    512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601,
    636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080};

bool pv_port_is_blocked(uint16_t port)
{
	size_t low = 0, high = sizeof(blocked) / sizeof(*blocked);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (blocked[middle] < port)
			low = middle + 1;
		else
			high = middle;
	}
	return low < sizeof(blocked) / sizeof(*blocked) && blocked[low] == port;
}
