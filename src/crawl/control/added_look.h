#ifndef PAVANE_CRAWL_CONTROL_ADDED_LOOK_H
#define PAVANE_CRAWL_CONTROL_ADDED_LOOK_H

/* What the state knows of addresses that are added: before they are reported to
 * the frontier, and when that is committed. On the writer's thread. */
struct pv_added;
struct pv_database;

/* Notes what is known, and answers what there is no room for. */
void pv_added_look_before(struct pv_added *added, struct pv_database *database);

/* Answers the others. */
void pv_added_look_after(struct pv_added *added, struct pv_database *database);

#endif
