#ifndef PAVANE_CRAWL_UPDATE_ROUNDS_H
#define PAVANE_CRAWL_UPDATE_ROUNDS_H

#include "crawl/update/earlier_policies.h"
#include "mirror/update/gone_files.h"
#include "record/change.h"

/* Updates: a finished crawl is asked for once more, as a round of its own.
 *
 * A round begins in one transaction and ends when nothing is left; whatever
 * comes in between, the next run goes on with it, and none begins before it has
 * ended. The frontier knows what there was of each address (frontier.h); what
 * is new about it is found out where answers are read (reading/comparison.h).
 */
struct pv_crawl;

/* What becomes of an update that was asked for. */
enum pv_update_state {
	PV_UPDATE_NONE, /* nobody asked for one */
	PV_UPDATE_BEGINS,
	PV_UPDATE_GOES_ON, /* something was not finished */
	PV_UPDATE_EMPTY,   /* nothing is due */
};

struct pv_update {
	struct pv_round round; /* as of the frontier's last count */
	enum pv_update_state state;
	struct pv_gone_figures gone; /* of files whose pages are gone, once the
					round is complete */
	struct pv_earlier_policies earlier; /* of a fleet's crawl */
};

/* Sees what round it is, and whether an update is to begin another: for a
 * frontier that is open. The round of a fleet's crawl has been joined before. */
void pv_rounds_look(struct pv_crawl *crawl);

/* Begins it, if there is one and anything is due: for a frontier that is open,
 * before the writer starts. */
void pv_rounds_begin(struct pv_crawl *crawl);

/* Tells the person what became of an update that was asked for. */
void pv_rounds_tell(const struct pv_crawl *crawl);

#endif
