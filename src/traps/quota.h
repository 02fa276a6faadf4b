#ifndef PAVANE_TRAPS_QUOTA_H
#define PAVANE_TRAPS_QUOTA_H

#include "base/key_table.h"

/* So many of a kind for each of those that they belong to, and no more: session
 * identifiers of a host, hosts of a site.
 *
 * Who and what is known by hashes that nobody outside can steer. There is a
 * ceiling to what is remembered: beyond it new ones are not counted any more,
 * and those that have had their quota have had it.
 */
#define PV_QUOTA_CEILING ((size_t)1 << 20)

struct pv_quota_entry {
	uint64_t owner;
	uint64_t member;
};

struct pv_quota {
	struct pv_key_table members;
	struct pv_key_table owners; /* with how many they have */
	int64_t most;               /* for each; PV_NONE: nothing is counted */
	bool is_full;

	/* what was added, for who keeps it */
	bool is_gathering;
	struct pv_quota_entry *added;
	size_t added_count;
	size_t added_size;
};

void pv_quota_init(struct pv_quota *quota, int64_t most);
void pv_quota_finish(struct pv_quota *quota);

bool pv_quota_is_on(const struct pv_quota *quota);

/* Whether that one is among those of its owner. */
static inline bool pv_quota_has(const struct pv_quota *quota, uint64_t member)
{
	return pv_key_table_has(&quota->members, member);
}

/* Whether the owner may have one more. */
bool pv_quota_has_room(const struct pv_quota *quota, uint64_t owner);

/* One more, unless it is there, whether or not there is room: what a person
 * names counts as well. */
void pv_quota_add(struct pv_quota *quota, uint64_t owner, uint64_t member);

#endif
