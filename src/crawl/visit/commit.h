#ifndef PAVANE_CRAWL_VISIT_COMMIT_H
#define PAVANE_CRAWL_VISIT_COMMIT_H

/* What came of a visit becomes known: its outcome, its links, its host's clock
 * and the journal's line, all of them in one transaction or not at all. When
 * that is committed the visit is closed. */
struct pv_flight;

/* Gives the papers of an open visit, of which all is decided. */
void pv_commit_begin(struct pv_flight *flight);

/* Closes an open visit of which nothing is to be kept: it is pending again. */
void pv_commit_drop(struct pv_flight *flight);

#endif
