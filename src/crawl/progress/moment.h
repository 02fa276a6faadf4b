#ifndef PAVANE_CRAWL_PROGRESS_MOMENT_H
#define PAVANE_CRAWL_PROGRESS_MOMENT_H

#include "pavane/pavane.h"

/* What a crawl does at this moment: which addresses it fetches, how many it
 * could fetch at once, which hosts wait, and what for. The texts are kept here
 * for as long as progress shows them. */
struct pv_crawl;

#define PV_MOMENT_TEXT_SIZE 320
#define PV_MOMENT_ADDRESS_SIZE 512
#define PV_MOMENT_PROXIES_SIZE 4096

struct pv_moment {
	char pauses[PV_MOMENT_TEXT_SIZE];
	char settings[PV_MOMENT_TEXT_SIZE];
	char proxies[PV_MOMENT_PROXIES_SIZE];
	char note[PV_MOMENT_TEXT_SIZE];
	char waits_for[PV_MOMENT_TEXT_SIZE];
	char fetching[PAVANE_FETCHING_MAX][PV_MOMENT_ADDRESS_SIZE];
};

/* Brings that part of crawl->progress.figures up to date. */
void pv_moment_fill(struct pv_crawl *crawl);

#endif
