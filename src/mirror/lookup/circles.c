#include "mirror/lookup/circles.h"

#include <stdlib.h>

#include "base/array.h"

/* So many redirects may have led to an address; a crawl follows fewer. */
#define HOPS_MAX 64

#define REDIRECTS_MAX ((size_t)300000)
#define FOUND_MAX ((size_t)10000)

static uint64_t key_of(const struct pv_fates *fates, const struct pv_fate *fate)
{
	return pv_hash(&fates->state->key, pv_buf_str(&fate->url));
}

/* What leads to itself does so by another name of its host: there it ends. */
static bool leads_on(struct pv_fates *fates, const struct pv_fate *from,
    struct pv_fingerprint *target)
{
	return pv_fates_target(fates, from, target) &&
	       target->address != key_of(fates, from);
}

bool pv_circles_follow(
    struct pv_fates *fates, const struct pv_fate *from, struct pv_fate *at)
{
	struct pv_fingerprint target;
	uint64_t mark = from->id;
	int marked = 1;
	bool is_on = leads_on(fates, from, &target);
	for (int hops = 0; hops < HOPS_MAX; hops++) {
		pv_fates_get(
		    fates, is_on ? pv_fates_find(fates, target) : 0, at);
		if (at->kind != PV_FATE_MOVED)
			return true;
		if (at->id == mark)
			return false;
		if (hops == marked) {
			mark = at->id;
			marked *= 2;
		}
		is_on = leads_on(fates, at, &target);
	}
	return false;
}

/* All of them */

enum mark { NEW, ON_THE_WAY, ENDS, CIRCLES };

struct hop {
	struct pv_fingerprint from;
	struct pv_fingerprint to;
	enum mark mark;
};

struct hops {
	struct hop *items; /* by whence they lead */
	size_t count;
	size_t size;
};

struct reading {
	struct hops *hops;
	struct pv_fates *fates;
};

static void add(void *ctx, struct pv_fingerprint from, struct pv_str target)
{
	const struct reading *reading = ctx;
	struct hops *hops = reading->hops;
	struct pv_fates *fates = reading->fates;
	if (pv_url_parse(&fates->url, target) == PV_URL_OK)
		*PV_ARRAY_PUSH(
		    hops->items, hops->count, hops->size) = (struct hop){
		    .from = from,
		    .to = pv_kept_state_fingerprint(fates->state, &fates->url),
		};
}

/* False if there are too many. */
static bool read_hops(struct hops *hops, struct pv_fates *fates)
{
	struct reading reading = {hops, fates};
	return pv_redirects_each(fates->state->database, REDIRECTS_MAX + 1, add,
		   &reading) <= REDIRECTS_MAX;
}

static int by_from(const void *key, const void *hop)
{
	return pv_fingerprint_compare(key, &((const struct hop *)hop)->from);
}

/* NULL where it is at its end. */
static struct hop *next(const struct hops *hops, const struct hop *hop)
{
	struct hop *found = bsearch(
	    &hop->to, hops->items, hops->count, sizeof(*hops->items), by_from);
	return found == hop ? NULL : found;
}

/* Goes on to what is known to end, or not; what it has come by does, too. */
static void go(const struct hops *hops, struct hop *first)
{
	struct hop *hop = first;
	for (; hop && hop->mark == NEW; hop = next(hops, hop))
		hop->mark = ON_THE_WAY;
	enum mark mark = !hop || hop->mark == ENDS ? ENDS : CIRCLES;
	for (hop = first; hop && hop->mark == ON_THE_WAY; hop = next(hops, hop))
		hop->mark = mark;
}

static void take(
    struct pv_circles *circles, struct pv_fates *fates, const struct hop *hop)
{
	uint64_t id = pv_fates_find(fates, hop->from);
	if (id && circles->count < FOUND_MAX)
		*PV_ARRAY_PUSH(circles->ids, circles->count, circles->size) =
		    id;
}

void pv_circles_find(struct pv_circles *circles, struct pv_fates *fates)
{
	struct hops hops = {.items = NULL};
	*circles = (struct pv_circles){.ids = NULL};
	circles->has_too_many = !read_hops(&hops, fates);
	for (size_t i = 0; !circles->has_too_many && i < hops.count; i++) {
		go(&hops, &hops.items[i]);
		if (hops.items[i].mark == CIRCLES)
			take(circles, fates, &hops.items[i]);
	}
	free(hops.items);
}

void pv_circles_finish(struct pv_circles *circles)
{
	free(circles->ids);
}
