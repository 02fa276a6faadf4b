#ifndef PAVANE_STORE_TABLES_NOTE_H
#define PAVANE_STORE_TABLES_NOTE_H

#include "base/buf.h"
#include "base/hash.h"
#include "store/database.h"

/* Whatever a crawl has one of: a number or a text under a name. */

/* `missing` where there is none of that name. */
int64_t pv_note_get(
    struct pv_database *database, struct pv_str name, int64_t missing);
void pv_note_set(
    struct pv_database *database, struct pv_str name, int64_t number);

/* The same for text: false, with nothing appended, where there is none. */
bool pv_note_get_text(
    struct pv_database *database, struct pv_str name, struct pv_buf *text);
void pv_note_set_text(
    struct pv_database *database, struct pv_str name, struct pv_str text);

/* The key of fingerprints, which a crawl has drawn once. */
struct pv_hash_key pv_note_get_key(struct pv_database *database);

/* The number of the crawl in its fleet's database (fleet/fleet.h). */
#define PV_NOTE_FLEET_CRAWL PV_STR("fleet-crawl")

/* The number of the worker of that crawl that the directory was last. */
#define PV_NOTE_FLEET_WORKER PV_STR("fleet-worker")

/* When the crawl was finished, as wall time; 0: it is not. */
#define PV_NOTE_FINISHED PV_STR("finished-at")

/* Under this and an address stands that address, to which a seed was redirected
 * (crawl/run/seed_redirect.h). */
#define PV_NOTE_SEED_REDIRECT "seed-redirect "

/* 1 where the last run requested nothing but what it was told, address by
 * address. */
#define PV_NOTE_FOLLOWS_NO_LINKS PV_STR("follows-no-links")

/* Which shard of a divided crawl this one is, and of how many; 0: it is not
 * divided. */
#define PV_NOTE_SHARD PV_STR("shard")
#define PV_NOTE_SHARDS PV_STR("shards")

/* Under this and the number of a run stands the policy by which it went, unless
 * it is that of the run before. */
#define PV_POLICY_NOTE "policy "

/* Each text whose name begins so. */
typedef void (*pv_note_fn)(void *ctx, struct pv_str text);
void pv_note_each(struct pv_database *database, struct pv_str beginning,
    pv_note_fn on_text, void *ctx);

/* Forgets those whose names begin so. */
void pv_notes_forget(struct pv_database *database, struct pv_str beginning);

#endif
