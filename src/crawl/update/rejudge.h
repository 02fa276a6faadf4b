#ifndef PAVANE_CRAWL_UPDATE_REJUDGE_H
#define PAVANE_CRAWL_UPDATE_REJUDGE_H

#include <stdbool.h>

#include "base/str.h"
#include "frontier/plans.h"

/* What is known of a crawl, judged by another policy than before: which
 * addresses a changed key can say anything about, and what it says. */
struct pv_crawl;
struct pv_policy;

struct pv_rejudge {
	struct pv_crawl *crawl;
	int64_t wall_ms;      /* when it was opened */
	bool is_divided;      /* into shards */
	bool has_other_scope; /* so that all is to be judged */
	bool has_other_seeds;
	bool has_other_traps;
	bool is_open[PV_REASON_COUNT]; /* what was refused for that */
};

void pv_rejudge_init(struct pv_rejudge *rejudge, struct pv_crawl *crawl);

/* Notes that a key has changed: "scope.depth". */
void pv_rejudge_note(struct pv_rejudge *rejudge, struct pv_str key);

/* All of them may have. */
void pv_rejudge_note_all(struct pv_rejudge *rejudge);

/* More hosts, or more of them, are in scope now. */
void pv_rejudge_note_wider(struct pv_rejudge *rejudge);

/* Whether anything that is known is to be judged anew. */
bool pv_rejudge_is_due(const struct pv_rejudge *rejudge);

/* What is to be judged, where that was the policy before: as it is noted when all
 * is noted. `rejudge` outlives it. */
struct pv_rejudging pv_rejudge_plan(
    struct pv_rejudge *rejudge, const struct pv_policy *before);

/* As pv_rejudging has it; `ctx` is a struct pv_rejudge. */
bool pv_rejudge_judge(
    void *ctx, const struct pv_known *known, struct pv_standing *standing);

#endif
