#ifndef PAVANE_POLICY_VALUES_HOST_INDEX_H
#define PAVANE_POLICY_VALUES_HOST_INDEX_H

#include "base/arena.h"
#include "base/map.h"
#include "policy/values/host_pattern.h"

/* Host patterns with a number each, and the question which of them a host
 * matches, the most specific first: exact name, longest name with a star,
 * longest address prefix.
 *
 * A question costs a look-up for each label of the name and for each length of
 * prefix in use, however many patterns there are.
 */
struct pv_host_index {
	struct pv_map exact;
	struct pv_map below;
	struct pv_map networks;
	uint64_t prefixes[2][3]; /* a bit a length in use: IPv4, IPv6 */
};

/* A name has at most 127 labels; an address lies in at most 129 prefixes. */
#define PV_HOST_MATCHES_MAX (1 + 127 + 129)

void pv_host_index_init(struct pv_host_index *index);
void pv_host_index_finish(struct pv_host_index *index);

/* Adds a pattern whose name, like a network's key, is copied into the arena.
 * False if it is there already; `number` is then the one that it has. */
bool pv_host_index_add(struct pv_host_index *index, struct pv_arena *arena,
    const struct pv_host_pattern *pattern, uint32_t *number);

/* The numbers of all patterns that match a canonical host name and, where it
 * is known, its address; returns how many. */
size_t pv_host_index_find(const struct pv_host_index *index, struct pv_str host,
    const struct pv_address *address, uint32_t numbers[PV_HOST_MATCHES_MAX]);

#endif
