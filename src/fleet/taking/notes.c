#include "fleet/taking/notes.h"

#include <stdlib.h>

#include "base/array.h"
#include "fleet/worker/worker.h"
#include "frontier/sqlite/handover_owners.h"

/* What is counted beyond that of a host, or of a site, is counted anew. */
#define NOTES_MAX 2000

/* A host that is its site's only one adds nothing new. */
static void add_site(const struct pv_fleet *fleet, struct pv_str host,
    int64_t *owners, size_t *count)
{
	uint64_t site;
	if (fleet->options.wants_site &&
	    fleet->options.wants_site(fleet->options.ctx, host, &site) &&
	    owners[*count - 1] != (int64_t)site)
		owners[(*count)++] = (int64_t)site;
}

struct pv_fleet_request *pv_notes_request(struct pv_fleet *fleet,
    void (*done)(void *ctx, struct pv_fleet_request *request,
	const struct pv_fleet_answer *answer))
{
	const struct pv_taken *hosts = &fleet->taking.hosts;
	size_t count = 0;
	int64_t *owners = pv_alloc_array(2 * hosts->count + 1, sizeof(*owners));
	for (size_t i = 0; i < hosts->count; i++) {
		struct pv_str host = hosts->items[i].name;
		owners[count++] =
		    (int64_t)pv_handover_notes_owner(&fleet->key, host);
		add_site(fleet, host, owners, &count);
	}
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    pv_fleet_numbers(PV_FLEET_INT8S, owners, count),
	    pv_fleet_number(PV_FLEET_INT8, NOTES_MAX)};
	const struct pv_fleet_step step = {PV_SAY_NOTES_OF, values, 3};
	struct pv_fleet_request *request =
	    pv_fleet_request_create(&step, 1, done, fleet);
	free(owners);
	return request;
}

void pv_notes_hear(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	struct pv_parcels *parcels = &fleet->taking.parcels;
	bool has_room = true;
	for (size_t i = 0; has_room && i < pv_fleet_results_rows(results, 0);
	     i++)
		has_room = pv_parcels_add(parcels,
		    &(struct pv_parcel){
			.kind = PV_PARCEL_NOTE,
			.owner = pv_fleet_results_number(results, 0, i, 0),
			.state =
			    (unsigned)pv_fleet_results_number(results, 0, i, 1),
			.key = pv_fleet_results_number(results, 0, i, 2),
			.bytes = pv_fleet_results_text(results, 0, i, 3),
		    });
}

/* Into the state */

/* A host that is not owned yet. */
struct owner {
	uint64_t hash; /* of its name */
	struct pv_str name;
};

static int by_hash(const void *left, const void *right)
{
	const struct owner *a = left, *b = right;
	return a->hash < b->hash ? -1 : a->hash > b->hash;
}

/* Sorted; to be freed. */
static struct owner *list_owners(struct pv_fleet *fleet, size_t *count)
{
	const struct pv_taken *hosts = &fleet->taking.hosts;
	struct owner *owners =
	    pv_alloc_array(hosts->count + 1, sizeof(*owners));
	*count = 0;
	for (size_t i = 0; i < hosts->count; i++) {
		struct pv_str host = hosts->items[i].name;
		if (!pv_handover_owns(&fleet->handover, host))
			owners[(*count)++] = (struct owner){
			    pv_handover_notes_owner(&fleet->key, host), host};
	}
	qsort(owners, *count, sizeof(*owners), by_hash);
	return owners;
}

static void forget(
    const struct pv_fleet *fleet, const struct owner *owners, size_t count)
{
	uint64_t *hashes = pv_alloc_array(count + 1, sizeof(*hashes));
	for (size_t i = 0; i < count; i++)
		hashes[i] = owners[i].hash;
	fleet->options.forget_counts(fleet->options.ctx, hashes, count);
	free(hashes);
}

static bool put_bodies(
    const struct pv_fleet *fleet, const struct pv_parcel *parcel)
{
	struct pv_trap_body body = {
	    .slot = parcel->key, .host = (uint64_t)parcel->owner};
	if (!pv_handover_notes_read(parcel->bytes, &body))
		return false;
	fleet->options.put_bodies(fleet->options.ctx, &body);
	return true;
}

bool pv_notes_put_voucher(struct pv_fleet *fleet, struct pv_str bytes)
{
	struct pv_voucher voucher;
	if (!pv_handover_notes_read_voucher(bytes, &voucher))
		return false;
	if (fleet->options.put_voucher)
		fleet->options.put_voucher(
		    fleet->options.ctx, fleet->handover.database, &voucher);
	return true;
}

static bool put_note(
    struct pv_fleet *fleet, const struct pv_parcel *parcel, struct pv_str host)
{
	const struct pv_trap_session session = {
	    (uint64_t)parcel->key, (uint64_t)parcel->owner};
	switch (parcel->state) {
	case PV_NOTE_BODIES:
		return put_bodies(fleet, parcel);
	case PV_NOTE_SESSION:
		fleet->options.put_session(fleet->options.ctx, &session);
		return true;
	case PV_NOTE_REFUSALS:
		return pv_handover_notes_put_refusals(
		    &fleet->handover, host, parcel->bytes);
	case PV_NOTE_VOUCHER:
		return pv_notes_put_voucher(fleet, parcel->bytes);
	default:
		return false;
	}
}

static void put_host(
    const struct pv_fleet *fleet, const struct pv_parcel *parcel)
{
	const struct pv_trap_host host = {
	    (uint64_t)parcel->key, (uint64_t)parcel->owner};
	fleet->options.put_host(fleet->options.ctx, &host);
}

size_t pv_notes_put(struct pv_fleet *fleet)
{
	const struct pv_parcels *parcels = &fleet->taking.parcels;
	size_t count, bad = 0;
	if (!fleet->options.forget_counts)
		return 0;
	struct owner *owners = list_owners(fleet, &count);
	forget(fleet, owners, count);
	for (size_t i = 0; i < parcels->count; i++) {
		struct pv_parcel parcel = pv_parcels_get(parcels, i);
		const struct owner wanted = {.hash = (uint64_t)parcel.owner};
		const struct owner *owner =
		    bsearch(&wanted, owners, count, sizeof(wanted), by_hash);
		if (parcel.state == PV_NOTE_HOST)
			put_host(fleet, &parcel);
		else if (owner)
			bad += !put_note(fleet, &parcel, owner->name);
	}
	free(owners);
	return bad;
}
