#ifndef PAVANE_CRAWL_ASKING_H
#define PAVANE_CRAWL_ASKING_H

#include <stdint.h>

#include "record/verdict.h"

/* robots.txt: asked for before the first visit of an authority, and paced like
 * any request, and again when it has become too old. */
struct pv_authority;
struct pv_crawl;
struct pv_open;

enum pv_asking {
	PV_ASKING_ALLOWED,
	PV_ASKING_FORBIDDEN, /* with the verdict */
	PV_ASKING_ASK,       /* robots.txt comes first */
	PV_ASKING_WAIT,      /* it has been asked, and has not said */
};

/* What a visit that was just released may do. */
enum pv_asking pv_asking_judge(
    struct pv_open *open, struct pv_verdict *verdict);

/* An open request for the authority's robots.txt. */
struct pv_open *pv_asking_open(
    struct pv_crawl *crawl, struct pv_authority *authority);

/* What was read (open->read_rules, open->location) counts from now, and what
 * waited for it goes on. */
void pv_asking_answer(struct pv_open *open);

/* Asks once more where the time has come. */
void pv_asking_step(struct pv_crawl *crawl);

#endif
