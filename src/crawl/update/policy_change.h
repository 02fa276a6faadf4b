#ifndef PAVANE_CRAWL_UPDATE_POLICY_CHANGE_H
#define PAVANE_CRAWL_UPDATE_POLICY_CHANGE_H

#include <stdbool.h>

#include "base/why.h"

/* A crawl that goes on by another policy than before: each changed key is
 * logged with its effect, and known addresses are judged by the new one. The
 * policy of each run is kept in the state: a later one may differ, and an audit
 * needs the one that a run went by. */
struct pv_crawl;

/* At the start, when all that decides is there, and before the writer is.
 * False, with the reason, if the state cannot be written. */
bool pv_policy_change_apply(struct pv_crawl *crawl, struct pv_why *why);

#endif
