#ifndef PAVANE_CRAWL_SHARD_SHARING_H
#define PAVANE_CRAWL_SHARD_SHARING_H

#include "base/str.h"

/* What a divided crawl leaves to its other shards, on its way into the files for
 * them (sink/outbound.h). */
struct pv_crawl;
struct pv_database;
struct pv_record;

/* When the sinks are open: has the frontier tell of what is for others. */
void pv_sharing_join(struct pv_crawl *crawl);

/* On the writer's thread, of what a visit has found: where a seed was redirected
 * to is in scope for all shards. What goes wrong is left in the database. */
void pv_sharing_tell_redirect(
    const struct pv_record *record, struct pv_database *database);

/* The same of a seed that the program has added. */
void pv_sharing_tell_seed(const struct pv_crawl *crawl, struct pv_str url,
    struct pv_database *database);

#endif
