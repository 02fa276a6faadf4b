#ifndef PAVANE_CRAWL_VISIT_RELEASE_H
#define PAVANE_CRAWL_VISIT_RELEASE_H

/* From the schedule to the wire: what may start now is asked about once more
 * (robots.txt, limits), and goes to the fetcher. */
struct pv_crawl;
struct pv_flight;
struct pv_visit_end;

/* Releases all that may start now. */
void pv_release_step(struct pv_crawl *crawl);

/* The visit's place in flight is free; once. */
void pv_release_end(struct pv_flight *flight, const struct pv_visit_end *end);

/* Drops all requests that are on the wire: their visits are pending again. */
void pv_release_drop_all(struct pv_crawl *crawl);

/* The same while the crawl goes on: they are asked for again when that is allowed.
 * Each that may have gone out has cost its host a rest. */
void pv_release_withhold_all(struct pv_crawl *crawl);

#endif
