#ifndef PAVANE_CRAWL_HOST_REFUSED_HOSTS_H
#define PAVANE_CRAWL_HOST_REFUSED_HOSTS_H

/* The visits of hosts that cannot or may not be asked (giving_up.h): each ends
 * with its host's outcome, or is refused for its host's reason. */
struct pv_crawl;
struct pv_flight;

/* Goes on with the hosts that were noted (host_visits.h): what stands in their
 * lines ends, a thousand at a time of each host, and what was set aside. At the
 * end of a crawl it stays for the next run. */
void pv_refused_hosts_step(struct pv_crawl *crawl);

/* The same for a visit that was released. */
void pv_refused_hosts_end(struct pv_flight *flight);

#endif
