#ifndef PAVANE_CRAWL_UPDATE_ROUNDS_H
#define PAVANE_CRAWL_UPDATE_ROUNDS_H

/* Updates: a finished crawl is asked for once more, as a round of its own.
 *
 * A round begins in one transaction and ends when nothing is left; whatever
 * comes in between, the next run goes on with it, and none begins before it has
 * ended. The frontier knows what there was of each address (frontier.h); what
 * is new about it is found out where answers are read (read_job.h).
 */
struct pv_crawl;

/* Sees what round it is, and whether an update is to begin another: for a store
 * that is open. */
void pv_rounds_look(struct pv_crawl *crawl);

/* Begins it, if there is one and anything is due: for a frontier that is open,
 * before the writer starts. */
void pv_rounds_begin(struct pv_crawl *crawl);

/* Tells the person what became of an update that was asked for. */
void pv_rounds_tell(const struct pv_crawl *crawl);

#endif
