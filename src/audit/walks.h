#ifndef PAVANE_AUDIT_WALKS_H
#define PAVANE_AUDIT_WALKS_H

/* The walks of an audit, inside of its room. Each leaves what it finds in the
 * audit, and faults in the databases. */
struct pv_audit;

/* Also notes which Crawl-delay was in force, so it comes before the clocks. */
void pv_audit_walk_robots(struct pv_audit *audit);
void pv_audit_walk_clocks(struct pv_audit *audit);
void pv_audit_walk_addresses(struct pv_audit *audit);
void pv_audit_walk_crawl(struct pv_audit *audit);

/* Of a merge, or of a fleet: what its workers may do together, what they owe to each
 * other, and who held what. */
void pv_audit_walk_fleet(struct pv_audit *audit);
void pv_audit_walk_handovers(struct pv_audit *audit);
void pv_audit_walk_ownership(struct pv_audit *audit);

void pv_audit_walk_ledger(struct pv_audit *audit);

#endif
