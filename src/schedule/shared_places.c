#include "schedule/shared_places.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"

struct pv_shared_places {
	pthread_mutex_t mutex; /* of all shares, too */
	struct pv_place_share *first;
	size_t count; /* of shares */
	size_t ceiling;
	size_t taken;
};

struct pv_shared_places *pv_shared_places_create(size_t ceiling)
{
	struct pv_shared_places *places = pv_alloc(sizeof(*places));
	pthread_mutex_init(&places->mutex, NULL);
	places->ceiling = ceiling;
	return places;
}

void pv_shared_places_destroy(struct pv_shared_places *places)
{
	if (!places)
		return;
	pthread_mutex_destroy(&places->mutex);
	free(places);
}

size_t pv_shared_places_taken(struct pv_shared_places *places)
{
	pthread_mutex_lock(&places->mutex);
	size_t taken = places->taken;
	pthread_mutex_unlock(&places->mutex);
	return taken;
}

/* What each may have at any time. The mutex is held, here and below. */
static size_t part_of_each(const struct pv_shared_places *places)
{
	size_t part = places->ceiling / places->count;
	return part ? part : 1;
}

/* What the others wait for, up to their parts. */
static size_t kept_for_others(const struct pv_place_share *share)
{
	const struct pv_shared_places *places = share->places;
	size_t part = part_of_each(places), kept = 0;
	for (const struct pv_place_share *other = places->first; other;
	     other = other->next) {
		if (other != share && other->is_waiting && other->held < part)
			kept += part - other->held;
	}
	return kept;
}

static bool may_take(const struct pv_place_share *share)
{
	const struct pv_shared_places *places = share->places;
	if (places->taken >= places->ceiling)
		return false;
	return share->held < part_of_each(places) ||
	       places->taken + kept_for_others(share) < places->ceiling;
}

static void wake_waiting(struct pv_shared_places *places)
{
	for (struct pv_place_share *share = places->first; share;
	     share = share->next) {
		if (!share->is_waiting || share->is_woken || !may_take(share))
			continue;
		share->is_woken = true;
		share->wake(share->ctx);
	}
}

void pv_place_share_join(struct pv_place_share *share,
    struct pv_shared_places *places, void (*wake)(void *ctx), void *ctx)
{
	*share =
	    (struct pv_place_share){.places = places, .wake = wake, .ctx = ctx};
	if (!places)
		return;
	pthread_mutex_lock(&places->mutex);
	share->next = places->first;
	places->first = share;
	places->count++;
	pthread_mutex_unlock(&places->mutex);
}

void pv_place_share_leave(struct pv_place_share *share)
{
	struct pv_shared_places *places = share->places;
	struct pv_place_share **link;
	if (!places)
		return;
	pthread_mutex_lock(&places->mutex);
	for (link = &places->first; *link != share; link = &(*link)->next)
		;
	*link = share->next;
	places->count--;
	places->taken -= share->held;
	if (places->count)
		wake_waiting(places);
	pthread_mutex_unlock(&places->mutex);
	*share = (struct pv_place_share){NULL};
}

bool pv_place_share_take(struct pv_place_share *share)
{
	if (!share->places)
		return true;
	pthread_mutex_lock(&share->places->mutex);
	bool is_taken = may_take(share);
	share->held += is_taken;
	share->places->taken += is_taken;
	share->is_waiting = !is_taken;
	share->is_woken = false;
	pthread_mutex_unlock(&share->places->mutex);
	return is_taken;
}

void pv_place_share_give(struct pv_place_share *share)
{
	if (!share->places)
		return;
	pthread_mutex_lock(&share->places->mutex);
	share->held--;
	share->places->taken--;
	wake_waiting(share->places);
	pthread_mutex_unlock(&share->places->mutex);
}

void pv_place_share_want_none(struct pv_place_share *share)
{
	if (!share->places)
		return;
	pthread_mutex_lock(&share->places->mutex);
	if (share->is_waiting) {
		share->is_waiting = false;
		wake_waiting(share->places);
	}
	pthread_mutex_unlock(&share->places->mutex);
}

bool pv_place_share_is_denied(const struct pv_place_share *share)
{
	if (!share->places)
		return false;
	pthread_mutex_lock(&share->places->mutex);
	bool is_denied = share->is_waiting && !share->is_woken;
	pthread_mutex_unlock(&share->places->mutex);
	return is_denied;
}
