#include "serve/jobs/waiting_hosts.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"

void pv_waiting_hosts_init(
    struct pv_waiting_hosts *hosts, struct pv_hash_key key)
{
	*hosts = (struct pv_waiting_hosts){.count = 0};
	pv_map_init(&hosts->by_name, key);
}

void pv_waiting_hosts_finish(struct pv_waiting_hosts *hosts)
{
	for (size_t i = 0; i < hosts->count; i++)
		free(hosts->items[i]);
	free(hosts->items);
	pv_map_finish(&hosts->by_name);
}

static struct pv_waiting_host *find(
    const struct pv_waiting_hosts *hosts, struct pv_str name)
{
	const uint32_t *place = pv_map_get(&hosts->by_name, name);
	return place ? hosts->items[*place] : NULL;
}

/* NULL where there is no room. */
static struct pv_waiting_host *add(
    struct pv_waiting_hosts *hosts, struct pv_str name)
{
	if (hosts->count == PV_WAITING_HOSTS_MAX)
		return NULL;
	struct pv_waiting_host *host = pv_alloc(sizeof(*host) + name.len);
	char *copy = (char *)(host + 1);
	memcpy(copy, pv_str_bytes(name), name.len);
	host->name = (struct pv_str){copy, name.len};
	pv_map_add(&hosts->by_name, host->name, (uint32_t)hosts->count);
	*PV_ARRAY_PUSH(hosts->items, hosts->count, hosts->size) = host;
	return host;
}

/* The last one takes its place. */
static void drop(struct pv_waiting_hosts *hosts, struct pv_waiting_host *host)
{
	uint32_t place = *pv_map_get(&hosts->by_name, host->name);
	struct pv_waiting_host *last = hosts->items[--hosts->count];
	pv_map_remove(&hosts->by_name, host->name);
	hosts->items[place] = last;
	if (last != host)
		*pv_map_get(&hosts->by_name, last->name) = place;
	free(host);
}

/* A host that is new here has no reason yet. */
static bool is_same_reason(
    const struct pv_waiting_host *host, const struct pavane_host_look *look)
{
	return host->waits_for &&
	       strcmp(host->waits_for, look->waits_for) == 0 &&
	       strcmp(host->given_up, look->given_up) == 0;
}

int64_t pv_waiting_hosts_since(
    const struct pv_waiting_hosts *hosts, struct pv_str name)
{
	const struct pv_waiting_host *host = find(hosts, name);
	return host ? host->since_ms : 0;
}

void pv_waiting_hosts_hear(struct pv_waiting_hosts *hosts, struct pv_str name,
    const struct pavane_host_look *look, int64_t now_ms)
{
	struct pv_waiting_host *host = find(hosts, name);
	bool is_kept = *look->waits_for || *look->given_up || look->is_paused;
	if (!is_kept && host)
		drop(hosts, host);
	if (!is_kept)
		return;
	if (!host)
		host = add(hosts, name);
	if (!host)
		return;
	if (!is_same_reason(host, look))
		host->since_ms = now_ms;
	host->waits_for = look->waits_for;
	host->why = look->waits_why;
	host->given_up = look->given_up;
	host->until_ms = look->until_ms;
	host->failures = look->failures;
	host->is_paused = look->is_paused;
}
