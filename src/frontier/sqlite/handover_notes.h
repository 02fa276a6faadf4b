#ifndef PAVANE_FRONTIER_SQLITE_HANDOVER_NOTES_H
#define PAVANE_FRONTIER_SQLITE_HANDOVER_NOTES_H

#include "base/hash.h"
#include "store/database.h"
#include "store/tables/trap_table.h"
#include "store/tables/voucher_table.h"

/* What stands beside a host's rows in the state, and goes with the host to its next
 * owner (frontier/sqlite/handover.h): what is counted of traps, and which other
 * hosts its sitemaps may list (reading/vouchers.h).
 *
 * Counts know hosts by the hash of their names, with the key of fingerprints. Those
 * of bodies are passed on by who owns the host, as they are when they are taken;
 * session identifiers by whoever has found them. Used on the writer's thread.
 */
struct pv_handover;
struct pv_parcels;

/* Where a host has too many, the last kinds go before the first. */
enum pv_note_kind {
	PV_NOTE_BODIES,   /* in a row; the key is its slot */
	PV_NOTE_SESSION,  /* the key is the identifier's */
	PV_NOTE_HOST,     /* of a site, whose hash is the owner's */
	PV_NOTE_REFUSALS, /* by traps, on the host's pages */
	PV_NOTE_VOUCHER,  /* the key is a hash of both */
	PV_NOTE_KINDS,
};

/* The hash of a host's name. */
uint64_t pv_handover_notes_owner(
    const struct pv_hash_key *key, struct pv_str host);

/* From now on changes are marked: of bodies those of hosts that are owned. */
void pv_handover_notes_open(struct pv_database *database);
void pv_handover_notes_own(struct pv_database *database, uint64_t owner);
void pv_handover_notes_give(struct pv_database *database, uint64_t owner);
void pv_handover_notes_give_all(struct pv_database *database);

/* What is marked so; false if the parcels are full. Of bodies that are no more the
 * bytes are empty; where the host was lost since, its next owner counts on. */
bool pv_handover_notes_take_bodies(struct pv_database *database,
    struct pv_str mark, struct pv_parcels *parcels);
bool pv_handover_notes_take_session(
    struct pv_database *database, int64_t id, struct pv_parcels *parcels);

/* Which hosts of a site are followed, too, is told by whoever has found them. */
bool pv_handover_notes_take_host(
    struct pv_database *database, int64_t id, struct pv_parcels *parcels);

/* Whoever reads that a host vouches tells it to the owner of the sitemap's host
 * (PV_PARCEL_VOUCHER), with or before the link to the sitemap, and keeps it for
 * those that come after that one. */
bool pv_handover_notes_take_voucher(struct pv_handover *handover,
    struct pv_str mark, struct pv_parcels *parcels);
bool pv_handover_notes_read_voucher(
    struct pv_str bytes, struct pv_voucher *voucher);

/* How many addresses traps have refused on the pages of a host that is owned; the
 * same of its last owner. */
bool pv_handover_notes_take_refusals(
    struct pv_handover *handover, int64_t host_id, struct pv_parcels *parcels);
bool pv_handover_notes_put_refusals(
    struct pv_handover *handover, struct pv_str host, struct pv_str bytes);

/* Reads the bytes of a count of bodies; false if they make no sense. */
bool pv_handover_notes_read(struct pv_str bytes, struct pv_trap_body *body);

#endif
