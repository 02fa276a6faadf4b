#ifndef PAVANE_POLICY_SOURCES_SEED_INPUT_H
#define PAVANE_POLICY_SOURCES_SEED_INPUT_H

#include "policy/policy.h"
#include "policy/sources/load.h"

/* The seed {file: "-"}: addresses from the standard input.
 *
 * They are walked more than once, and the standard input can be read only once:
 * it is copied to its end into a file without a name, which the policy owns and
 * which ends with it. The seed's text then is a path that opens that file. A
 * terminal is refused, since it would be waited for without a word. */
void pv_seed_input_read(struct pv_policy *policy,
    const struct pv_sources *sources, struct pv_why *why);

/* The file of a crawl's directory that has such addresses after their policy is
 * gone (crawl/run/seed_copy.h). */
#define PV_SEED_COPY "stdin-seeds.txt"

/* Its path from the root; NULL if the directory is not there. */
const char *pv_seed_copy_path(struct pv_arena *arena, const char *directory);

#endif
