#include "fleet/beats/members.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "policy/policy.h"

/* So much of a ttl may go by between two answers of the database: who beats three
 * times in it has been heard at least once. */
#define SILENCE(ttl_ms) ((ttl_ms)*2 / 3)

/* To have its share back takes a worker an interval or two: little of that time. */
#define RESTING(interval_ms) (10 * (interval_ms))

void pv_fleet_members_init(struct pv_fleet_members *members, int64_t ttl_ms)
{
	*members = (struct pv_fleet_members){.ttl_ms = ttl_ms, .heard_ms = -1};
}

void pv_fleet_members_finish(struct pv_fleet_members *members)
{
	free(members->items);
}

void pv_fleet_members_enter(struct pv_fleet_members *members, int64_t own_id)
{
	members->own_id = own_id;
}

void pv_fleet_members_reset(struct pv_fleet_members *members)
{
	members->count = 0;
	members->heard_ms = -1;
}

/* Both are in order of their ids. */
static const struct pv_fleet_member *find(
    const struct pv_fleet_member *items, size_t count, int64_t id)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (items[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && items[low].id == id ? &items[low] : NULL;
}

static struct pv_fleet_member seen(const struct pv_fleet_member *row,
    const struct pv_fleet_member *before, int64_t now_ms)
{
	struct pv_fleet_member member = *row;
	bool is_same = before && before->beat == row->beat;
	bool was_idle = before && before->idle_ms >= 0;
	member.since_ms = is_same ? before->since_ms : now_ms;
	member.tried_ms = is_same ? before->tried_ms : -1;
	member.idle_ms = !row->is_idle ? -1
			 : was_idle    ? before->idle_ms
				       : now_ms;
	return member;
}

void pv_fleet_members_hear(struct pv_fleet_members *members,
    const struct pv_fleet_member *rows, size_t count, int64_t now_ms)
{
	bool was_silent = now_ms - members->heard_ms > SILENCE(members->ttl_ms);
	size_t known = was_silent ? 0 : members->count;
	struct pv_fleet_member *items =
	    pv_alloc_array(count ? count : 1, sizeof(*items));
	for (size_t i = 0; i < count; i++)
		items[i] = seen(
		    &rows[i], find(members->items, known, rows[i].id), now_ms);
	free(members->items);
	members->items = items;
	members->count = count;
	members->size = count;
	members->heard_ms = now_ms;
}

bool pv_fleet_member_is_stuck(const struct pv_fleet_members *members,
    const struct pv_fleet_member *member, int64_t now_ms)
{
	return member->tried_ms >= 0 &&
	       now_ms - member->tried_ms >= members->ttl_ms;
}

const struct pv_fleet_member *pv_fleet_members_find_dead(
    const struct pv_fleet_members *members, size_t from, int64_t now_ms)
{
	for (size_t i = from; i < members->count; i++) {
		const struct pv_fleet_member *member = &members->items[i];
		if (member->id != members->own_id &&
		    now_ms - member->since_ms >= members->ttl_ms)
			return member;
	}
	return NULL;
}

static struct pv_fleet_member *find_own(
    struct pv_fleet_members *members, int64_t id)
{
	const struct pv_fleet_member *found =
	    find(members->items, members->count, id);
	return found ? &members->items[found - members->items] : NULL;
}

void pv_fleet_members_note_held(
    struct pv_fleet_members *members, int64_t id, int64_t now_ms)
{
	struct pv_fleet_member *member = find_own(members, id);
	if (member && member->tried_ms < 0)
		member->tried_ms = now_ms;
}

void pv_fleet_members_remove(struct pv_fleet_members *members, int64_t id)
{
	struct pv_fleet_member *member = find_own(members, id);
	if (!member)
		return;
	size_t behind = members->count - (size_t)(member - members->items) - 1;
	memmove(member, member + 1, behind * sizeof(*member));
	members->count--;
}

bool pv_fleet_members_has(const struct pv_fleet_members *members, int64_t id)
{
	return find(members->items, members->count, id) != NULL;
}

size_t pv_fleet_members_count(const struct pv_fleet_members *members)
{
	return members->count;
}

bool pv_fleet_members_is_idle(const struct pv_fleet_members *members)
{
	const struct pv_fleet_member *own =
	    find(members->items, members->count, members->own_id);
	return own && own->is_idle;
}

bool pv_fleet_members_is_resting(
    const struct pv_fleet_members *members, const struct pv_rate *whole)
{
	const struct pv_fleet_member *own =
	    find(members->items, members->count, members->own_id);
	int64_t rest_ms = RESTING(whole->interval_ms);
	if (rest_ms < members->ttl_ms)
		rest_ms = members->ttl_ms;
	return own && own->idle_ms >= 0 &&
	       members->heard_ms - own->idle_ms >= rest_ms;
}

/* Those that are to have a share, by their numbers: only a worker itself says that it
 * has no use for one, by giving up its own. To be freed. */
static struct pv_fleet_share *list_shares(
    const struct pv_fleet_members *members, size_t *count, size_t *own)
{
	struct pv_fleet_share *all =
	    pv_alloc_array(members->count + 1, sizeof(*all));
	*count = 0;
	*own = SIZE_MAX;
	for (size_t i = 0; i < members->count; i++) {
		const struct pv_fleet_member *member = &members->items[i];
		bool is_own = member->id == members->own_id;
		if (is_own)
			*own = *count;
		bool has_use = !member->is_idle && !member->is_halted;
		if (is_own || has_use || member->share.of)
			all[(*count)++] = member->share;
	}
	return all;
}

bool pv_fleet_members_has_place(
    const struct pv_fleet_members *members, const struct pv_rate *whole)
{
	size_t count, own;
	struct pv_fleet_share *all = list_shares(members, &count, &own);
	bool has_place =
	    own == SIZE_MAX || pv_fleet_share_is_free(all, count, own, whole);
	free(all);
	return has_place;
}

struct pv_fleet_share pv_fleet_members_share(
    const struct pv_fleet_members *members, const struct pv_rate *whole)
{
	struct pv_fleet_share share = PV_FLEET_NO_SHARE;
	size_t count, own;
	struct pv_fleet_share *all = list_shares(members, &count, &own);
	if (own != SIZE_MAX && !pv_fleet_members_is_resting(members, whole))
		share = pv_fleet_share_choose(all, count, own, whole);
	free(all);
	return share;
}
