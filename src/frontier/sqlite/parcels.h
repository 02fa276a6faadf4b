#ifndef PAVANE_FRONTIER_SQLITE_PARCELS_H
#define PAVANE_FRONTIER_SQLITE_PARCELS_H

#include <stdint.h>

#include "base/buf.h"

/* Rows on their way between the states of a fleet's workers
 * (frontier/sqlite/handover.h), with their texts: those that were taken from one, and
 * those that are put into another one.
 */
enum pv_parcel_kind {
	PV_PARCEL_ADDRESS, /* of a host that is owned */
	PV_PARCEL_LINK,    /* of another worker's */
	PV_PARCEL_REFUSED, /* of another worker's, and refused as it was found */
	PV_PARCEL_HOST,
	PV_PARCEL_ROBOTS,
	PV_PARCEL_REDIRECT, /* of a seed, which widens the scope */
	PV_PARCEL_NOTE,     /* beside a host's rows (handover_notes.h) */
	PV_PARCEL_REST,     /* of a host that is another worker's by now */
	PV_PARCEL_VOUCHER,  /* for a sitemap of another worker's host */
	PV_PARCEL_KINDS,
};

/* A row on its way. */
struct pv_parcel {
	enum pv_parcel_kind kind;
	unsigned state;      /* of an address; or a note's kind; or why one was
				refused (PV_PARCEL_REFUSED) */
	struct pv_str host;  /* its name */
	struct pv_str name;  /* the URL, or the authority; empty for a host */
	struct pv_str bytes; /* packed (packing.h) */
	int64_t left_ms;     /* of a host: until it may be asked again ... */
	int64_t rest_ms;     /* ... and the rest that it is owed */
	int64_t owner;       /* a note's host, by its hash ... */
	int64_t key;         /* ... and what it is known by there */
	int64_t answered_pages; /* of a host, in all: as its row has them */
	int64_t answered_bytes;
};

/* Parcels with their texts. */
struct pv_parcels {
	struct pv_parcel_item *items;
	size_t count;
	size_t size;
	struct pv_buf texts;
	int64_t change; /* the last that they are of ... */
	int64_t newest; /* ... and of all that there were then */
};

void pv_parcels_init(struct pv_parcels *parcels, size_t text_ceiling);
void pv_parcels_finish(struct pv_parcels *parcels);
bool pv_parcels_add(struct pv_parcels *parcels, const struct pv_parcel *parcel);

/* Its texts are valid until the next change. */
struct pv_parcel pv_parcels_get(
    const struct pv_parcels *parcels, size_t number);

#endif
