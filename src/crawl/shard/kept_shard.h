#ifndef PAVANE_CRAWL_SHARD_KEPT_SHARD_H
#define PAVANE_CRAWL_SHARD_KEPT_SHARD_H

#include "base/why.h"
#include "policy/shard.h"

/* Which shard of a divided crawl this one is (policy/shard.h): what was said when
 * it was begun is kept in the state, and holds for good, since what is known
 * there was judged by it. */
struct pv_crawl;
struct pv_database;

/* When the state is open and nothing has been judged: false, with the reason, if
 * what is said now is none, or another one than is kept. Says nothing of a crawl
 * that is not divided. */
bool pv_kept_shard_open(struct pv_crawl *crawl, struct pv_why *why);

/* That of the crawl with that state; its count is 0 if it is not divided. */
struct pv_shard pv_kept_shard_read(struct pv_database *database);

/* In the transaction with which the run begins. */
void pv_kept_shard_keep(const struct pv_crawl *crawl);

/* Logs what the division does not promise, where the policy wants it. */
void pv_kept_shard_warn(const struct pv_crawl *crawl);

#endif
