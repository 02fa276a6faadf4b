#ifndef PAVANE_POLICY_SHARD_H
#define PAVANE_POLICY_SHARD_H

#include "policy/policy.h"

/* A crawl that is divided among several machines which do not know each other:
 * each asks only the hosts of its own shard.
 *
 * A host belongs to the shard that the keyed hash of its clock's name gives,
 * modulo the number of shards. The clock is what its pace is kept by: its own
 * name, or the pattern that it shares one with (policy/domains.h). So hosts that
 * share a clock belong to one shard, and only one machine keeps that clock.
 *
 * The key is a constant of this purpose. The machines never talk, and not all
 * policies have a name from which one could be made; and nothing is gained by a
 * secret one: who chooses names of hosts so that they fall to one shard makes
 * one machine work longer, within all its limits. What must be the same on all
 * machines is the number of shards and the policy's domain table.
 */
#define PV_SHARDS_MAX 1000

struct pv_shard {
	uint32_t number; /* from 1 */
	uint32_t count;  /* 0: the crawl is not divided */
};

/* Reads "2/4"; false, with nothing changed, if it is none. */
bool pv_shard_read(struct pv_str text, struct pv_shard *shard);

/* Says of a text that it is none. */
void pv_shard_tell(const char *text, struct pv_why *why);

/* The shard, from 1, of `count`, that the host belongs to. */
uint32_t pv_shard_of(
    const struct pv_policy *policy, uint32_t count, struct pv_str host);

/* The shard that the host belongs to, if that is another one; else 0. */
uint32_t pv_shard_elsewhere(const struct pv_policy *policy,
    const struct pv_shard *shard, struct pv_str host);

#endif
