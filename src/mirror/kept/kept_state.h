#ifndef PAVANE_MIRROR_KEPT_KEPT_STATE_H
#define PAVANE_MIRROR_KEPT_KEPT_STATE_H

#include "policy/sameness.h"
#include "record/fingerprint.h"
#include "store/database.h"

/* The state of a crawl for those who look something up in it: the file, how
 * addresses are found there, and which addresses its policy takes for the same.
 *
 * The policy and the key are as of the moment of opening it. What is looked up
 * after that is as of when it is asked for, so that a slow reader does not hold
 * the write-ahead log of a crawl that runs (store/wal.h); who needs several
 * answers as of one moment asks for them in a short transaction. Nothing is
 * changed.
 */
struct pv_kept_state {
	const char *directory; /* the caller's, who keeps it */
	struct pv_database *database;
	struct pv_hash_key key;
	const struct pv_policy *policy; /* of the last run */
	struct pv_policy *loaded;       /* the same, which is its own */
	struct pv_sameness sameness;
};

/* NULL, with the reason, if there is no crawl, or its state or its policy
 * cannot be read. */
struct pv_kept_state *pv_kept_state_open(
    const char *directory, struct pv_why *why);
void pv_kept_state_close(struct pv_kept_state *state);

/* Makes an address into the one that stands for all that are the same, and
 * returns by what it is known. In any thread. */
struct pv_fingerprint pv_kept_state_fingerprint(
    const struct pv_kept_state *state, struct pv_url *url);

#endif
