#ifndef PAVANE_TRAPS_SAME_BODY_H
#define PAVANE_TRAPS_SAME_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How often the same body has come in a row under a key, for the keys that come
 * most often, in memory of a fixed size.
 *
 * A key has one slot, found by its own bits. One that finds another's there
 * takes one from its count, and the slot where that was the last: so what comes
 * again and again stays, whatever else comes by. Keys are hashes that nobody
 * outside can steer.
 *
 * What changed and is worth keeping is gathered until somebody takes it: counts
 * of two and more, so that what comes once costs nothing, and the end of those.
 */
#define PV_SAME_BODY_SLOTS ((size_t)65536)

struct pv_same_body_slot {
	uint64_t key;
	uint64_t body;
	uint64_t owner; /* the key's host */
	uint32_t count; /* 0: empty */
	bool is_changed;
	bool is_kept; /* outside, by the caller that takes the changes */
};

struct pv_same_body {
	uint32_t *places; /* of slots among those in use, from 1; 0: empty */
	struct pv_same_body_slot *slots; /* those: a small crawl's lie close
					    together */
	size_t slot_count;
	size_t slot_size;
	uint32_t most;     /* what counts further counts as this */
	size_t at_most;    /* how many have come so far */
	uint32_t *changed; /* their numbers */
	size_t changed_count;
	size_t changed_size;
};

void pv_same_body_init(struct pv_same_body *table, uint32_t most);
void pv_same_body_finish(struct pv_same_body *table);

/* Counts a body. A key has the same owner each time. */
void pv_same_body_add(
    struct pv_same_body *table, uint64_t key, uint64_t body, uint64_t owner);

/* How many the last ones in a row are; 0 where nothing is known. */
uint32_t pv_same_body_get(const struct pv_same_body *table, uint64_t key);

/* Takes a slot that has changed, and its number; false if there is none. */
bool pv_same_body_take_changed(struct pv_same_body *table,
    struct pv_same_body_slot *slot, uint32_t *number);

/* Puts back what was kept of a slot. What makes no sense is left out. */
void pv_same_body_restore(struct pv_same_body *table, uint64_t key,
    uint64_t body, uint64_t owner, int64_t count);

/* Puts in what another crawl has counted. Where the slot is another key's the
 * larger count stays. */
void pv_same_body_put(struct pv_same_body *table, uint64_t key, uint64_t body,
    uint64_t owner, int64_t count);

/* Forgets what is counted of some owners, which are sorted. */
void pv_same_body_forget(
    struct pv_same_body *table, const uint64_t *owners, size_t count);

#endif
